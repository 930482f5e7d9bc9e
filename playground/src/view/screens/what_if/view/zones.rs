//! The traffic of each zone before and after, for one proxy.

use crate::view::parts::{cell, head, hidden_caption, named, row, scrolled};
use spillgate_mesh::traffic::TrafficMatrix;
use spillgate_scenario::{ShortNames, change, decimal};
use yew::prelude::*;

use crate::view::screens::what_if::{LossAnswer, Stage, ZonesTraffic};

/// The table; empty with fewer than two zones.
pub(super) fn zones(
    stage: &Stage,
    answer: &LossAnswer,
    traffic: &ZonesTraffic,
    after: &TrafficMatrix,
    names: &ShortNames,
) -> Html {
    let both = traffic.before.rows.first().zip(after.rows.first());
    let Some((before, after)) = both.filter(|_| traffic.names.len() > 1) else {
        return html! {};
    };
    let hosts = traffic.hosts(stage, &answer.what_if);
    let figures = before.to.iter().zip(&after.to);
    let rows = hosts.iter().zip(figures).map(|(zone, (before, after))| {
        let cells = vec![
            html! { <th scope="row">{ named(names, &zone.zone) }</th> },
            cell("", None, format!("{} of {}", zone.lost, zone.all).into()),
            cell("", None, decimal(*before).into()),
            cell(
                "",
                Some(format!("zone-after-{}", zone.zone)),
                decimal(*after).into(),
            ),
            cell("", None, change(after - before).into()),
        ];
        row(zone.zone.clone(), None, cells)
    });
    let columns = [
        ("", "traffic of zone"),
        ("", "lost hosts"),
        ("", "before"),
        ("", "after"),
        ("", "change"),
    ];
    let table = html! {
        <table class="figures" data-test="zones">
            { hidden_caption("Traffic of each zone before and after the loss") }
            { head(&columns) }
            <tbody>{ for rows }</tbody>
        </table>
    };
    scrolled("Traffic of each zone before and after the loss", table)
}
