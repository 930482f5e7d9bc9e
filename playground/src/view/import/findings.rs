//! What is doubtful in the imported text, beside the picture of it.

use yew::prelude::*;

use super::fault_list::FaultList;
use crate::{state::tally, view::Shared};

/// The list; a click takes the number of a finding to `on_go`. Nothing without an import.
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
    let count = tally(&origin.faults);
    html! {
        <section class="findings" aria-label="Findings" data-test="findings">
            <h2>{ "Findings" }</h2>
            <p class="note">
                { if count.is_empty() { "Nothing is doubtful in the imported text.".into() } else { format!("{count} in the imported text.") } }
            </p>
            { list.view() }
        </section>
    }
}
