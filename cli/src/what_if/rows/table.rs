//! The table of several clusters, at most a screen of it.

use comfy_table::{Cell, Color};
use spillgate_core::visible::visible;
use spillgate_explain::format::{plain, plural, some_names};

use spillgate_sim::ZoneLoss;

use super::{
    ClusterRows,
    row::{NoRowFigures, Row, RowFigures},
    verdict::verdict,
    zone_loss,
};
use crate::{
    split::{Style, lines, number, percent, table, text},
    what_if::{inquiry::Inquiry, loss_report::Expected, text::rounded},
};

/// The lines of a screen; `--all` prints more.
const SCREEN: usize = 24;
/// The lines of the verdict and of the table's head, with the empty one between them.
const HEAD: usize = 4;
/// The maximum number of names in a line.
const MOST_NAMED: usize = 6;

/// The cell of a row with figures.
type CellOf<'c> = Box<dyn Fn(&Row, &RowFigures) -> Cell + 'c>;

/// A column.
struct Column<'c> {
    head: &'static str,
    cell: CellOf<'c>,
}

/// The verdict, the rows, and a line for each kind of cluster without a row.
pub(super) fn write(clusters: &[ClusterRows], inquiry: &Inquiry<'_>, style: Style) -> String {
    let all = inquiry.args.all;
    let (known, unknown): (Vec<&ClusterRows>, Vec<&ClusterRows>) =
        clusters.iter().partition(|cluster| cluster.has_figures());
    let every = all || zone_loss(&inquiry.asked).is_some();
    let affected = |cluster: &&ClusterRows| every || cluster.rows.iter().any(Row::is_affected);
    let (shown, idle): (Vec<&ClusterRows>, Vec<&ClusterRows>) =
        known.into_iter().partition(affected);
    let mut notes = Vec::new();
    if !idle.is_empty() {
        let others = plural(idle.len(), "cluster");
        notes.push(text_line(&format!("not affected: {others}")));
    }
    notes.extend(without_figures(&unknown, all));
    notes.extend(limits(clusters, all));
    let mut rows = Vec::new();
    for cluster in &shown {
        rows.extend(cluster.rows.iter().map(|row| (cluster.name.as_str(), row)));
    }
    // One line for those that do not fit.
    let room = SCREEN.saturating_sub(HEAD + notes.len());
    if !all && rows.len() > room {
        let hidden = rows.len() - room.saturating_sub(1);
        rows.truncate(rows.len() - hidden);
        let more = plural(hidden, "more row");
        let more = format!("{more}, none of them worse; --all lists all");
        notes.insert(0, text_line(&more));
    }
    let mut out = verdict(clusters, &inquiry.asked);
    if !rows.is_empty() {
        out.push('\n');
        out.push_str(&drawn(&rows, inquiry, style));
    }
    out + &notes.concat()
}

fn drawn(rows: &[(&str, &Row)], inquiry: &Inquiry<'_>, style: Style) -> String {
    let columns = columns(inquiry, style);
    let heads: Vec<&str> = ["cluster"]
        .into_iter()
        .chain(columns.iter().map(|column| column.head))
        .collect();
    let mut table = table(style, &heads);
    for (name, row) in rows {
        let name = match row.client {
            Some(client) => format!("{name} ({client})"),
            None => (*name).to_owned(),
        };
        let cells = columns.iter().map(|column| match &row.figures {
            Ok(figures) => (column.cell)(row, figures),
            Err(_) => text("unknown"),
        });
        table.add_row([text(name)].into_iter().chain(cells));
    }
    lines(&table)
}

/// The columns that the question has.
fn columns<'c>(inquiry: &'c Inquiry<'_>, style: Style) -> Vec<Column<'c>> {
    let (args, asked) = (inquiry.args, &inquiry.asked);
    let mut columns = Vec::new();
    let mut add = |head, cell: CellOf<'c>| {
        columns.push(Column { head, cell });
    };
    if args.lose.is_empty() {
        add("hosts", Box::new(|_, of| number(of.hosts)));
    } else {
        let lost = |of: &RowFigures| format!("{} of {}", of.lost, of.hosts);
        add("lost", Box::new(move |_, of| number(lost(of))));
    }
    if !args.add.is_empty() {
        add("added", Box::new(|_, of| number(of.added)));
    }
    let zones = zone_loss(asked);
    let has_change = !(args.lose.is_empty() && args.add.is_empty() && args.set.is_empty());
    if has_change || zones.is_none() {
        add("no host %", Box::new(|_, of| percent(of.no_host)));
        add("panic", Box::new(|_, of| text(of.panic.join(", "))));
    }
    if has_change {
        add("moved %", Box::new(|_, of| number(of.moved)));
        let ratio = |of: &RowFigures| {
            of.overload
                .map_or_else(String::new, |of| format!("{of:.2}"))
        };
        add("overload", Box::new(move |_, of| number(ratio(of))));
    }
    if !args.add.is_empty() || !args.set.is_empty() {
        let moved = |share: Option<f64>| share.map_or_else(|| text(""), percent);
        add("keys moved %", Box::new(move |_, of| moved(of.keys_moved)));
    }
    if !args.failed.is_empty() {
        let success = |share: Option<f64>| share.map_or_else(|| text(""), percent);
        add("success %", Box::new(move |_, of| success(of.success)));
    }
    if let Some(zones) = zones {
        let (worst, head) = match zones {
            ZoneLoss::Single => ("no host % (N-1)", "survives N-1"),
            ZoneLoss::Pairs => ("no host % (N-2)", "survives N-2"),
        };
        let no_host = |of: &RowFigures| of.zones.as_ref().map(|zones| zones.no_host);
        add(
            worst,
            Box::new(move |_, of| no_host(of).map_or_else(|| text(""), percent)),
        );
        add(head, Box::new(move |_, of| survives(of, style)));
    }
    if !asked.expectations.is_empty() {
        add(
            "failed expectations",
            Box::new(move |row, _| failed(row, style)),
        );
    }
    columns
}

fn survives(figures: &RowFigures, style: Style) -> Cell {
    match &figures.zones {
        None => text("too few zones"),
        Some(zones) if zones.fatal.is_empty() => text("yes"),
        Some(zones) => red(
            format!("NO: {}", some_names(&zones.fatal, MOST_NAMED)),
            style,
        ),
    }
}

/// The failed expectations with their figures, or their reasons.
fn failed(row: &Row, style: Style) -> Cell {
    let one = |expected: &Expected| match (&expected.reason, expected.value) {
        (Some(reason), _) => format!("{} ({reason})", expected.expr),
        (None, Some(value)) => format!("{} ({})", expected.expr, rounded(value)),
        (None, None) => expected.expr.clone(),
    };
    let failed: Vec<String> = row.failed().map(one).collect();
    red(failed.join(", "), style)
}

fn red(content: String, style: Style) -> Cell {
    match style {
        Style::Colored => text(content).fg(Color::Red),
        Style::Plain | Style::Markdown => text(content),
    }
}

/// A line for each reason for which clusters have no figures.
fn without_figures(clusters: &[&ClusterRows], all: bool) -> Vec<String> {
    let most = if all { usize::MAX } else { MOST_NAMED };
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for cluster in clusters {
        let why = cluster
            .rows
            .iter()
            .find_map(|row| row.figures.as_ref().err());
        let reason = match why {
            Some(NoRowFigures::NoHosts) | None => "no hosts",
            Some(NoRowFigures::Unknown(reason)) => reason,
        };
        let name = cluster.name.clone();
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason.to_owned(), vec![name])),
        }
    }
    let line = |(reason, names): (String, Vec<String>)| {
        let count = plural(names.len(), "cluster");
        text_line(&format!(
            "no figures of {count}: {reason}: {}",
            some_names(&names, most)
        ))
    };
    reasons.into_iter().map(line).collect()
}

/// The clusters with settings that are not modeled.
fn limits(clusters: &[ClusterRows], all: bool) -> Option<String> {
    let most = if all { usize::MAX } else { MOST_NAMED };
    let limited = clusters.iter().filter(|cluster| cluster.limits > 0);
    let names: Vec<String> = limited.map(|cluster| cluster.name.clone()).collect();
    (!names.is_empty()).then(|| {
        let names = some_names(&names, most);
        text_line(&format!(
            "can differ: settings that are not modeled concern {names}; --cluster NAME explains them"
        ))
    })
}

fn text_line(line: &str) -> String {
    visible(&plain(line)).into_owned() + "\n"
}
