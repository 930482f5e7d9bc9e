//! Rules for mesh documents and their output.

use alloc::{string::String, vec::Vec};

use spillgate_config::mesh::ValuePlace;

use super::context::MeshContext;
use crate::finding::{Finding, Severity};

/// A rule for mesh documents.
#[derive(Debug)]
pub struct MeshRule {
    /// Its id, which never changes.
    pub id: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// The problem, in a few words.
    pub summary: &'static str,
    pub(super) check: fn(&MeshContext<'_>, &mut MeshSink<'_>),
}

/// A finding in one of several files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshFinding {
    /// The number of the file, in the order in which the files were read.
    pub file: usize,
    /// The finding. Its path and position are those in the file.
    pub finding: Finding,
}

/// Collects the findings of one rule.
pub(super) struct MeshSink<'f> {
    pub(super) rule: &'static MeshRule,
    pub(super) findings: &'f mut Vec<MeshFinding>,
}

impl MeshSink<'_> {
    /// Adds a finding and returns it, to add a fix plan.
    pub(super) fn add(
        &mut self,
        place: &ValuePlace,
        cause: impl Into<String>,
        effect: impl Into<String>,
        fix: impl Into<String>,
    ) -> &mut Finding {
        let at = self.findings.len();
        self.findings.push(MeshFinding {
            file: place.file,
            finding: Finding {
                rule: self.rule.id,
                severity: self.rule.severity,
                path: place.path.clone(),
                position: place.position,
                cause: cause.into(),
                effect: effect.into(),
                fix: fix.into(),
                plan: Vec::new(),
            },
        });
        #[allow(clippy::indexing_slicing, reason = "it has just been pushed")]
        &mut self.findings[at].finding
    }
}
