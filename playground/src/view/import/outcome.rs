//! What became of the texts: a sentence, the faults, ways through them, and the clusters.

use yew::prelude::*;

use super::{
    dialog::{Import, Msg, Readers},
    summary::summary,
};
use crate::{
    state::{ImportFault, Imported, quick_fix},
    view::{
        choice::Choice,
        fault_list::{FaultList, LONGEST},
        pieces::Button,
        status::Status,
    },
};

/// Below the fields of the dialog.
pub(super) fn outcome(import: &Import, link: &html::Scope<Import>) -> Html {
    let said = sentence(import);
    let faults = import
        .reading
        .as_ref()
        .map_or(&[][..], |reading| &reading.faults);
    let fixable = |fault: &ImportFault| quick_fix(import.text(fault.field), fault).is_some();
    let list = FaultList {
        faults,
        test: "import-fault",
        current: import.current,
        on_go: link.callback(Msg::GoTo),
        fixable: faults.iter().take(LONGEST).map(fixable).collect(),
        on_fix: link.callback(Msg::Fix),
    };
    let button = |text: &str, test: &str, message: fn() -> Msg| {
        let button = Button {
            class: "",
            test: Some(test.into()),
            name: None,
            text: text.into(),
            disabled: false,
            onclick: link.callback(move |_: MouseEvent| message()),
        };
        button.view()
    };
    html! {
        <div class="outcome">
            <div class="outcome-head">
                <p class="note" id="import-summary" data-test="import-summary">{ &said }</p>
                if faults.len() > 1 {
                    { button("Previous (Shift+F8)", "import-previous", || Msg::Step(false)) }
                    { button("Next (F8)", "import-next", || Msg::Step(true)) }
                }
                if matches!(import.readers, Readers::Failed(_)) {
                    { button("Try again", "import-retry", || Msg::Load) }
                }
            </div>
            <Status test="import-status" text={said} />
            { list.view() }
            if let Some(imported) = import.imported() {
                <Choice id="import-cluster" test="import-cluster" label="cluster" options={choices(imported)}
                    value={import.root.to_string()} on_value={link.callback(Msg::Root)} />
            }
        </div>
    }
}

fn sentence(import: &Import) -> String {
    let empty = import.texts.config.trim().is_empty();
    match (&import.readers, &import.reading) {
        (Readers::Failed(why), _) => {
            format!("The readers could not be fetched: {why}. Your text stays here.")
        }
        _ if empty => String::new(),
        (Readers::Coming, _) => "Fetching the readers\u{2026}".into(),
        (Readers::Ready, None) => "Reading\u{2026}".into(),
        (Readers::Ready, Some(reading)) => summary(reading),
    }
}

fn choices(imported: &Imported) -> Vec<(String, String)> {
    let choices = imported.choices();
    choices
        .map(|(at, name, what)| (at.to_string(), format!("{name} ({what})")))
        .collect()
}
