//! One sentence on what has become of the texts.

use crate::state::{FaultSeverity, ImportField, Reading, plural, tally};

/// The sentence; empty while there is nothing to say.
pub(super) fn summary(reading: &Reading) -> String {
    let found = tally(&reading.faults);
    let Some(imported) = &reading.imported else {
        return format!("{found}; nothing is changed until no error is left.");
    };
    let clusters = plural(imported.origin.clusters.len(), "cluster");
    if found.is_empty() {
        format!("Read: {clusters}.")
    } else {
        format!("Read: {clusters}; {found}.")
    }
}

/// Whether an error in that field keeps the texts from being used.
pub(super) fn is_refused(reading: Option<&Reading>, field: ImportField) -> bool {
    reading.is_some_and(|reading| {
        let is = |fault: &crate::state::ImportFault| {
            fault.severity == FaultSeverity::Error && fault.field == field
        };
        reading.imported.is_none() && reading.faults.iter().any(is)
    })
}
