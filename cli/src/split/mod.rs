//! `spillgate split`: the share of every priority, locality and endpoint.
//!
//! Shares are those of a request without a session; where a hash policy decides, the average over
//! uniformly distributed hashes. They are exact, not sampled.

mod compute;
mod csv;
mod model;
mod table;

pub use compute::split;
pub use csv::to_csv;
pub use model::{ClusterSplit, EndpointShare, LocalityShare, MemberShare, PrioritySplit, Split};
pub use table::{Style, to_tables};

/// The split as one JSON object, with a line break at its end.
#[must_use]
pub fn to_json(split: &Split) -> String {
    // Texts and finite numbers always have a JSON form.
    let mut json = serde_json::to_string_pretty(split).unwrap_or_default();
    json.push('\n');
    json
}
