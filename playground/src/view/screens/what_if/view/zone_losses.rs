//! The loss of each whole zone of a mesh.

use crate::view::parts::{cell, head, hidden_caption, named, row};
use spillgate_mesh::traffic::{
    LargestShare, largest_crossing, largest_in_panic, largest_without_host, survives,
};
use spillgate_scenario::{ShortNames, decimal};
use yew::prelude::*;

use crate::view::screens::what_if::{ZoneLossRow, ZonesTraffic};

/// The table: one row for each zone.
pub(super) fn zone_losses(traffic: &ZonesTraffic, short: &ShortNames) -> Html {
    let columns = [
        ("text", "lost zone"),
        ("", "no host"),
        ("", "in panic"),
        ("text", "largest share across zones"),
        ("", "survives"),
    ];
    html! {
        <div class="zone-losses">
            <h3>{ "If a whole zone fails" }</h3>
            <div class="scroll" tabindex="0" role="region" aria-label="If a whole zone fails">
                <table class="figures">
                    { hidden_caption("The loss of each whole zone: largest shares in percent") }
                    { head(&columns) }
                    <tbody data-test="zones-losses">{ for traffic.zones.iter().map(|loss| line(loss, short)) }</tbody>
                </table>
            </div>
        </div>
    }
}

fn line(loss: &ZoneLossRow, short: &ShortNames) -> Html {
    let traffic = std::slice::from_ref(&loss.traffic);
    let largest = |found: Option<LargestShare<'_>>| -> Html {
        match found {
            Some(largest) => named(
                short,
                &format!("{} of {}", decimal(largest.share), largest.from),
            ),
            None => "0 %".into(),
        }
    };
    let crossing = largest_crossing(traffic).map_or_else(String::new, |largest| {
        let share = decimal(largest.share);
        format!("{share}, {} \u{2192} {}", largest.from, largest.to)
    });
    let verdict = if survives(traffic) {
        html! { "yes" }
    } else {
        html! { <strong class="alarm">{ "no" }</strong> }
    };
    let cells = vec![
        html! { <th scope="row">{ named(short, &loss.zone) }</th> },
        cell("", None, largest(largest_without_host(traffic))),
        cell("", None, largest(largest_in_panic(traffic))),
        cell("text", None, named(short, &crossing)),
        cell("", None, verdict),
    ];
    row(loss.zone.clone(), None, cells)
}
