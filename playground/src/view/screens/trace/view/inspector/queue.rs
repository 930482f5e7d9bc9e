//! The next picks of a rotation or an EDF schedule.

use crate::view::parts::{cell, head, note, row};
use spillgate_scenario::fixed;
use yew::prelude::*;

use super::{
    host::InspectorHosts,
    strip::{StripCell, strip},
};
use crate::view::screens::trace::QueueView;

/// The figure.
pub(super) fn queue(hosts: &InspectorHosts<'_>, queue: &QueueView) -> Html {
    let first = queue.picks.first().map_or("", |pick| hosts.name(pick.host));
    let selected = queue.picks.iter();
    let selected = selected.filter(|pick| Some(pick.host) == hosts.selected);
    let own = match hosts.selected {
        Some(host) => format!(
            " {} gets {} of the next {}.",
            hosts.name(host),
            selected.count(),
            queue.picks.len()
        ),
        None => String::new(),
    };
    let kind = if queue.is_scheduled {
        "The earliest deadline of the queue"
    } else {
        "The next host of the rotation"
    };
    let sentence = format!("{kind} is that of {first}.{own}");
    let cells: Vec<StripCell> = queue
        .picks
        .iter()
        .enumerate()
        .map(|(place, pick)| StripCell {
            host: pick.host,
            width: 1.0,
            is_of_request: place == 0,
        })
        .collect();
    let rule = if queue.is_scheduled {
        "The hosts have different weights, so an EDF queue picks the host with the earliest deadline and adds it again: deadline + 1 / weight."
    } else {
        "The hosts have equal weights, so each request gets the next host of the list."
    };
    let columns = [
        ("", "pick"),
        ("text", "host"),
        ("", "weight"),
        ("", "deadline"),
    ];
    let rows = queue.picks.iter().enumerate().map(|(place, pick)| {
        let deadline = pick.deadline.map_or(String::new(), thousandths);
        let cells = vec![
            cell("", None, (place + 1).to_string().into()),
            hosts.head(pick.host),
            cell("", None, fixed(pick.weight).into()),
            cell("", None, deadline.into()),
        ];
        row(place.to_string(), hosts.row_class(pick.host), cells)
    });
    html! {
        <figure class="inspector" data-test="inspector-queue">
            <figcaption>{ sentence.clone() }</figcaption>
            { strip(hosts, &sentence, &cells) }
            { note(format!("The next picks of this host list, from left to right. {rule}")) }
            <details class="more">
                <summary>{ "As table" }</summary>
                <div class="scroll" tabindex="0" role="region" aria-label="The next picks">
                    <table class="figures">
                        { head(&columns) }
                        <tbody data-test="queue">{ for rows }</tbody>
                    </table>
                </div>
            </details>
        </figure>
    }
}

/// A number with three decimals.
fn thousandths(number: f64) -> String {
    let thousandths = (number * 1_000.0).round().max(0.0) as u64;
    format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}
