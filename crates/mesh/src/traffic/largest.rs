//! The largest shares of traffic matrices, and a sentence about them.

use alloc::{format, string::String};

use super::{TrafficMatrix, TrafficRow};

/// The largest share of the requests of a zone, and where it occurs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LargestShare<'m> {
    /// The share in percent, above 0.
    pub share: f64,
    /// The zone of the proxies.
    pub from: &'m str,
    /// The zone of the hosts; empty for requests without a host or in panic mode.
    pub to: &'m str,
}

/// The zone with the most requests without a host; `None` if all requests find one.
#[must_use]
pub fn largest_without_host(matrices: &[TrafficMatrix]) -> Option<LargestShare<'_>> {
    largest_of(matrices, |row| row.no_host)
}

/// The zone with the most requests to priorities in panic mode; `None` without such requests.
#[must_use]
pub fn largest_in_panic(matrices: &[TrafficMatrix]) -> Option<LargestShare<'_>> {
    largest_of(matrices, |row| row.panic)
}

fn largest_of(
    matrices: &[TrafficMatrix],
    share: impl Fn(&TrafficRow) -> f64,
) -> Option<LargestShare<'_>> {
    let rows = matrices.iter().flat_map(|matrix| &matrix.rows);
    let found = rows
        .map(|row| LargestShare {
            share: share(row),
            from: &row.from,
            to: "",
        })
        .filter(|largest| largest.share > 0.0);
    found.max_by(|a, b| a.share.total_cmp(&b.share))
}

/// The largest share that a zone sends to another one; `None` if no request leaves its zone.
#[must_use]
pub fn largest_crossing(matrices: &[TrafficMatrix]) -> Option<LargestShare<'_>> {
    let cells = matrices.iter().flat_map(|matrix| {
        matrix.rows.iter().flat_map(|row| {
            let cells = matrix.zones.iter().zip(&row.to);
            cells.map(|(zone, share)| LargestShare {
                share: *share,
                from: &row.from,
                to: zone,
            })
        })
    });
    let crossing = cells.filter(|cell| cell.from != cell.to && cell.share > 0.0);
    crossing.max_by(|a, b| a.share.total_cmp(&b.share))
}

/// Whether every request of every zone finds a host, and none goes to a priority in panic mode.
#[must_use]
pub fn survives(matrices: &[TrafficMatrix]) -> bool {
    largest_without_host(matrices).is_none() && largest_in_panic(matrices).is_none()
}

/// The largest share across zones, and the requests without a healthy host, as the end of a sentence.
#[must_use]
pub fn largest_shares_text(matrices: &[TrafficMatrix]) -> String {
    let mut text = match largest_crossing(matrices) {
        Some(LargestShare { share, from, to }) => {
            format!("the largest share across zones is {share:.1} %, from {from} to {to};")
        }
        None => "no request leaves its zone;".into(),
    };
    text.push_str(&match largest_without_host(matrices) {
        Some(LargestShare { share, from, .. }) => {
            format!(" {share:.1} % of the requests in {from} find no host")
        }
        None => " every request finds a host".into(),
    });
    if let Some(LargestShare { share, from, .. }) = largest_in_panic(matrices) {
        text.push_str(&format!(
            "; {share:.1} % of those in {from} go to a priority in panic mode, so also to failed hosts"
        ));
    }
    text
}
