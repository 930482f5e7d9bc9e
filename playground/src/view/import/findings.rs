//! The findings in the imported text.

use yew::prelude::*;

use super::fault_list::FaultList;
use crate::{
    state::{PageMessage, severity_counts},
    view::{Shared, parts::note},
};

/// The list; a click emits the index of a finding. Empty without an import.
pub(crate) fn findings(store: &Shared, on_go: &Callback<usize>) -> Html {
    let Some(origin) = store.scenario().origin.as_deref() else {
        return html! {};
    };
    let list = FaultList {
        faults: &origin.faults,
        test: "finding",
        current: None,
        on_go: on_go.clone(),
        fixable: Vec::new(),
        on_fix: Callback::noop(),
    };
    let counts = severity_counts(&origin.faults);
    html! {
        <section class="findings" aria-label="Findings" data-test="findings">
            <h2>{ "Findings" }</h2>
            { note(PageMessage::Findings(&counts).to_string()) }
            { list.view() }
        </section>
    }
}
