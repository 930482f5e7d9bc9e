//! `spillgate split`: the share of every priority, locality and endpoint.
//!
//! Shares are those of a request without a session; where a hash policy decides, the average over
//! uniformly distributed hashes. They are exact, not sampled.

mod compute;
mod csv;
mod model;
#[cfg(feature = "terminal")]
mod table;

pub use compute::{split, split_of};
pub use csv::to_csv;
pub use model::{
    ClusterSplit, EndpointShare, LocalityShare, MemberShare, PrioritySplit, Split, SubsetChoice,
};
#[cfg(feature = "terminal")]
pub use table::{Style, to_tables};

#[cfg(feature = "terminal")]
pub(crate) use table::{bar, lines, number, percent, table, text};

/// The split as one JSON object, with a line break at its end.
#[must_use]
pub fn to_json(split: &Split) -> String {
    json_text(split)
}

/// An answer as one JSON object, with a line break at its end.
pub(crate) fn json_text(answer: &impl serde::Serialize) -> String {
    // Texts and finite numbers always have a JSON form.
    let mut json = serde_json::to_string_pretty(answer).unwrap_or_default();
    json.push('\n');
    json
}
