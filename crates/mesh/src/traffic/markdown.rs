//! Traffic as Markdown tables.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::visible::visible;

use super::{NO_HOST, TrafficMatrix, percent};

/// One table for each destination: a row for each zone with proxies, shares in percent.
#[must_use]
pub fn traffic_markdown(matrices: &[TrafficMatrix]) -> String {
    let tables: Vec<String> = matrices.iter().map(table).collect();
    tables.join("\n")
}

fn table(matrix: &TrafficMatrix) -> String {
    let mut out = format!("### {}\n\n| from \\ to |", escaped(&matrix.destination));
    let columns = matrix.zones.iter().map(|zone| escaped(zone));
    for column in columns.chain([NO_HOST.into()]) {
        out.push_str(&format!(" {column} |"));
    }
    out.push_str("\n|---|");
    for _ in 0..=matrix.zones.len() {
        out.push_str("---:|");
    }
    out.push('\n');
    for row in &matrix.rows {
        out.push_str(&format!("| {} |", escaped(&row.from)));
        for share in row.to.iter().chain([&row.no_host]) {
            out.push_str(&format!(" {} |", percent(*share)));
        }
        out.push('\n');
    }
    out
}

/// A text without the separator of cells.
fn escaped(text: &str) -> String {
    visible(text).replace('|', "\\|")
}
