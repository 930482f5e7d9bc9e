//! A cluster on both sides: what differs, both spillways, and how its requests move.

use spillgate_diff::{DiffRow, TrafficOwner};
use spillgate_scenario::{PageLayout, PageMessage, ShortNames};
use yew::prelude::*;

use super::ribbons::ribbons;
use crate::view::{
    parts::{DrawnOutcome, cell, head, hidden_caption, note, row, scrolled, spillway_figure},
    screens::compare::{ComparedCluster, ComparedOutcome},
};

/// The cluster.
pub(super) fn cluster(of: &ComparedCluster) -> Html {
    let names = ShortNames::default();
    let names = of
        .after
        .as_ref()
        .or(of.before.as_ref())
        .map_or(&names, |side| &side.names);
    let by_priority = of
        .traffic
        .iter()
        .filter(|(owner, _)| *owner == TrafficOwner::Priority);
    let by_locality = of
        .traffic
        .iter()
        .filter(|(owner, _)| *owner == TrafficOwner::Locality);
    let [before, after] = &of.unknown;
    html! {
        <section class="compared" aria-labelledby="compared-cluster">
            <h3 id="compared-cluster" data-test="compare-cluster-name">{ "Cluster " }<b>{ &of.name }</b></h3>
            <p class="sub" data-test="compare-effect">{ sentence(&of.effect) }</p>
            <div class="both">
                { picture("compare-before", "Before", of.before.as_ref(), before.as_deref()) }
                { for by_priority.map(|(owner, change)| ribbons(*owner, change, names)) }
                { picture("compare-after", "After", of.after.as_ref(), after.as_deref()) }
            </div>
            { differences(&of.rows) }
            { for by_locality.map(|(owner, change)| ribbons(*owner, change, names)) }
            if of.has_subsets {
                { note("The pictures show requests without subset criteria.".into()) }
            }
        </section>
    }
}

/// A text with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// The spillway of a side, or the reason why it has none; `unknown` is the cluster whose hosts are not known.
fn picture(
    test: &'static str,
    title: &'static str,
    side: Option<&ComparedOutcome>,
    unknown: Option<&str>,
) -> Html {
    let choose = Callback::noop();
    let figure = match (side, unknown) {
        (None, Some(cluster)) => note(PageMessage::HostsUnknown(cluster).to_string()),
        (None, None) => note("This side does not have this cluster.".into()),
        (Some(side), _) => spillway_figure(
            &DrawnOutcome {
                scenario: &side.scenario,
                outcome: &side.outcome,
                names: &side.names,
                selected: None,
                choose: &choose,
            },
            PageLayout::Narrow,
        ),
    };
    html! {
        <div class="pictures" data-test={test}>
            <h4>{ title }</h4>
            { figure }
        </div>
    }
}

/// The rows of the report.
fn differences(rows: &[DiffRow]) -> Html {
    if rows.is_empty() {
        return html! {};
    }
    let shown = rows.iter().enumerate().map(|(at, of)| {
        let cells = vec![
            html! { <th scope="row">{ &of.name }</th> },
            cell("text", None, of.text.replace(" -> ", " \u{2192} ").into()),
        ];
        row(at.to_string(), None, cells)
    });
    let table = html! {
        <table class="figures" data-test="compare-rows">
            { hidden_caption("What differs") }
            { head(&[("", "what"), ("text", "change")]) }
            <tbody>{ for shown }</tbody>
        </table>
    };
    scrolled("What differs", table)
}
