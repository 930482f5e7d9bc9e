//! The tables of `incident`.

use spillgate_explain::format::{fixed, plain};
use spillgate_incident::{IncidentReport, TimelineRow, change_text, percent_text, requests_text};

use super::{
    answer::IncidentAnswer,
    args::IncidentArgs,
    comparison::Comparison,
    figures::{longest, seconds},
};
use crate::split::{Style, lines, number, table, text};

/// The rows of a timeline unless `--all`.
const SCREEN: usize = 16;
/// The characters of a change in a table for a terminal of 80 columns.
const CHANGE: usize = 30;
/// The characters that are left of a cut change before its host.
const KIND: usize = 9;

/// The timeline of the first run. A change is a line of its own.
pub(super) fn timeline(report: &IncidentReport, args: &IncidentArgs, style: Style) -> String {
    let mut table = table(
        style,
        &["time", "change", "usable", "load", "failed/s", "max/s"],
    );
    let all = changed_rows(&report.rows);
    let (rows, left) = shown(&all, args);
    for row in rows {
        let changes = row.changes.iter().map(|change| {
            let text = change_text(change, &report.events);
            (change.first, text)
        });
        let mut changes: Vec<_> = changes.collect();
        // The state begins when the workers have it, which can be later than the changes.
        if changes.last().is_none_or(|(time, _)| *time < row.from) {
            changes.push((row.from, "updated hosts reach the workers".into()));
        }
        let last = changes.len() - 1;
        for (at, (time, change)) in changes.into_iter().enumerate() {
            let own = |cell: String| if at == last { cell } else { String::new() };
            table.add_row(vec![
                number(short_time(time)),
                text(match style {
                    Style::Markdown => change,
                    Style::Plain | Style::Colored => cut(&change),
                }),
                number(own(usable(row))),
                text(own(loads(row))),
                number(own(fixed(row.failed))),
                number(own(fixed(row.highest))),
            ]);
        }
    }
    let mut out = lines(&table);
    if left > 0 {
        out.push_str(&format!("{left} more rows: --all\n"));
    }
    out
}

/// The rows without a first one at 0 that no change precedes, and without those in which only sessions moved and the table
/// shows the same figures.
fn changed_rows(rows: &[TimelineRow]) -> Vec<&TimelineRow> {
    let rows = match rows {
        [first, rest @ ..]
            if first.from.is_zero() && first.changes.is_empty() && !rest.is_empty() =>
        {
            rest
        }
        all => all,
    };
    let figures = |row: &TimelineRow| (fixed(row.failed), fixed(row.highest));
    let mut changed: Vec<&TimelineRow> = Vec::new();
    for row in rows {
        let is_same = |last: &&TimelineRow| figures(last) == figures(row);
        if !row.only_moves_sessions() || !changed.last().is_some_and(is_same) {
            changed.push(row);
        }
    }
    changed
}

/// The first rows and the last one, or all of them; and how many are left out.
fn shown<'r>(rows: &[&'r TimelineRow], args: &IncidentArgs) -> (Vec<&'r TimelineRow>, usize) {
    if args.all || rows.len() <= SCREEN {
        return (rows.to_vec(), 0);
    }
    let first = rows.iter().take(SCREEN - 1);
    let shown: Vec<&TimelineRow> = first.chain(rows.last()).copied().collect();
    let left = rows.len() - shown.len();
    (shown, left)
}

/// A time in seconds, with three decimals.
fn short_time(time: std::time::Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// The usable hosts of all hosts.
fn usable(row: &TimelineRow) -> String {
    format!(
        "{}/{}",
        row.hosts.healthy + row.hosts.degraded,
        row.hosts.hosts
    )
}

/// The load of each priority in percent; panic mode as `!`.
pub(super) fn loads(row: &TimelineRow) -> String {
    let loads = row.priorities.iter().map(|priority| {
        let panic = if priority.panic { "!" } else { "" };
        format!("{}{panic}", priority.load)
    });
    loads.collect::<Vec<_>>().join(" ")
}

/// A change that fits its column: the end of a long one is left out, but not the host of one.
fn cut(change: &str) -> String {
    let length = |text: &str| text.chars().count();
    if length(change) <= CHANGE {
        return change.to_owned();
    }
    let (kind, host) = match change.rsplit_once(": ") {
        Some((kind, host)) => (kind, format!(": {host}")),
        None => (change, String::new()),
    };
    let room = CHANGE.saturating_sub(1 + length(&host));
    let (kind, room, host) = if room < KIND {
        (change, CHANGE - 1, String::new())
    } else {
        (kind, room, host)
    };
    let kept: String = kind.chars().take(room).collect();
    format!("{}…{host}", kept.trim_end())
}

/// One line for each cluster with the figures of its worst run, worst first.
pub(super) fn clusters(answer: &IncidentAnswer, args: &IncidentArgs, style: Style) -> String {
    let mut table = table(
        style,
        &[
            "cluster",
            "failing",
            "noticed",
            "failed",
            "failed %",
            "panic",
            "as before",
        ],
    );
    let reports = answer.clusters.iter().map(|of| &of.report);
    let mut reports: Vec<&IncidentReport> = reports.collect();
    reports.sort_by(|a, b| b.failed_percent.most.total_cmp(&a.failed_percent.most));
    let most = if args.all { usize::MAX } else { SCREEN };
    let left = reports.len().saturating_sub(most);
    for report in reports.into_iter().take(most) {
        table.add_row(vec![
            text(&report.cluster),
            number(report.failing),
            number(longest(&report.detected_last)),
            number(requests_text(report.failed.most)),
            number(percent_text(report.failed_percent.most)),
            number(seconds(&report.panic_seconds)),
            number(longest(&report.recovered)),
        ]);
    }
    let mut out = lines(&table);
    if left > 0 {
        out.push_str(&format!("{left} more clusters: --all\n"));
    }
    out
}

/// The compared cases with the figures of their worst runs.
pub(super) fn comparison(comparison: &Comparison, style: Style) -> String {
    let several = comparison.cases.iter().any(|case| {
        let first = comparison.cases.first();
        first.is_some_and(|first| first.report.cluster != case.report.cluster)
    });
    let mut head = vec![comparison.subject.as_str()];
    if several {
        head.insert(0, "cluster");
    }
    head.extend(["noticed", "failed", "failed %", "panic", "as before"]);
    let mut table = table(style, &head);
    for case in &comparison.cases {
        let report = &case.report;
        let mut row = vec![
            text(plain(&case.name)),
            number(longest(&report.detected_last)),
            number(requests_text(report.failed.most)),
            number(percent_text(report.failed_percent.most)),
            number(seconds(&report.panic_seconds)),
            number(longest(&report.recovered)),
        ];
        if several {
            row.insert(0, text(&report.cluster));
        }
        table.add_row(row);
    }
    lines(&table)
}
