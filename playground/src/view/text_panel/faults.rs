//! The way from a fault to its place in the text.

use spillgate_scenario::ImportField;

use super::panel::TextPanel;
use crate::{
    bridge,
    state::Direction,
    view::import::{caret_offset, next_fault, position_at},
};

impl TextPanel {
    pub(super) fn go_to(&mut self, number: usize) {
        let fault = self.faults.get(number);
        if let Some(position) = fault.and_then(|fault| fault.position) {
            self.current = Some(number);
            let offset = caret_offset(&self.draft.text, position);
            bridge::place_caret(&self.area, offset, position.line);
            self.number_lines();
        }
    }

    /// Goes to the next or previous fault from the caret.
    pub(super) fn step(&mut self, direction: Direction) {
        let at = position_at(&self.draft.text, bridge::caret(&self.area));
        if let Some(number) = next_fault(&self.faults, ImportField::Config, at, direction) {
            self.go_to(number);
        }
    }
}
