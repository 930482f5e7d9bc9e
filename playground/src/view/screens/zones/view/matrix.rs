//! The matrix: a row for the proxies of each zone, a column for the hosts of each zone.

use crate::view::parts::{Button, hidden_caption, note};
use spillgate_scenario::{ShortNames, change, decimal};
use yew::prelude::*;

use crate::view::screens::zones::{ZoneViews, ZonesTraffic};

/// Differences that are not shown.
const NOTHING: f64 = 0.05;

/// The table. A click on a column loses its zone, and one on a row shows the priorities of its proxies.
pub(super) fn matrix(
    views: &ZoneViews,
    traffic: &ZonesTraffic,
    short: &ShortNames,
    on_zone: &Callback<String>,
    on_cluster: &Callback<usize>,
) -> Html {
    let columns = traffic.after.zones.iter().map(|zone| {
        let (on_zone, lost) = (on_zone.clone(), zone.clone());
        let lose = Button {
            class: "figure",
            test: Some(format!("zones-lose-{zone}")),
            name: Some(format!("Lose {zone}")),
            text: short.get(zone).to_owned(),
            disabled: false,
            onclick: Callback::from(move |_| on_zone.emit(lost.clone())),
        };
        html! { <th scope="col"><span title={zone.clone()}>{ lose.view() }</span></th> }
    });
    let rows = traffic.after.rows.iter().zip(&traffic.before.rows).zip(&views.views).map(|((after, before), view)| {
        let (on_cluster, cluster) = (on_cluster.clone(), view.cluster);
        let show = Button {
            class: "figure",
            test: Some(format!("zones-show-{}", view.zone)),
            name: Some(format!(
                "Show the priorities of the proxies in {}",
                view.zone
            )),
            text: short.get(&view.zone).to_owned(),
            disabled: false,
            onclick: Callback::from(move |_| on_cluster.emit(cluster)),
        };
        let names = traffic.after.zones.iter().map(String::as_str);
        let shares = names.zip(before.to.iter().zip(&after.to)).map(|(to, (before, after))| cell(&view.zone, to, *before, *after, "share"));
        html! {
            <tr key={view.zone.clone()}>
                <th scope="row"><span title={view.zone.clone()}>{ show.view() }</span></th>
                { for shares }
                { cell(&view.zone, "no host", before.no_host, after.no_host, "none") }
                { cell(&view.zone, "priorities in panic mode", before.panic, after.panic, "none") }
            </tr>
        }
    });
    html! {
        <div class="traffic">
            <div class="scroll" tabindex="0" role="region" aria-label="Traffic between zones">
                <table class="figures">
                    { hidden_caption("Percent of the requests of each zone, by the zone of the host") }
                    <thead>
                        <tr>
                            <th scope="col">{ "from \\ to" }</th>
                            { for columns }
                            <th scope="col">{ "no host" }</th>
                            <th scope="col">{ "in panic" }</th>
                        </tr>
                    </thead>
                    <tbody data-test="zones-matrix">{ for rows }</tbody>
                </table>
            </div>
            { note("Percent of the requests of each zone, with the change by the loss. Click a column to lose its zone, a row to see the priorities of its proxies.".into()) }
        </div>
    }
}

/// A share with its change; the color has ten steps.
fn cell(from: &str, to: &str, before: f64, after: f64, kind: &'static str) -> Html {
    let step = (after / 10.0).ceil().clamp(0.0, 10.0);
    let difference = after - before;
    let moved = difference.abs() >= NOTHING;
    let words = if moved {
        format!(
            "{from} to {to}: {} %, {}",
            decimal(after),
            change(difference)
        )
    } else {
        format!("{from} to {to}: {}", decimal(after))
    };
    let shown = if after == 0.0 {
        "\u{b7}".into()
    } else {
        decimal(after)
    };
    html! {
        <td class={format!("{kind} step-{step}")}>
            <span class="hidden">{ words }</span>
            <span aria-hidden="true">{ shown }</span>
            if moved {
                <small aria-hidden="true">{ change(difference) }</small>
            }
        </td>
    }
}
