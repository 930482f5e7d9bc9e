//! Many requests: observed and exact shares of the hosts.

use crate::view::parts::{cell, head, hidden_caption, note, row};
use spillgate_scenario::{change, count, cut, decimal, fixed};
use yew::prelude::*;

use crate::view::screens::trace::{HostCount, REQUESTS, RequestSequence, TraceStage};

/// The longest names that are shown whole, relative to the font size.
const NAME_ROOM: f64 = 20.0;

/// The maximum number of listed hosts.
const MOST: usize = 100;

/// The headline for many requests.
pub(super) fn headline(sequence: &RequestSequence) -> String {
    let hosts = sequence
        .rows
        .iter()
        .filter(|row| row.host.is_some())
        .filter(|row| row.observed > 0)
        .count();
    let difference = fixed(sequence.largest_difference);
    format!(
        "{REQUESTS} requests reach {}; the largest difference from an exact share is {difference} percentage points.",
        spillgate_scenario::plural(hosts, "host")
    )
}

/// The table.
pub(super) fn sequence(stage: &TraceStage, sequence: &RequestSequence) -> Html {
    let columns = [
        ("text", "host"),
        ("text", "priority"),
        ("", "requests"),
        ("", "observed"),
        ("", "exact"),
        ("", "difference"),
    ];
    let more = sequence.rows.len().saturating_sub(MOST);
    html! {
        <div class="sequence">
            <div class="scroll" tabindex="0" role="region" aria-label="Observed and exact shares">
                <table class="figures">
                    { hidden_caption("Requests by host: observed and exact shares") }
                    { head(&columns) }
                    <tbody data-test="trace-counts">{ for sequence.rows.iter().take(MOST).map(|row| line(stage, row)) }</tbody>
                </table>
            </div>
            if more > 0 {
                { note(format!("And {} more hosts.", count(more))) }
            }
            { note("One worker decides on equal requests in sequence, with the random numbers of the seed. Differences of random choices shrink with more requests.".into()) }
        </div>
    }
}

fn line(stage: &TraceStage, of: &HostCount) -> Html {
    let (name, priority) = match of.host {
        Some(host) => (stage.address(host).to_owned(), stage.priority(host)),
        None => ("no host (503)".into(), String::new()),
    };
    let cells = vec![
        html! { <th scope="row" title={name.clone()}><span class="address">{ cut(&name, NAME_ROOM) }</span></th> },
        cell(
            "text",
            None,
            html! { <span title={priority.clone()}>{ cut(&priority, NAME_ROOM) }</span> },
        ),
        cell(
            "",
            Some(format!("trace-count-{name}")),
            of.observed.to_string().into(),
        ),
        cell("", None, decimal(of.share()).into()),
        cell("", None, decimal(of.exact).into()),
        cell("", None, change(of.difference()).into()),
    ];
    row(format!("{priority} {name}"), None, cells)
}
