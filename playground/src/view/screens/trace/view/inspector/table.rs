//! The hosts of a hash table.

use crate::view::parts::{cell, head, row};
use spillgate_scenario::{count, decimal};
use yew::prelude::*;

use super::host::InspectorHosts;
use crate::view::screens::trace::TableShare;

/// The maximum number of listed hosts.
const MOST: usize = 100;

/// The table, behind a summary. `entries` is the name of the second column.
pub(super) fn table(
    hosts: &InspectorHosts<'_>,
    entries: &'static str,
    shares: &[TableShare],
) -> Html {
    let columns = [
        ("text", "host"),
        ("", entries),
        ("", "share of hashes"),
        ("text", ""),
    ];
    let rows = shares.iter().take(MOST).map(|share| {
        let cells = vec![
            hosts.head(share.host),
            cell("", None, count(share.entries).into()),
            cell("", None, decimal(share.percent).into()),
            hosts.serves(share.host),
        ];
        row(
            share.host.host.to_string(),
            hosts.row_class(share.host),
            cells,
        )
    });
    let more = shares.len().saturating_sub(MOST);
    html! {
        <details class="more">
            <summary>{ "As table" }</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Hosts of the table">
                <table class="figures">
                    { head(&columns) }
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
            if more > 0 {
                <p class="note">{ format!("And {} more hosts.", count(more)) }</p>
            }
        </details>
    }
}
