//! Predicted and observed shares of the priorities, as bars and as a table.

use crate::view::parts::{cell, head, hidden_caption, row, scrolled, swatch};
use spillgate_observe::{Agreement, ObservedShare};
use spillgate_scenario::{change, count, decimal, fixed};
use yew::prelude::*;

use crate::view::screens::{
    live::{ComparedPriority, LiveComparison, sentences::verdict},
    stacked_bars::{StackedBar, StackedSegment, stacked_bars},
};

/// One bar for the prediction and one for the requests.
pub(super) fn bars(compared: &LiveComparison, headline: &str) -> Html {
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
    )
}

/// The same as a table, with the confidence bands.
pub(super) fn table(compared: &LiveComparison) -> Html {
    let priorities = compared.priorities.iter().enumerate();
    let rows = priorities.map(|(place, priority)| {
        let (all, healthy) = priority.hosts_healthy;
        let compared = ComparedRow {
            header: html! { <th scope="row">{ swatch(place) }{ &priority.name }</th> },
            predicted: priority.predicted,
            observed: priority.observed,
            agreement: priority.agreement(),
            hosts: ("", "hosts", format!("{healthy} of {all}")),
        };
        compared.view(place, &format!("live-PART-{}", priority.id))
    });
    let titles = ("priority", ("", "healthy"));
    compared_table(
        "Predicted and observed shares of the priorities",
        titles,
        rows.collect(),
    )
}

/// A row of a comparison.
pub(super) struct ComparedRow {
    pub(super) header: Html,
    /// In percent.
    pub(super) predicted: f64,
    pub(super) observed: ObservedShare,
    pub(super) agreement: Agreement,
    /// The class, the name for tests and the text of the last cell.
    pub(super) hosts: (&'static str, &'static str, String),
}

impl ComparedRow {
    /// The row at a place of its table. `test` becomes the `data-test` of each cell, with the name of the cell in the place of `PART`.
    pub(super) fn view(self, place: usize, test: &str) -> Html {
        let name = |part: &str| Some(test.replace("PART", part));
        let dash = || String::from("\u{2013}");
        let share = self.observed.share().map(|share| share * 100.0);
        let band = self.observed.band().map(|band| {
            let (low, high) = (fixed(band.low * 100.0), fixed(band.high * 100.0));
            format!("{low} to {high}\u{a0}%")
        });
        let difference = share.map(|share| change(share - self.predicted));
        let (class, mark, word) = verdict(self.agreement);
        let verdict = html! {
            <span class={classes!("verdict-mark", class)}><span aria-hidden="true">{ mark }</span>{ "\u{a0}" }{ word }</span>
        };
        let (class, part, hosts) = self.hosts;
        let cells = vec![
            self.header,
            cell("", name("predicted"), decimal(self.predicted).into()),
            cell(
                "",
                name("observed"),
                share.map_or_else(dash, decimal).into(),
            ),
            cell("text", name("verdict"), verdict),
            cell("", name("band"), band.unwrap_or_else(dash).into()),
            cell(
                "",
                name("difference"),
                difference.unwrap_or_else(dash).into(),
            ),
            cell("", name("requests"), requests(self.observed.count).into()),
            cell(class, name(part), hosts.into()),
        ];
        row(place.to_string(), None, cells)
    }
}

/// A table of such rows, which scrolls in narrow windows. The titles are those of the first and the last column.
pub(super) fn compared_table(
    caption: &'static str,
    (first, last): (&'static str, (&'static str, &'static str)),
    rows: Vec<Html>,
) -> Html {
    let columns = [
        ("", first),
        ("", "predicted"),
        ("", "observed"),
        ("text", "verdict"),
        ("", "95\u{a0}% band"),
        ("", "difference"),
        ("", "requests"),
        last,
    ];
    let table = html! {
        <table class="figures">
            { hidden_caption(caption) }
            { head(&columns) }
            <tbody>{ for rows }</tbody>
        </table>
    };
    scrolled(caption, table)
}

/// A number of requests.
pub(super) fn requests(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX))
}
