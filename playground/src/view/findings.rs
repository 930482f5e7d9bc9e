//! The findings in the imported text, and the way to those of an edited scenario: its text in the import dialog.

use std::rc::Rc;

use spillgate_export::FileFormat;
use spillgate_scenario::{ImportOrigin, PageMessage, link::Disclosure, severity_counts};
use yew::prelude::*;

use super::{
    Shared,
    parts::{Button, FaultList, note},
};
use crate::{
    state::{FileReply, ShareInput, unchanged_import},
    view::share::{Wanted, write_file},
};

/// Longer lists are closed at first, so that the explanation is in sight.
const MOST_OPEN: usize = 3;
/// The format of the text.
const FORMAT: Wanted = Wanted::File(FileFormat::EnvoyYaml);

#[derive(PartialEq, Properties)]
pub(super) struct FindingsProps {
    pub(super) store: Shared,
    /// Called with the index of a finding.
    pub(super) on_go: Callback<usize>,
    /// Called with the text of the scenario.
    pub(super) on_text: Callback<String>,
}

/// The list of an import, and the button for an edited or drawn scenario.
#[component]
pub(super) fn Findings(props: &FindingsProps) -> Html {
    let failure = use_state(String::new);
    let scenario = props.store.scenario();
    let origin = scenario.origin.as_deref();
    let is_current = unchanged_import(scenario).is_some();
    let check = {
        let (failure, on_text) = (failure.setter(), props.on_text.clone());
        let scenario = scenario.clone();
        Callback::from(move |_: MouseEvent| {
            // The text does not leave the playground.
            let input = ShareInput {
                disclosure: Disclosure::Addresses,
                view: Vec::new(),
            };
            let (failure, on_text) = (failure.clone(), on_text.clone());
            failure.set(PageMessage::LoadingFiles.to_string());
            write_file(
                Rc::clone(&scenario),
                input,
                FORMAT,
                move |reply| match reply {
                    FileReply::Written { text, .. } => {
                        failure.set(String::new());
                        on_text.emit(text);
                    }
                    FileReply::Refused(reason) => failure.set(reason),
                },
            );
        })
    };
    let button = Button {
        class: "",
        test: Some("check-scenario".into()),
        name: None,
        text: "Check it as text".into(),
        disabled: false,
        onclick: check,
    };
    let about = match origin {
        Some(_) => PageMessage::EditedSince,
        None => PageMessage::NotChecked,
    };
    html! {
        <section class="findings" aria-label="Findings" data-test="findings">
            <h2>{ "Findings" }</h2>
            if let Some(origin) = origin {
                { list(origin, &props.on_go) }
            }
            if !is_current {
                { note(about.to_string()) }
                { button.view() }
                <div data-said="yes">{ note((*failure).clone()) }</div>
            }
        </section>
    }
}

/// The findings of an import.
fn list(origin: &ImportOrigin, on_go: &Callback<usize>) -> Html {
    let list = FaultList {
        faults: &origin.faults,
        more: origin.more,
        test: "finding",
        current: None,
        on_go: on_go.clone(),
        fixable: &[],
        on_fix: Callback::noop(),
    };
    let counts = severity_counts(&origin.faults, origin.more);
    html! {
        <details open={origin.faults.len() <= MOST_OPEN}>
            <summary>{ note(PageMessage::Findings(&counts).to_string()) }</summary>
            { list.view() }
        </details>
    }
}
