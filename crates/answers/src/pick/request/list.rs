//! From the text of a list to its rows.

use spillgate_config::{Diagnostic, DiagnosticSeverity, Position, node::read_json};

use super::{CountField, PathField, RequestRow, row::RowReader};

/// Errors and warnings beyond this number are only counted, so that the report of a large file stays readable.
const MAXIMUM_FINDINGS: usize = 1000;

/// The rows of a list.
#[derive(Debug)]
pub struct RequestList {
    /// The rows, in order.
    pub rows: Vec<RequestRow>,
    /// Up to 1000 warnings, in order.
    pub warnings: Vec<Diagnostic>,
}

/// Reads all rows; skips empty lines. `host` is the default of the field `host`.
///
/// # Errors
/// The errors of all rows, up to 1000, and the number of further ones.
pub fn read_requests(
    text: &str,
    host: &str,
    count: CountField,
) -> Result<RequestList, Vec<Diagnostic>> {
    read_rows(text, host, count, PathField::Required)
}

/// As [`read_requests`], for a listener that balances connections or keys: `path` is optional.
///
/// # Errors
/// As [`read_requests`].
pub fn read_connections(text: &str) -> Result<RequestList, Vec<Diagnostic>> {
    read_rows(text, "", CountField::Rejected, PathField::Optional)
}

fn read_rows(
    text: &str,
    host: &str,
    count: CountField,
    path: PathField,
) -> Result<RequestList, Vec<Diagnostic>> {
    let mut list = RequestList {
        rows: Vec::new(),
        warnings: Vec::new(),
    };
    let mut faults = Vec::new();
    let (mut hidden, mut more_warnings) = (0_usize, false);
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
                reader.faults.extend(document.warnings);
                let root = document.roots.first();
                list.rows.extend(root.and_then(|node| reader.row(node)));
            }
            Err(fault) => reader.faults.push(fault),
        }
        // Each row is read as a text of its own, so the positions are all in line 1.
        reader.faults.sort_by_key(|fault| fault.position);
        for mut found in reader.faults {
            found.position = found.position.map(|at| Position { line, ..at });
            let is_error = found.severity == DiagnosticSeverity::Error;
            let kept = if is_error {
                &mut faults
            } else {
                &mut list.warnings
            };
            match (kept.len() < MAXIMUM_FINDINGS, is_error) {
                (true, _) => kept.push(found),
                (false, true) => hidden += 1,
                (false, false) => more_warnings = true,
            }
        }
    }
    if hidden > 0 {
        let more = format!("too many errors; {hidden} not listed");
        faults.push(Diagnostic::error("request/more", more));
    }
    if more_warnings {
        let more = "more than 1000 warnings; the others are not listed";
        list.warnings.push(Diagnostic::warning("config/more", more));
    }
    if faults.is_empty() {
        Ok(list)
    } else {
        Err(faults)
    }
}
