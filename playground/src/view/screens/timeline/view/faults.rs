//! The errors and warnings of the script.

use spillgate_codec::import::{FaultSeverity, ImportFault};
use yew::prelude::*;

/// The most faults in the list.
const LISTED: usize = 8;

/// The list; empty without faults.
pub(super) fn faults(faults: &[ImportFault]) -> Html {
    let line = |fault: &ImportFault| {
        let class = match fault.severity {
            FaultSeverity::Error => "warning",
            FaultSeverity::Warning | FaultSeverity::Limit | FaultSeverity::Info => "plain",
        };
        html! { <li {class} data-test="timeline-fault">{ sentence(fault) }</li> }
    };
    let more = faults.len().saturating_sub(LISTED);
    html! {
        <ul class="script-faults">
            { for faults.iter().take(LISTED).map(line) }
            if more > 0 {
                <li>{ format!("{more} more") }</li>
            }
        </ul>
    }
}

/// Position, code, problem, value and remedy.
fn sentence(fault: &ImportFault) -> String {
    let mut text = match fault.position {
        Some(position) => format!("{}:{} ", position.line, position.column),
        None => String::new(),
    };
    text.push_str(&format!("{}: {}", fault.code, fault.message));
    let found = fault.found.iter().map(|found| format!("; found {found}"));
    let expected = fault.expected.iter();
    let expected = expected.map(|expected| format!("; expected {expected}"));
    let suggestion = fault
        .suggestion
        .iter()
        .map(|name| format!("; did you mean {name}?"));
    text.extend(found.chain(expected).chain(suggestion));
    text
}
