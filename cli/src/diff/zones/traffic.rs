//! The traffic between zones that changes, as rows and as JSON.

use serde_json::{Value, json};
use spillgate_core::visible::visible;
use spillgate_diff::DiffRow;
use spillgate_mesh::traffic::{TrafficCellChange, TrafficTarget};

/// The heading of the rows.
pub(super) const HEADING: &str = "traffic that changes, in percent of each zone's requests";

/// The rows of the cells whose figures show a difference, worst first.
pub(super) fn rows(changes: &[TrafficCellChange]) -> Vec<DiffRow> {
    let shown = changes.iter().filter(|of| of.is_shown());
    shown
        .map(|of| {
            let to = match &of.to {
                TrafficTarget::NoHost => "no host".to_owned(),
                TrafficTarget::Panic => "panic mode".to_owned(),
                TrafficTarget::Zone(zone) => format!("zone {}", visible(zone)),
            };
            let name = format!(
                "{} from zone {} to {to}",
                visible(&of.destination),
                visible(&of.from)
            );
            let text = of.text();
            DiffRow { name, text }
        })
        .collect()
}

/// The cells that differ, as JSON.
pub(super) fn json(changes: &[TrafficCellChange]) -> Value {
    let cells = changes.iter().map(|of| {
        let (kind, zone) = match &of.to {
            TrafficTarget::NoHost => ("no_host", None),
            TrafficTarget::Panic => ("panic", None),
            TrafficTarget::Zone(zone) => ("zone", Some(zone)),
        };
        json!({
            "destination": of.destination,
            "from": of.from,
            "kind": kind,
            "to": zone,
            "before": of.before,
            "after": of.after,
        })
    });
    cells.collect()
}
