//! The findings in the imported text.

use yew::prelude::*;

use super::{
    Shared,
    parts::{FaultList, note},
};
use crate::state::{PageMessage, severity_counts};

/// Longer lists are closed at first, so that the explanation is in sight.
const MOST_OPEN: usize = 3;

/// The list; a click emits the index of a finding. Empty without an import.
pub(super) fn findings(store: &Shared, on_go: &Callback<usize>) -> Html {
    let Some(origin) = store.scenario().origin.as_deref() else {
        return html! {};
    };
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
        <section class="findings" aria-label="Findings" data-test="findings">
            <h2>{ "Findings" }</h2>
            <details open={origin.faults.len() <= MOST_OPEN}>
                <summary>{ note(PageMessage::Findings(&counts).to_string()) }</summary>
                { list.view() }
            </details>
        </section>
    }
}
