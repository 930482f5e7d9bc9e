//! The traffic between the zones of a mesh: a row for the proxies of each zone, a column for the hosts of
//! each zone.

use std::rc::Rc;

use crate::{
    bridge,
    view::parts::{Button, hidden_caption, note},
};
use spillgate_mesh::traffic::{TrafficMatrix, traffic_csv, traffic_markdown, traffic_svg};
use spillgate_scenario::{ShortNames, change, decimal};
use yew::prelude::*;

use super::zone_losses::zone_losses;
use crate::view::screens::what_if::{Stage, ZonesTraffic};

/// Differences that are not shown.
const NOTHING: f64 = 0.05;

/// The longest names of zones that are shown whole, relative to the font size.
const ZONE_ROOM: f64 = 11.0;

#[derive(PartialEq, Properties)]
pub(super) struct TrafficProps {
    pub(super) stage: Rc<Stage>,
    pub(super) traffic: Rc<ZonesTraffic>,
    /// The traffic after the loss.
    pub(super) after: TrafficMatrix,
    /// Called with the index of the cluster to show.
    pub(super) on_cluster: Callback<usize>,
}

/// The matrix, texts to copy, and the loss of each zone. A click on a row shows the cluster of its proxies.
#[component]
pub(super) fn Traffic(props: &TrafficProps) -> Html {
    let TrafficProps {
        stage,
        traffic,
        after,
        on_cluster,
    } = props;
    let message = use_state(String::new);
    let copies = [
        ("SVG", traffic_svg as fn(&[_]) -> String),
        ("Markdown", traffic_markdown),
        ("CSV", traffic_csv),
    ]
    .into_iter()
    .map(|(name, write)| {
        let (after, message) = (after.clone(), message.setter());
        let copy = Callback::from(move |_: MouseEvent| {
            let message = message.clone();
            let text = write(std::slice::from_ref(&after));
            bridge::copy(&text, move |result| message.set(result.to_string()));
        });
        Button {
            class: "",
            test: Some(format!("zones-copy-{name}")),
            name: Some(format!("Copy the table as {name}")),
            text: name.into(),
            disabled: false,
            onclick: copy,
        }
        .view()
    });
    let names = traffic.names.iter();
    let names = names.chain(stage.views.views.iter().map(|view| &view.zone));
    let short = ShortNames::of(names.map(String::as_str), ZONE_ROOM);
    html! {
        <div class="traffic">
            <h3>{ "Where the requests of each zone go" }</h3>
            { matrix(stage, traffic, after, &short, on_cluster) }
            <p class="copies">{ "Copy as " }{ for copies }</p>
            <p class="note" data-said="yes">{ (*message).clone() }</p>
            { zone_losses(traffic, &short) }
        </div>
    }
}

fn matrix(
    stage: &Stage,
    traffic: &ZonesTraffic,
    after: &TrafficMatrix,
    short: &ShortNames,
    on_cluster: &Callback<usize>,
) -> Html {
    let columns = traffic.names.iter().map(|zone| {
        html! { <th scope="col"><span title={zone.clone()}>{ short.get(zone).to_owned() }</span></th> }
    });
    let rows = after
        .rows
        .iter()
        .zip(&traffic.before.rows)
        .zip(&stage.views.views);
    let rows = rows.map(|((after, before), view)| {
        let cluster = view.cluster;
        let is_shown = cluster == stage.scenario.root();
        let show = Button {
            class: "figure",
            test: Some(format!("zones-show-{}", view.zone)),
            name: Some(format!("See the losses of the proxies in {}", view.zone)),
            text: short.get(&view.zone).to_owned(),
            disabled: false,
            onclick: on_cluster.reform(move |_: MouseEvent| cluster),
        };
        let names = traffic.names.iter().map(String::as_str);
        let shares = names.zip(before.to.iter().zip(&after.to));
        let shares =
            shares.map(|(to, (before, after))| cell(&view.zone, to, *before, *after, "share"));
        html! {
            <tr key={view.zone.clone()} class={is_shown.then_some("shown")}>
                <th scope="row"><span title={view.zone.clone()}>{ show.view() }</span></th>
                { for shares }
                { cell(&view.zone, "no host", before.no_host, after.no_host, "none") }
                { cell(&view.zone, "priorities in panic mode", before.panic, after.panic, "none") }
            </tr>
        }
    });
    html! {
        <>
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
            { note("Each row: the requests of the proxies in one zone, in percent, by the zone of the host that gets them, with the change by the loss. Select a zone to see the losses from the point of view of its proxies.".into()) }
        </>
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
