//! The result of an import: a sentence, and the faults with navigation; while reading, the progress.

use yew::prelude::*;

use super::{fault_list::FaultList, progress::ReadingProgress, summary::summary};
use crate::{
    state::{Direction, ImportResult, ImportTexts, PageMessage},
    view::parts::{Button, Status},
};

/// The state of the reader modules.
pub(super) enum ReaderState {
    Loading,
    Ready,
    /// They cannot be loaded.
    Failed(String),
    /// The user canceled the reading of the texts.
    Canceled,
}

/// The result of an import, and the actions of the user.
pub(super) struct Outcome<'a> {
    pub(super) texts: &'a ImportTexts,
    pub(super) reader: &'a ReaderState,
    /// The progress of a slow reading.
    pub(super) progress: Option<&'a ReadingProgress>,
    pub(super) result: Option<&'a ImportResult>,
    /// The fault at the caret.
    pub(super) current: Option<usize>,
    pub(super) on_go: Callback<usize>,
    pub(super) on_fix: Callback<usize>,
    pub(super) on_step: Callback<Direction>,
    pub(super) on_retry: Callback<MouseEvent>,
    pub(super) on_cancel: Callback<MouseEvent>,
}

impl Outcome<'_> {
    /// The part below the fields.
    pub(super) fn view(self) -> Html {
        let summary = self.summary();
        let result = self.result;
        let faults = result.map_or(&[][..], |result| &result.faults);
        let list = FaultList {
            faults,
            more: result.map_or(0, |result| result.more),
            test: "import-fault",
            current: self.current,
            on_go: self.on_go.clone(),
            fixable: result.map_or(&[][..], |result| &result.fixable),
            on_fix: self.on_fix.clone(),
        };
        let step = |to: Direction| self.on_step.reform(move |_: MouseEvent| to);
        let can_retry = matches!(self.reader, ReaderState::Failed(_) | ReaderState::Canceled);
        html! {
            <div class="outcome">
                <div class="outcome-head">
                    <p class="note" id="import-summary" data-test="import-summary">{ &summary }</p>
                    if let Some(progress) = self.progress {
                        { progress.view() }
                        { button("Cancel", "import-cancel", &self.on_cancel) }
                    }
                    if faults.len() > 1 {
                        { button("Previous (Shift+F8)", "import-previous", &step(Direction::Back)) }
                        { button("Next (F8)", "import-next", &step(Direction::Forward)) }
                    }
                    if can_retry {
                        { button("Retry", "import-retry", &self.on_retry) }
                    }
                </div>
                <Status test="import-status" text={summary} />
                { list.view() }
            </div>
        }
    }

    fn summary(&self) -> String {
        let empty = self.texts.config.trim().is_empty();
        let message = match (self.reader, self.result) {
            (ReaderState::Failed(reason), _) => PageMessage::ReaderNotLoaded(reason),
            _ if empty => return String::new(),
            (ReaderState::Loading, _) => PageMessage::LoadingReader,
            (ReaderState::Canceled, _) => PageMessage::ReadingCanceled,
            (ReaderState::Ready, None) => {
                return PageMessage::Reading(&self.texts.size()).to_string();
            }
            (ReaderState::Ready, Some(result)) => return summary(result),
        };
        message.to_string()
    }
}

#[inline(never)]
fn button(text: &str, test: &str, onclick: &Callback<MouseEvent>) -> Html {
    let button = Button {
        class: "",
        test: Some(test.into()),
        name: None,
        text: text.into(),
        disabled: false,
        onclick: onclick.clone(),
    };
    button.view()
}
