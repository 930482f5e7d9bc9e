//! Faults in words.

use spillgate_wire::{Fault, Field, Severity};

use crate::state::plural;

/// A fault of the texts as a whole.
pub(super) fn error(code: &str, message: &str) -> Fault {
    Fault {
        severity: Severity::Error,
        field: Field::Config,
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
pub const fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// How many there are of each severity: `2 errors, 1 warning`; empty without any.
#[must_use]
pub fn tally(faults: &[Fault]) -> String {
    let kinds = [Severity::Error, Severity::Warning, Severity::Info];
    let counts = kinds.into_iter().filter_map(|severity| {
        let count = faults.iter().filter(|f| f.severity == severity).count();
        let word = match severity {
            Severity::Info => "remark",
            Severity::Error | Severity::Warning => severity_name(severity),
        };
        (count > 0).then(|| plural(count, word))
    });
    counts.collect::<Vec<_>>().join(", ")
}
