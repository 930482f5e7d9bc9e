//! From the scenario to the text.

use std::rc::Rc;

use spillgate_scenario::{EditedScenario, TextPosition, changed_lines, link::Disclosure};
use yew::prelude::*;

use super::{
    caret::moved,
    draft::{MergeResult, TextState},
    panel::{Msg, TextPanel},
    written_texts::WrittenTexts,
};
use crate::{
    bridge,
    state::{FileReply, ShareInput},
    view::{
        import::caret_offset,
        share::{Wanted, write_file},
    },
};

/// A slider that moves writes no text until this many milliseconds pass.
const PAUSE_MS: u32 = 120;

impl TextPanel {
    /// Writes a changed scenario after a pause. A text that waits gets the change before it is read.
    pub(super) fn write_later(&mut self, ctx: &Context<Self>) {
        let pause = match self.draft.state {
            TextState::Same => PAUSE_MS,
            TextState::Typed | TextState::Rejected | TextState::NotFollowed => 0,
        };
        let link = ctx.link().clone();
        let write = move || link.send_message(Msg::Write);
        self.writes = Some(bridge::after(pause, write));
    }

    /// Starts to write the text of the scenario, and that of the one before, if the change between them is not known.
    pub(super) fn write(&mut self, ctx: &Context<Self>) {
        self.writes = None;
        let link = ctx.link().clone();
        let new_scenario = Rc::clone(ctx.props().store.scenario());
        let old_scenario = self.draft.of.clone();
        let unwritten = old_scenario.clone();
        let unwritten = unwritten.filter(|_| self.draft.written.is_none());
        let write_new = move |old: Option<FileReply>| {
            write_text(&Rc::clone(&new_scenario), move |new| {
                link.send_message(Msg::Written(WrittenTexts {
                    old_scenario,
                    old,
                    new_scenario,
                    new,
                }));
            });
        };
        match unwritten {
            Some(scenario) => write_text(&scenario, move |old| write_new(Some(old))),
            None => write_new(None),
        }
    }

    /// Makes a change of the scenario in the text. Caret and place stay, and the lines that differ are marked.
    pub(super) fn written(&mut self, ctx: &Context<Self>, texts: WrittenTexts) {
        let WrittenTexts {
            old_scenario,
            old,
            new_scenario,
            new,
        } = texts;
        if !Rc::ptr_eq(&new_scenario, ctx.props().store.scenario())
            || old_scenario.as_ref().map(Rc::as_ptr) != self.draft.of.as_ref().map(Rc::as_ptr)
        {
            // Both changed in the meantime.
            self.write_later(ctx);
            return;
        }
        if let Some(FileReply::Written { text, .. }) = old {
            self.draft.written = Some(text);
        }
        let new = match new {
            FileReply::Written { text, omitted } => {
                (self.omitted, self.refused) = (omitted, String::new());
                text
            }
            FileReply::Refused(reason) => {
                self.omitted = String::new();
                if self.draft.state != TextState::Same {
                    self.keep_edit(ctx, new_scenario);
                    return;
                }
                self.refused = reason;
                String::new()
            }
        };
        let earlier = self.draft.text.clone();
        match self.draft.merge(&new_scenario, &new) {
            MergeResult::Kept => self.keep_edit(ctx, new_scenario),
            MergeResult::Merged => {
                self.seen = Some(new_scenario);
                self.show(&earlier);
                if self.draft.state == TextState::Same {
                    self.plain = Some(new).filter(|new| *new != self.draft.text);
                    self.read(ctx);
                } else {
                    self.read_later(ctx);
                }
            }
        }
    }

    /// The edit does not fit the change; it replaces it as soon as it can be followed.
    fn keep_edit(&mut self, ctx: &Context<Self>, scenario: Rc<EditedScenario>) {
        self.seen = Some(scenario);
        self.read_later(ctx);
    }

    /// Shows a changed text.
    pub(super) fn show(&mut self, earlier: &str) {
        let text = &self.draft.text;
        let is_first = earlier.is_empty();
        let changed = changed_lines(earlier, text);
        let (start, end) = bridge::selection(&self.area);
        let selection = if is_first {
            (0, 0)
        } else {
            let place = |caret| moved(earlier, text, caret);
            (place(start), place(end))
        };
        if changed.is_some() {
            bridge::rewrite_text(&self.area, text, selection);
            self.read = None;
        }
        self.marked = None;
        self.number_lines();
        if let Some(lines) = changed.filter(|_| !is_first) {
            if bridge::has_focus(&self.area) {
                self.marked = Some(lines);
            } else {
                self.mark(lines);
            }
        }
    }

    /// The caret at the start of a line.
    pub(super) fn line_start(&self, line: u32) -> u32 {
        caret_offset(&self.draft.text, TextPosition { line, column: 1 })
    }
}

/// Writes the text of a scenario.
fn write_text(scenario: &Rc<EditedScenario>, done: impl FnOnce(FileReply) + 'static) {
    // The text does not leave the page.
    let input = ShareInput {
        disclosure: Disclosure::Addresses,
        view: Vec::new(),
    };
    write_file(Rc::clone(scenario), input, Wanted::Text, done);
}
