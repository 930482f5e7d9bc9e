//! What became of the texts: a sentence, the faults, ways through them, and the clusters.

use yew::prelude::*;

use super::{
    fault_list::{FaultList, LONGEST},
    summary::summary,
};
use crate::{
    state::{Direction, ImportFault, Imported, Reading, Texts, quick_fix},
    view::{
        frame::Status,
        parts::{Button, Choice},
    },
};

/// Whether the readers are there.
pub(super) enum Readers {
    Coming,
    Ready,
    Failed(String),
}

/// What is known of the texts, and what the user can do about it.
pub(super) struct Outcome<'a> {
    pub(super) texts: &'a Texts,
    pub(super) readers: &'a Readers,
    pub(super) reading: Option<&'a Reading>,
    /// The fault that the caret was put to.
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
    /// Below the fields of the dialog.
    pub(super) fn view(self) -> Html {
        let said = self.sentence();
        let faults = self.reading.map_or(&[][..], |reading| &reading.faults);
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
        let imported = self.reading.and_then(|reading| reading.imported.as_ref());
        html! {
            <div class="outcome">
                <div class="outcome-head">
                    <p class="note" id="import-summary" data-test="import-summary">{ &said }</p>
                    if faults.len() > 1 {
                        { button("Previous (Shift+F8)", "import-previous", step(Direction::Back)) }
                        { button("Next (F8)", "import-next", step(Direction::Forward)) }
                    }
                    if matches!(self.readers, Readers::Failed(_)) {
                        { button("Try again", "import-retry", retry) }
                    }
                </div>
                <Status test="import-status" text={said} />
                { list.view() }
                if let Some(imported) = imported {
                    <Choice id="import-cluster" test="import-cluster" label="cluster" options={choices(imported)}
                        value={self.root.to_string()} on_value={self.on_root} />
                }
            </div>
        }
    }

    fn sentence(&self) -> String {
        let empty = self.texts.config.trim().is_empty();
        match (self.readers, self.reading) {
            (Readers::Failed(why), _) => {
                format!("The readers could not be fetched: {why}. Your text stays here.")
            }
            _ if empty => String::new(),
            (Readers::Coming, _) => "Fetching the readers\u{2026}".into(),
            (Readers::Ready, None) => "Reading\u{2026}".into(),
            (Readers::Ready, Some(reading)) => summary(reading),
        }
    }
}

fn choices(imported: &Imported) -> Vec<(String, String)> {
    let choices = imported.choices();
    choices
        .map(|(at, name, what)| (at.to_string(), format!("{name} ({what})")))
        .collect()
}
