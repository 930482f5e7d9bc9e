//! Warnings of several clusters, each once.

use alloc::vec::Vec;

use crate::Diagnostic;

/// Adds a warning, unless the list has it: several clusters can have the same settings.
pub(super) fn push_once(warnings: &mut Vec<Diagnostic>, warning: Diagnostic) {
    if !warnings.contains(&warning) {
        warnings.push(warning);
    }
}
