//! The split as a table.

use spillgate_core::visible::escaped;
use spillgate_scenario::{ScenarioOutcome, count, decimal, healthy_cell, panic_cell, whole};

use crate::markup::{swatch, table};

/// One row for each priority, and one for the requests without a host.
pub(crate) fn split_table(outcome: &ScenarioOutcome, prefix: &str) -> String {
    let differ = outcome.shares_differ_from_loads();
    let mut columns = vec!["priority", "hosts", "healthy", "load"];
    columns.extend(differ.then_some("traffic"));
    columns.push("panic");
    let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
    let rows = outcome.priorities().iter().map(|row| {
        let mut cells = vec![
            swatch(prefix, row.place) + &escaped(&row.name),
            count(row.hosts.len()),
            healthy_cell(row),
            whole(row.row.load()),
        ];
        cells.extend(differ.then(|| decimal(row.share())));
        cells.push(panic_cell(outcome, row).into());
        cells
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    if outcome.no_host() > 0.05 {
        let mut cells = vec!["no host (503)".into()];
        cells.resize(columns.len() - 2, String::new());
        cells.push(decimal(outcome.no_host()));
        cells.push(String::new());
        rows.push(cells);
    }
    table("Split by priority", &columns, &rows)
}
