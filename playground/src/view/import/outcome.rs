//! The result of an import: a sentence, the faults with navigation, and the clusters.

use yew::prelude::*;

use super::{
    fault_list::{FaultList, LONGEST},
    summary::summary,
};
use crate::{
    state::{Direction, ImportFault, ImportResult, ImportTexts, Imported, PageMessage, quick_fix},
    view::parts::{Button, Choice, Status},
};

/// The state of the reader module.
pub(super) enum ReaderState {
    Loading,
    Ready,
    Failed(String),
}

/// The result of an import, and the actions of the user.
pub(super) struct Outcome<'a> {
    pub(super) texts: &'a ImportTexts,
    pub(super) reader: &'a ReaderState,
    pub(super) result: Option<&'a ImportResult>,
    /// The fault at the caret.
    pub(super) current: Option<usize>,
    /// The cluster to show.
    pub(super) root: usize,
    pub(super) on_go: Callback<usize>,
    pub(super) on_fix: Callback<usize>,
    pub(super) on_step: Callback<Direction>,
    pub(super) on_retry: Callback<()>,
    pub(super) on_root: Callback<String>,
}

impl Outcome<'_> {
    /// The part below the fields.
    pub(super) fn view(self) -> Html {
        let summary = self.summary();
        let faults = self.result.map_or(&[][..], |result| &result.faults);
        let fixable = |fault: &ImportFault| quick_fix(self.texts.of(fault.field), fault).is_some();
        let list = FaultList {
            faults,
            test: "import-fault",
            current: self.current,
            on_go: self.on_go.clone(),
            fixable: faults.iter().take(LONGEST).map(fixable).collect(),
            on_fix: self.on_fix.clone(),
        };
        let button = |text: &str, test: &str, onclick: Callback<MouseEvent>| {
            let button = Button {
                class: "",
                test: Some(test.into()),
                name: None,
                text: text.into(),
                disabled: false,
                onclick,
            };
            button.view()
        };
        let step = |to: Direction| self.on_step.reform(move |_: MouseEvent| to);
        let retry = self.on_retry.reform(|_: MouseEvent| ());
        let imported = self.result.and_then(|result| result.imported.as_ref());
        html! {
            <div class="outcome">
                <div class="outcome-head">
                    <p class="note" id="import-summary" data-test="import-summary">{ &summary }</p>
                    if faults.len() > 1 {
                        { button("Previous (Shift+F8)", "import-previous", step(Direction::Back)) }
                        { button("Next (F8)", "import-next", step(Direction::Forward)) }
                    }
                    if matches!(self.reader, ReaderState::Failed(_)) {
                        { button("Retry", "import-retry", retry) }
                    }
                </div>
                <Status test="import-status" text={summary} />
                { list.view() }
                if let Some(imported) = imported {
                    <Choice id="import-cluster" test="import-cluster" label="cluster" options={choices(imported)}
                        value={self.root.to_string()} on_value={self.on_root} />
                }
            </div>
        }
    }

    fn summary(&self) -> String {
        let empty = self.texts.config.trim().is_empty();
        let message = match (self.reader, self.result) {
            (ReaderState::Failed(reason), _) => PageMessage::ReaderNotLoaded(reason),
            _ if empty => return String::new(),
            (ReaderState::Loading, _) => PageMessage::LoadingReader,
            (ReaderState::Ready, None) => PageMessage::Reading,
            (ReaderState::Ready, Some(result)) => return summary(result),
        };
        message.to_string()
    }
}

fn choices(imported: &Imported) -> Vec<(String, String)> {
    let choices = imported.choices();
    choices
        .map(|(at, name, what)| (at.to_string(), format!("{name} ({what})")))
        .collect()
}
