//! Predicted and observed shares of the hosts, on demand.

use spillgate_playground::view::parts::{cell, head, hidden_caption, note, row};
use yew::prelude::*;

use super::comparison::{requests, shares};
use crate::live::{LiveComparison, health_text, sentences::hosts_text};

/// The most rows: a browser draws longer tables slowly every second.
const MOST_ROWS: usize = 200;

/// The table of hosts, closed at first.
pub(super) fn hosts(compared: &LiveComparison) -> Html {
    let all = compared
        .priorities
        .iter()
        .map(|priority| priority.hosts.len())
        .sum::<usize>();
    let rows = compared.priorities.iter().flat_map(|priority| {
        priority.hosts.iter().map(move |host| {
            let id = format!("{}/{}", priority.id, host.address);
            let test = |what: &str| Some(format!("live-host-{what}-{}", host.address));
            let mut cells = vec![
                html! { <th scope="row" class="address">{ &host.address }</th> },
                cell("text", test("health"), health_text(host.health).into()),
                cell("", test("requests"), requests(host.observed.count).into()),
            ];
            cells.extend(shares(
                host.predicted,
                host.observed,
                host.agreement(),
                &test,
            ));
            row(id, None, cells)
        })
    });
    let columns = [
        ("", "host"),
        ("text", "health"),
        ("", "requests"),
        ("", "predicted"),
        ("", "observed"),
        ("", "95\u{a0}% band"),
        ("", "difference"),
        ("", "verdict"),
    ];
    html! {
        <details class="as-table live-hosts" data-test="live-hosts">
            <summary>{ format!("Shares of the {all} hosts") }</summary>
            { note(hosts_text(compared)) }
            if all > MOST_ROWS {
                { note(format!("The table has the first {MOST_ROWS} hosts.")) }
            }
            <div class="scroll" role="region" tabindex="0" aria-label="Predicted and observed shares of the hosts">
                <table class="figures">
                    { hidden_caption("Predicted and observed shares of the hosts") }
                    { head(&columns) }
                    <tbody>{ for rows.take(MOST_ROWS) }</tbody>
                </table>
            </div>
        </details>
    }
}
