//! The answer for all zones as text.

use spillgate_mesh::traffic::{
    TrafficMatrix, TrafficRow, largest_crossing, largest_in_panic, largest_shares_text,
    largest_without_host, share_change,
};

use super::zone_loss::ZonesAnswer;
use crate::{
    split::{Style, lines, number, percent, table, text},
    what_if::text::expectation_table,
};

/// The whole answer.
pub(super) fn write(answer: &ZonesAnswer, style: Style) -> String {
    let mut parts = vec![headline(answer)];
    for (before, after) in answer.before.iter().zip(&answer.after) {
        parts.push(traffic(before, after, style));
    }
    parts.extend(failures(answer, style));
    parts.extend(expectation_table(&answer.expectations, style));
    parts.join("\n")
}

fn headline(answer: &ZonesAnswer) -> String {
    let mut out = String::new();
    if answer.losses.is_empty() {
        out.push_str("Without a loss:");
    } else {
        let lost = answer.lost.iter().filter(|(_, (lost, _))| *lost > 0);
        let lost: Vec<String> = lost
            .map(|(zone, (lost, hosts))| format!("{lost} of {hosts} hosts in {zone}"))
            .collect();
        out.push_str(&format!("After losing {}:", lost.join(", ")));
    }
    out.push(' ');
    out.push_str(&largest_shares_text(&answer.after));
    out.push_str(".\n");
    let kept = answer.kept_failures.iter();
    if let Some(worst) = kept.max_by(|one, other| one.failed.total_cmp(&other.failed)) {
        out.push_str(&format!(
            "If only outlier detection notices the loss, maxEjectionPercent keeps lost hosts in use: up \
             to {:.1} % of the requests ({} to {}) reach them.\n",
            worst.failed, worst.from, worst.destination
        ));
    }
    out
}

/// The shares of a destination, before and after if they differ.
fn traffic(before: &TrafficMatrix, after: &TrafficMatrix, style: Style) -> String {
    let head: Vec<&str> = ["from \\ to"]
        .into_iter()
        .chain(after.zones.iter().map(String::as_str))
        .chain(["no host"])
        .collect();
    let mut table = table(style, &head);
    for (was, is) in before.rows.iter().zip(&after.rows) {
        let cells = shares(was)
            .zip(shares(is))
            .map(|(was, is)| share_change(was, is));
        table.add_row([text(&is.from)].into_iter().chain(cells.map(number)));
    }
    format!(
        "{} (percent of each zone's requests)\n{}",
        after.destination,
        lines(&table)
    )
}

fn shares(row: &TrafficRow) -> impl Iterator<Item = f64> {
    row.to.iter().copied().chain([row.no_host])
}

/// The loss of whole zones.
fn failures(answer: &ZonesAnswer, style: Style) -> Option<String> {
    if answer.n_minus.is_empty() {
        return None;
    }
    let head = [
        "lost zones",
        "no host %",
        "of",
        "panic %",
        "of",
        "largest crossing %",
        "",
        "survives",
    ];
    let mut table = table(style, &head);
    for failure in &answer.n_minus {
        let none = largest_without_host(&failure.traffic);
        let panic = largest_in_panic(&failure.traffic);
        let crossing = largest_crossing(&failure.traffic);
        table.add_row([
            text(failure.zones.join(" and ")),
            percent(none.as_ref().map_or(0.0, |largest| largest.share)),
            text(none.map_or("", |largest| largest.from)),
            percent(panic.as_ref().map_or(0.0, |largest| largest.share)),
            text(panic.map_or("", |largest| largest.from)),
            percent(crossing.as_ref().map_or(0.0, |largest| largest.share)),
            text(crossing.map_or(String::new(), |of| format!("{} → {}", of.from, of.to))),
            text(if failure.survives() { "yes" } else { "NO" }),
        ]);
    }
    Some(lines(&table))
}
