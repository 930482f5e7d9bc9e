//! Errors, warnings and findings of an import.

use spillgate_codec::import::{FaultSeverity, ImportFault, ImportField};

use crate::{count, plural};

/// An error of the playground without a position: its code and message.
#[must_use]
pub fn page_error(code: &str, message: String) -> ImportFault {
    ImportFault {
        severity: FaultSeverity::Error,
        field: ImportField::Config,
        code: code.into(),
        path: String::new(),
        position: None,
        message,
        found: None,
        expected: None,
        suggestion: None,
        fix: None,
    }
}

/// The name of a severity.
#[must_use]
pub const fn severity_name(severity: FaultSeverity) -> &'static str {
    match severity {
        FaultSeverity::Error => "error",
        FaultSeverity::Warning => "warning",
        FaultSeverity::Limit => "limit",
        FaultSeverity::Info => "info",
    }
}

/// The number of each severity, and of faults that are not listed: `2 errors, 1 warning, 7 more`; empty
/// without any.
#[must_use]
pub fn severity_counts(faults: &[ImportFault], more: usize) -> String {
    let kinds = [
        FaultSeverity::Error,
        FaultSeverity::Warning,
        FaultSeverity::Limit,
        FaultSeverity::Info,
    ];
    let counts = kinds.into_iter().filter_map(|severity| {
        // The reader's own limit is not a fault.
        let of = |fault: &&ImportFault| fault.severity == severity && fault.code != "config/more";
        let count = faults.iter().filter(of).count();
        let word = match severity {
            FaultSeverity::Info => "note",
            FaultSeverity::Error | FaultSeverity::Warning | FaultSeverity::Limit => {
                severity_name(severity)
            }
        };
        (count > 0).then(|| plural(count, word))
    });
    let more = (more > 0).then(|| format!("{} more", count(more)));
    counts.chain(more).collect::<Vec<_>>().join(", ")
}
