//! Rules for mesh documents and their findings.

use super::context::MeshContext;
use crate::{
    finding::{Finding, Severity},
    sink::Sink,
};

/// A rule for mesh documents.
#[derive(Debug)]
pub struct MeshRule {
    /// Its id, which never changes.
    pub id: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// The problem, in a few words.
    pub summary: &'static str,
    pub(super) check: fn(&MeshContext<'_>, &mut Sink),
}

/// A finding in one of several files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshFinding {
    /// The number of the file, in the order in which the files were read.
    pub file: usize,
    /// The finding. Its path and position are those in the file.
    pub finding: Finding,
}
