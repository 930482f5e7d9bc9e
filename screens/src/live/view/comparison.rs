//! Predicted and observed shares of the priorities, as bars and as a table.

use spillgate_observe::{Agreement, ObservedShare};
use spillgate_playground::{
    state::{Size, change, count, decimal, fixed},
    view::parts::{cell, head, hidden_caption, row, swatch},
};
use yew::prelude::*;

use crate::{
    live::{ComparedPriority, LiveComparison, sentences::verdict},
    stacked_bars::{StackedBar, StackedSegment, stacked_bars},
};

/// One bar for the prediction and one for the requests.
pub(super) fn bars(compared: &LiveComparison, headline: &str, size: Size) -> Html {
    let bar = |label: &'static str, share: &dyn Fn(&ComparedPriority) -> f64| {
        let segments = compared.priorities.iter().map(|priority| {
            let width = share(priority);
            let name = priority.name.rsplit(' ').next().unwrap_or_default();
            StackedSegment {
                width,
                text: format!("{name} {}", decimal(width)),
            }
        });
        StackedBar {
            label,
            segments: segments.collect(),
        }
    };
    let observed = |priority: &ComparedPriority| priority.observed.share().unwrap_or(0.0) * 100.0;
    stacked_bars(
        headline,
        vec![
            bar("predicted", &|priority| priority.predicted),
            bar("observed", &observed),
        ],
        size,
    )
}

/// The same as a table, with the confidence bands.
pub(super) fn table(compared: &LiveComparison) -> Html {
    let rows = compared
        .priorities
        .iter()
        .enumerate()
        .map(|(place, priority)| {
            let test = |what: &str| Some(format!("live-{what}-{}", priority.id));
            let (all, healthy) = priority.hosts_healthy;
            let mut cells = vec![
                html! { <th scope="row">{ swatch(place) }{ &priority.name }</th> },
                cell("", test("hosts"), format!("{healthy} of {all}").into()),
                cell(
                    "",
                    test("requests"),
                    requests(priority.observed.count).into(),
                ),
            ];
            cells.extend(shares(
                priority.predicted,
                priority.observed,
                priority.agreement(),
                &test,
            ));
            row(priority.id.clone(), None, cells)
        });
    let columns = [
        ("", "priority"),
        ("", "healthy"),
        ("", "requests"),
        ("", "predicted"),
        ("", "observed"),
        ("", "95\u{a0}% band"),
        ("", "difference"),
        ("", "verdict"),
    ];
    html! {
        <div class="scroll" role="region" tabindex="0" aria-label="Predicted and observed shares of the priorities">
            <table class="figures">
                { hidden_caption("Predicted and observed shares of the priorities") }
                { head(&columns) }
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

/// The cells of a comparison: predicted, observed, band, difference and verdict.
pub(super) fn shares(
    predicted: f64,
    observed: ObservedShare,
    agreement: Agreement,
    test: &dyn Fn(&str) -> Option<String>,
) -> Vec<Html> {
    let dash = || String::from("\u{2013}");
    let share = observed.share().map(|share| share * 100.0);
    let band = observed.band().map(|band| {
        format!(
            "{} to {}\u{a0}%",
            fixed(band.low * 100.0),
            fixed(band.high * 100.0)
        )
    });
    let (class, mark, word) = verdict(agreement);
    let verdict = html! {
        <span class={classes!("verdict-mark", class)}><span aria-hidden="true">{ mark }</span>{ "\u{a0}" }{ word }</span>
    };
    vec![
        cell("", test("predicted"), decimal(predicted).into()),
        cell(
            "",
            test("observed"),
            share.map_or_else(dash, decimal).into(),
        ),
        cell("", test("band"), band.unwrap_or_else(dash).into()),
        cell(
            "",
            test("difference"),
            share
                .map_or_else(dash, |share| change(share - predicted))
                .into(),
        ),
        cell("", test("verdict"), verdict),
    ]
}

/// A number of requests.
pub(super) fn requests(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX))
}
