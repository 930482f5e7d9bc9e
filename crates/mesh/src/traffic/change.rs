//! What changes between two traffic matrices of each destination, cell by cell.

use alloc::{
    collections::BTreeSet,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use super::{TrafficMatrix, TrafficRow, percent};

/// Differences of shares below this are rounding.
const ROUNDING: f64 = 1e-9;
/// Differences below this do not show in one decimal.
const SHOWN: f64 = 0.05;

/// Where the requests of a cell go.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrafficTarget {
    /// They find no host.
    NoHost,
    /// Priorities in panic mode; these requests are also in the cells of zones.
    Panic,
    /// The hosts of a zone.
    Zone(String),
}

/// A share that differs, in percent; `None` on a side without the destination or the zone of the proxies.
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficCellChange {
    /// The name of the destination.
    pub destination: String,
    /// The zone of the proxies.
    pub from: String,
    /// Where the requests go.
    pub to: TrafficTarget,
    /// The share before.
    pub before: Option<f64>,
    /// The share after.
    pub after: Option<f64>,
}

impl TrafficCellChange {
    /// The share after minus the one before.
    fn change(&self) -> f64 {
        self.after.unwrap_or_default() - self.before.unwrap_or_default()
    }

    /// Requests that newly find no host are the worst, then by the size of the change.
    fn badness(&self) -> (f64, f64) {
        let lost = match self.to {
            TrafficTarget::NoHost => self.change().max(0.0),
            TrafficTarget::Panic | TrafficTarget::Zone(_) => 0.0,
        };
        (lost, self.change().abs())
    }

    /// Whether a figure with one decimal shows the difference.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.before.is_some() != self.after.is_some() || shows(self.change())
    }

    /// `before → after`; `-` for a side without the share.
    #[must_use]
    pub fn text(&self) -> String {
        let side = |share: Option<f64>| share.map_or_else(|| "-".to_string(), percent);
        match (self.before, self.after) {
            (Some(was), Some(is)) => share_change(was, is),
            (was, is) => format!("{} → {}", side(was), side(is)),
        }
    }
}

/// `before → after`, or one figure if both show as equal.
#[must_use]
pub fn share_change(was: f64, is: f64) -> String {
    if shows(was - is) {
        format!("{} → {}", percent(was), percent(is))
    } else {
        percent(is)
    }
}

fn shows(change: f64) -> bool {
    change.abs() >= SHOWN
}

/// The cells that differ, worst first.
#[must_use]
pub fn traffic_changes(
    before: &[TrafficMatrix],
    after: &[TrafficMatrix],
) -> Vec<TrafficCellChange> {
    let all = before.iter().chain(after);
    let names: BTreeSet<&str> = all.map(|of| of.destination.as_str()).collect();
    let mut found = Vec::new();
    for name in names {
        let of = |side: &'_ [TrafficMatrix]| side.iter().position(|of| of.destination == name);
        let was = of(before).and_then(|at| before.get(at));
        let is = of(after).and_then(|at| after.get(at));
        let rows = [was, is].into_iter().flatten().flat_map(|of| &of.rows);
        let zones: BTreeSet<&str> = rows.map(|row| row.from.as_str()).collect();
        for from in zones {
            cells(name, from, was, is, &mut found);
        }
    }
    // Stable: of equal ones, by name.
    found.sort_by(|a, b| {
        let ((lost, size), (other_lost, other_size)) = (a.badness(), b.badness());
        let by_size = other_size.total_cmp(&size);
        other_lost.total_cmp(&lost).then(by_size)
    });
    found
}

/// Adds the cells of the proxies of a zone that differ.
fn cells(
    destination: &str,
    from: &str,
    was: Option<&TrafficMatrix>,
    is: Option<&TrafficMatrix>,
    found: &mut Vec<TrafficCellChange>,
) {
    let sides = [was, is];
    let columns = sides.iter().flatten().flat_map(|of| &of.zones);
    let columns: BTreeSet<&String> = columns.collect();
    let zones = columns.into_iter().cloned().map(TrafficTarget::Zone);
    for to in [TrafficTarget::NoHost, TrafficTarget::Panic]
        .into_iter()
        .chain(zones)
    {
        let [before, after] = sides.map(|side| share(side?, from, &to));
        let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
        if (old - new).abs() > ROUNDING {
            found.push(TrafficCellChange {
                destination: destination.into(),
                from: from.into(),
                to,
                before,
                after,
            });
        }
    }
}

/// The share of a cell; a zone without hosts gets nothing. `None` without proxies in the zone.
fn share(matrix: &TrafficMatrix, from: &str, to: &TrafficTarget) -> Option<f64> {
    let row: &TrafficRow = matrix.rows.iter().find(|row| row.from == from)?;
    Some(match to {
        TrafficTarget::NoHost => row.no_host,
        TrafficTarget::Panic => row.panic,
        TrafficTarget::Zone(zone) => matrix.share(from, zone).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn matrix(destination: &str, shares: [f64; 2], no_host: f64) -> TrafficMatrix {
        TrafficMatrix {
            destination: destination.into(),
            zones: vec!["a".into(), "b".into()],
            rows: vec![TrafficRow {
                from: "a".into(),
                to: shares.into(),
                no_host,
                panic: 0.0,
            }],
        }
    }

    #[test]
    fn only_cells_that_change_are_there_and_lost_requests_come_first() {
        let before = [
            matrix("api", [100.0, 0.0], 0.0),
            matrix("web", [100.0, 0.0], 0.0),
        ];
        let after = [
            matrix("api", [0.0, 100.0], 0.0),
            matrix("web", [99.0, 0.0], 1.0),
        ];
        let found = traffic_changes(&before, &after);
        let texts: Vec<String> = found
            .iter()
            .map(|of| format!("{} {:?} {}", of.destination, of.to, of.text()))
            .collect();
        assert_eq!(
            texts,
            [
                "web NoHost 0.0 → 1.0",
                "api Zone(\"a\") 100.0 → 0.0",
                "api Zone(\"b\") 0.0 → 100.0",
                "web Zone(\"a\") 100.0 → 99.0",
            ]
        );
        assert!(traffic_changes(&before, &before).is_empty());
    }

    #[test]
    fn a_destination_of_one_side_has_shares_there_only() {
        let found = traffic_changes(&[], &[matrix("web", [100.0, 0.0], 0.0)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text(), "- → 100.0");
        assert_eq!((found[0].before, found[0].is_shown()), (None, true));
    }
}
