//! The changes over the time as a table.

use yew::prelude::*;

use crate::view::{
    parts::{cell, head, hidden_caption, named, row, scrolled},
    screens::{
        incident::ShownIncident,
        over_time::{decimals, seconds},
    },
};

/// More changes are not in the table.
const LISTED: usize = 200;

/// The table of the first run.
pub(super) fn change_table(run: &ShownIncident) -> Html {
    let rows = run.record.rows.iter().flat_map(|of| {
        let failed = decimals((of.failed * 1_000.0 + 0.5) as u64);
        let usable = format!("{}/{}", of.usable.0, of.usable.1);
        of.changes
            .iter()
            .map(move |(at, text)| (*at, text, usable.clone(), failed.clone()))
    });
    let rows: Vec<_> = rows.collect();
    let more = rows.len().saturating_sub(LISTED);
    let shown = rows.into_iter().take(LISTED).enumerate();
    let shown = shown.map(|(at, (time, text, usable, failed))| {
        row(
            at.to_string(),
            None,
            vec![
                cell("", None, seconds(time / 1_000).into()),
                cell("text", None, named(&run.names, text)),
                cell("", None, usable.into()),
                cell("", None, failed.into()),
            ],
        )
    });
    let table = html! {
        <table class="figures" data-test="incident-changes">
            { hidden_caption("What changes, by time") }
            { head(&[("", "time"), ("text", "change"), ("", "usable"), ("", "failed/s")]) }
            <tbody>{ for shown }</tbody>
        </table>
    };
    let runs = run.record.runs;
    html! {
        <section aria-label="What changes">
            <h3>{ "What changes" }</h3>
            if runs > 1 {
                <p class="note">{ format!("The first of {runs} runs, which the pictures show, too; the answers are about all of them.") }</p>
            }
            <div class="changes">{ scrolled("Table: what changes", table) }</div>
            if more > 0 {
                <p class="note">{ format!("{more} more changes.") }</p>
            }
        </section>
    }
}
