//! The comparison as tables.

use comfy_table::{Cell, Color};
use spillgate_core::visible::visible;

use super::comparison::{ComparedCluster, ComparedShare, Comparison};
use crate::split::{Style, lines, number, percent, table, text};

/// Hosts that fit are listed up to this number.
const SHOWN: usize = 50;

/// The tables of all clusters with requests, and the notes. `interval` is the time as the user wrote it.
pub(super) fn write(
    comparison: &Comparison,
    notes: &[String],
    interval: &str,
    style: Style,
) -> String {
    let clusters = comparison
        .clusters
        .iter()
        .filter(|cluster| cluster.requests > 0);
    let mut parts: Vec<String> = clusters.map(|of| of_cluster(of, interval, style)).collect();
    if !notes.is_empty() {
        parts.push(notes.iter().map(|note| format!("Note: {note}\n")).collect());
    }
    parts.join("\n")
}

fn of_cluster(cluster: &ComparedCluster, interval: &str, style: Style) -> String {
    let differing = cluster.shares().filter(|share| !share.agrees()).count();
    let verdict = match differing {
        0 => "the prediction fits".to_owned(),
        1 => "1 share differs from the prediction".to_owned(),
        many => format!("{many} shares differ from the prediction"),
    };
    let heading = format!(
        "{}: {} requests in {interval}, {verdict}\n",
        visible(&cluster.name),
        cluster.requests
    );
    let mut tables = heading + &of_shares("priority", &cluster.priorities, style);
    let (mut hosts, mut hidden) = (Vec::new(), 0);
    for host in &cluster.hosts {
        if host.agrees() && hosts.len() >= SHOWN {
            hidden += 1
        } else {
            hosts.push(host)
        }
    }
    tables.push('\n');
    tables.push_str(&of_shares("endpoint", hosts, style));
    if hidden > 0 {
        tables.push_str(&format!(
            "({hidden} more endpoints fit; --format json lists them)\n"
        ));
    }
    tables
}

fn of_shares<'s>(
    head: &str,
    shares: impl IntoIterator<Item = &'s ComparedShare>,
    style: Style,
) -> String {
    let is_host = head == "endpoint";
    let mut head = vec![head, "requests", "observed %", "fits %", "predicted %", ""];
    if is_host {
        head.insert(1, "priority");
    }
    let mut table = table(style, &head);
    for share in shares {
        let mut row = Vec::new();
        if is_host {
            row.push(text(&share.address));
        }
        row.push(text(&share.name));
        row.push(number(share.observed.count));
        row.push(percent(share.observed.share().unwrap_or(0.0) * 100.0));
        row.push(number(share.band.map_or_else(String::new, |band| {
            format!("{:.1} to {:.1}", band.low * 100.0, band.high * 100.0)
        })));
        row.push(match share.predicted {
            Some(predicted) => percent(predicted * 100.0),
            None => number("not in the model"),
        });
        row.push(verdict(share, style));
        table.add_row(row);
    }
    lines(&table)
}

fn verdict(share: &ComparedShare, style: Style) -> Cell {
    match (share.agrees(), style) {
        (true, _) => text(""),
        (false, Style::Colored) => text("differs").fg(Color::Red),
        (false, _) => text("differs"),
    }
}
