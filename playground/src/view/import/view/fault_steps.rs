//! The way from a fault to its place in the text.

use spillgate_scenario::{ImportField, TextPosition};

use super::dialog::Dialog;
use crate::{
    bridge,
    state::Direction,
    view::import::text::{caret_offset, next_fault, position_at, quick_fix},
};

impl Dialog {
    pub(super) fn place_caret(&self, field: ImportField, position: TextPosition) {
        let offset = caret_offset(self.texts.of(field), position);
        bridge::place_caret(&self.place(field).area, offset, position.line);
    }

    pub(super) fn go_to(&mut self, number: usize) {
        let place = self
            .fault(number)
            .and_then(|f| Some((f.field, f.position?)));
        if let Some((field, position)) = place {
            self.current = Some(number);
            self.place_caret(field, position);
        }
    }

    /// Goes to the next or previous fault in the field of the current fault or of the caret.
    pub(super) fn step(&mut self, direction: Direction) {
        let in_clusters = match self.current.and_then(|number| self.fault(number)) {
            Some(fault) => fault.field == ImportField::Clusters,
            None => bridge::has_focus(&self.clusters.area),
        };
        let field = if in_clusters {
            ImportField::Clusters
        } else {
            ImportField::Config
        };
        let caret = bridge::caret(&self.place(field).area);
        let at = position_at(self.texts.of(field), caret);
        let faults = self
            .result
            .as_ref()
            .map_or(&[][..], |result| &result.faults);
        if let Some(number) = next_fault(faults, field, at, direction) {
            self.go_to(number);
        }
    }

    pub(super) fn fix(&self, number: usize) {
        let fault = self.fault(number);
        let fix =
            fault.and_then(|fault| Some((fault, quick_fix(self.texts.of(fault.field), fault)?)));
        if let Some((fault, fix)) = fix {
            let area = &self.place(fault.field).area;
            bridge::replace_text(area, fix.start, fix.end, &fix.replacement);
        }
    }
}
