//! From the text of a list to its rows.

use spillgate_config::{Diagnostic, Position, node::read_json};

use super::{CountField, PathField, RequestRow, row::RowReader};

/// Errors beyond this number are only counted, so that the report of a large file stays readable.
const MAXIMUM_FAULTS: usize = 1000;

/// Reads all rows; skips empty lines. `host` is the default of the field `host`.
///
/// # Errors
/// Every error of every row, up to 1000, and the number of further ones.
pub fn read_requests(
    text: &str,
    host: &str,
    count: CountField,
) -> Result<Vec<RequestRow>, Vec<Diagnostic>> {
    read_rows(text, host, count, PathField::Required)
}

/// As [`read_requests`], for a listener that balances connections or keys: `path` is optional.
///
/// # Errors
/// As [`read_requests`].
pub fn read_connections(text: &str) -> Result<Vec<RequestRow>, Vec<Diagnostic>> {
    read_rows(text, "", CountField::Rejected, PathField::Optional)
}

fn read_rows(
    text: &str,
    host: &str,
    count: CountField,
    path: PathField,
) -> Result<Vec<RequestRow>, Vec<Diagnostic>> {
    let mut rows = Vec::new();
    let mut faults = Vec::new();
    let mut hidden = 0_usize;
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let mut reader = RowReader {
            host,
            count,
            path,
            faults: Vec::new(),
        };
        match read_json(text) {
            Ok(document) => {
                for fault in &document.warnings {
                    reader.faults.push(fault.clone());
                }
                rows.extend(document.roots.first().and_then(|node| reader.row(node)));
            }
            Err(fault) => reader.faults.push(fault),
        }
        // Each row is read as a text of its own, so the positions are all in line 1.
        reader.faults.sort_by_key(|fault| fault.position);
        if faults.len() >= MAXIMUM_FAULTS {
            hidden += reader.faults.len();
            continue;
        }
        faults.extend(reader.faults.into_iter().map(|mut fault| {
            fault.position = fault.position.map(|at| Position { line, ..at });
            fault
        }));
    }
    if hidden > 0 {
        let more = format!("too many errors; {hidden} not listed");
        faults.push(Diagnostic::error("request/more", more));
    }
    if faults.is_empty() {
        Ok(rows)
    } else {
        Err(faults)
    }
}
