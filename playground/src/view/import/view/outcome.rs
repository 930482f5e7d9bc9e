//! The result of an import: a sentence, and the faults with navigation; while reading, the progress.

use spillgate_scenario::{ImportResult, ImportTexts};
use yew::prelude::*;

use super::{progress::ReadingProgress, report::report, summary::summary};
use crate::{
    state::Direction,
    view::{
        import::{ImportMessage, report::ReadReport},
        parts::{FaultList, Status, text_button},
    },
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
    /// Whether the suggestion of each listed fault can be applied.
    pub(super) fixable: &'a [bool],
    /// What was read, ignored and missed.
    pub(super) report: &'a ReadReport,
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
            fixable: self.fixable,
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
                        { text_button("Cancel", "import-cancel", self.on_cancel.clone()) }
                    }
                    if faults.len() > 1 {
                        { text_button("Previous (Shift+F8)", "import-previous", step(Direction::Back)) }
                        { text_button("Next (F8)", "import-next", step(Direction::Forward)) }
                    }
                    if can_retry {
                        { text_button("Retry", "import-retry", self.on_retry.clone()) }
                    }
                </div>
                <Status test="import-status" text={summary} />
                { list.view() }
                { report(self.report, &self.on_go) }
            </div>
        }
    }

    fn summary(&self) -> String {
        let empty = self.texts.config.trim().is_empty();
        let message = match (self.reader, self.result) {
            (ReaderState::Failed(reason), _) => ImportMessage::ReaderNotLoaded(reason),
            _ if empty => return String::new(),
            (ReaderState::Loading, _) => ImportMessage::LoadingReader,
            (ReaderState::Canceled, _) => ImportMessage::ReadingCanceled,
            (ReaderState::Ready, None) => {
                return ImportMessage::Reading(&self.texts.size()).to_string();
            }
            (ReaderState::Ready, Some(result)) => return summary(result),
        };
        message.to_string()
    }
}
