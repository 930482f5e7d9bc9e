//! Faults in words.

use spillgate_codec::import::{FaultSeverity, ImportFault, ImportField};

use crate::state::plural;

/// A fault of the texts as a whole.
pub(super) fn error(code: &str, message: &str) -> ImportFault {
    ImportFault {
        severity: FaultSeverity::Error,
        field: ImportField::Config,
        code: code.into(),
        path: String::new(),
        position: None,
        message: message.into(),
        found: None,
        expected: None,
        suggestion: None,
        fix: None,
    }
}

/// The word for a severity.
#[must_use]
pub const fn severity_name(severity: FaultSeverity) -> &'static str {
    match severity {
        FaultSeverity::Error => "error",
        FaultSeverity::Warning => "warning",
        FaultSeverity::Info => "info",
    }
}

/// How many there are of each severity: `2 errors, 1 warning`; empty without any.
#[must_use]
pub fn tally(faults: &[ImportFault]) -> String {
    let kinds = [
        FaultSeverity::Error,
        FaultSeverity::Warning,
        FaultSeverity::Info,
    ];
    let counts = kinds.into_iter().filter_map(|severity| {
        let count = faults.iter().filter(|f| f.severity == severity).count();
        let word = match severity {
            FaultSeverity::Info => "remark",
            FaultSeverity::Error | FaultSeverity::Warning => severity_name(severity),
        };
        (count > 0).then(|| plural(count, word))
    });
    counts.collect::<Vec<_>>().join(", ")
}
