//! `spillgate incident --format csv`: one line for each row of the timelines, with full precision.

use std::fmt::Write as _;

use spillgate_core::visible::csv_field;
use spillgate_incident::change_text;

use super::{answer::IncidentAnswer, tables::loads};

/// The rows under a heading. Times are in seconds; requests are per second; loads by priority, panic mode as `!`.
pub(super) fn write(answer: &IncidentAnswer) -> String {
    let mut out = String::from(
        "cluster,from,hosts,healthy,degraded,ejected,failed_checks,loads,rps,failed,retried,no_host,refused,highest,sessions_moved,sessions_concerned,changes\n",
    );
    for report in answer.clusters.iter().map(|of| &of.report) {
        for row in &report.rows {
            let changes = row.changes.iter();
            let changes = changes.map(|change| change_text(change, &report.events));
            // Writing to a text cannot fail.
            let _ = writeln!(
                out,
                "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                csv_field(&report.cluster),
                row.from.as_secs_f64(),
                row.hosts.hosts,
                row.hosts.healthy,
                row.hosts.degraded,
                row.hosts.ejected,
                row.hosts.failed_checks,
                csv_field(&loads(row)),
                row.rps,
                row.failed,
                row.retried,
                row.no_host,
                row.refused,
                row.highest,
                row.moved,
                row.concerned,
                csv_field(&changes.collect::<Vec<_>>().join("; ")),
            );
        }
    }
    out
}
