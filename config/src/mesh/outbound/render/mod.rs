//! Traffic matrices as text: SVG, Markdown and CSV.

mod csv;
mod markdown;
mod svg;

pub use csv::traffic_csv;
pub use markdown::traffic_markdown;
pub use svg::traffic_svg;

use alloc::{format, string::String};

/// The heading of the column for requests without a host.
const NO_HOST: &str = "no host";

/// A share in percent with one decimal.
fn percent(share: f64) -> String {
    format!("{share:.1}")
}
