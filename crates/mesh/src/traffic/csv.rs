//! Traffic as CSV: one line for each pair of zones, with full precision.

use alloc::string::String;
use core::fmt::Write as _;

use spillgate_core::visible::csv_field;

use super::TrafficMatrix;

/// `destination,from,to,percent`; the target of requests without a host is empty.
#[must_use]
pub fn traffic_csv(matrices: &[TrafficMatrix]) -> String {
    let mut out = String::from("destination,from,to,percent\n");
    for matrix in matrices {
        for row in &matrix.rows {
            let cells = matrix
                .zones
                .iter()
                .zip(&row.to)
                .map(|(zone, share)| (zone.as_str(), *share));
            for (zone, share) in cells.chain([("", row.no_host)]) {
                // Writing to a text cannot fail.
                let _ = writeln!(
                    out,
                    "{},{},{},{share}",
                    csv_field(&matrix.destination),
                    csv_field(&row.from),
                    csv_field(zone)
                );
            }
        }
    }
    out
}
