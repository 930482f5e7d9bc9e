//! Zone-to-zone traffic, its changes, and its forms as text: SVG, Markdown and CSV.

mod change;
mod csv;
mod largest;
mod markdown;
mod matrix;
mod svg;

pub use change::{TrafficCellChange, TrafficTarget, share_change, traffic_changes};
pub use csv::traffic_csv;
pub use largest::{
    LargestShare, largest_crossing, largest_in_panic, largest_shares_text, largest_without_host,
    survives,
};
pub use markdown::traffic_markdown;
pub use matrix::{TrafficMatrix, TrafficRow};
pub use svg::traffic_svg;

use alloc::{format, string::String};

/// The heading of the column for requests without a host.
const NO_HOST: &str = "no host";

/// A share in percent with one decimal.
fn percent(share: f64) -> String {
    format!("{share:.1}")
}
