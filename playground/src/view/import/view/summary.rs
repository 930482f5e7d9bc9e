//! The result of an import in one sentence.

use spillgate_scenario::{
    FaultSeverity, ImportFault, ImportField, ImportResult, plural, severity_counts,
};

use crate::view::import::ImportMessage;

/// The number of clusters, errors, warnings and findings.
pub(super) fn summary(result: &ImportResult) -> String {
    let counts = severity_counts(&result.faults, result.more);
    let Some(imported) = &result.imported else {
        return ImportMessage::Errors(&counts).to_string();
    };
    let clusters = plural(imported.origin.clusters.len(), "cluster");
    ImportMessage::Found(&clusters, &counts).to_string()
}

/// Whether an error in a field prevents the import.
pub(super) fn is_rejected(result: Option<&ImportResult>, field: ImportField) -> bool {
    result.is_some_and(|result| {
        let is =
            |fault: &ImportFault| fault.severity == FaultSeverity::Error && fault.field == field;
        result.imported.is_none() && result.faults.iter().any(is)
    })
}
