//! Predicted and observed shares of the hosts, on demand.

use crate::view::parts::note;
use yew::prelude::*;

use super::comparison::{ComparedRow, compared_table};
use crate::view::screens::live::{
    ComparedHost, LiveComparison, health_text, sentences::hosts_text,
};

/// The most rows: a browser draws longer tables slowly every second.
const MOST_ROWS: usize = 200;

/// The table of hosts, closed at first.
pub(super) fn hosts(compared: &LiveComparison) -> Html {
    let (all, _) = compared.hosts_outside();
    let hosts = compared.priorities.iter().flat_map(|one| &one.hosts);
    let rows = hosts
        .take(MOST_ROWS)
        .enumerate()
        .map(|(place, one)| host(place, one))
        .collect();
    let titles = ("host", ("text", "health"));
    html! {
        <details class="as-table live-hosts" data-test="live-hosts">
            <summary>{ format!("Shares of the {all} hosts") }</summary>
            { note(hosts_text(compared)) }
            if all > MOST_ROWS {
                { note(format!("The table has the first {MOST_ROWS} hosts.")) }
            }
            { compared_table("Predicted and observed shares of the hosts", titles, rows) }
        </details>
    }
}

fn host(place: usize, host: &ComparedHost) -> Html {
    let compared = ComparedRow {
        header: html! { <th scope="row" class="address">{ &host.address }</th> },
        predicted: host.predicted,
        observed: host.observed,
        agreement: host.agreement(),
        hosts: ("text", "health", health_text(host.health)),
    };
    compared.view(place, &format!("live-host-PART-{}", host.address))
}
