//! The changes over the time as a table.

use spillgate_scenario::fixed;
use yew::prelude::*;

use crate::view::{
    parts::{cell, head, hidden_caption, named, row, scrolled},
    screens::{
        incident::{ChangeLine, ShownIncident, change_lines},
        over_time::seconds,
    },
};

/// More changes are behind a summary.
const SHOWN: usize = 30;
/// More changes are not in the tables.
const LISTED: usize = 200;

/// The table of the first run.
pub(super) fn change_table(run: &ShownIncident) -> Html {
    let mut lines = change_lines(&run.record);
    let left_out = lines.len().saturating_sub(LISTED);
    lines.truncate(LISTED);
    let (shown, more) = lines.split_at(lines.len().min(SHOWN));
    let runs = run.record.runs;
    html! {
        <section aria-label="What changes" class="changes">
            <h3>{ "What changes" }</h3>
            if runs > 1 {
                <p class="note">{ format!("The first of {runs} runs, which the pictures show, too; the answers are about all of them.") }</p>
            }
            { scrolled("Table: what changes", table(run, shown, "incident-changes")) }
            if !more.is_empty() {
                <details class="more">
                    <summary>{ format!("{} more changes", more.len() + left_out) }</summary>
                    { scrolled("Table: what changes later", table(run, more, "incident-later-changes")) }
                    if left_out > 0 {
                        <p class="note">{ format!("The last {left_out} are not in this table.") }</p>
                    }
                </details>
            }
        </section>
    }
}

fn table(run: &ShownIncident, lines: &[ChangeLine<'_>], test: &'static str) -> Html {
    let rows = lines.iter().enumerate().map(|(place, line)| {
        let usable = line
            .state
            .map(|of| format!("{}/{}", of.usable.0, of.usable.1));
        let failed = line.state.map(|of| fixed(of.failed));
        row(
            place.to_string(),
            None,
            vec![
                cell("", None, seconds(line.at / 1_000).into()),
                cell("text", None, named(&run.names, line.text)),
                cell("", None, usable.unwrap_or_default().into()),
                cell("", None, failed.unwrap_or_default().into()),
            ],
        )
    });
    html! {
        <table class="figures" data-test={test}>
            { hidden_caption("What changes, by time") }
            { head(&[("", "time"), ("text", "change"), ("", "usable"), ("", "failed/s")]) }
            <tbody>{ for rows }</tbody>
        </table>
    }
}
