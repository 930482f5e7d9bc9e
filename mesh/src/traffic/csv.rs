//! Traffic as CSV: one line for each pair of zones, with full precision.

use alloc::string::String;
use core::fmt::Write as _;

use super::TrafficMatrix;

/// `destination,from,to,percent`; the target of requests without a host is empty.
#[must_use]
pub fn traffic_csv(matrices: &[TrafficMatrix]) -> String {
    let mut out = String::from("destination,from,to,percent\n");
    for matrix in matrices {
        for row in &matrix.rows {
            let cells = matrix.zones.iter().zip(&row.to);
            let cells = cells.map(|(zone, share)| (zone.as_str(), *share));
            for (zone, share) in cells.chain([("", row.no_host)]) {
                // Writing to a text cannot fail.
                let _ = writeln!(
                    out,
                    "{},{},{},{share}",
                    quoted(&matrix.destination),
                    quoted(&row.from),
                    quoted(zone)
                );
            }
        }
    }
    out
}

/// A field, in quotes if it has a separator or a quote.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n']) {
        true => alloc::format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.into(),
    }
}
