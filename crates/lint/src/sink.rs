//! Collects the findings of a rule, about a configuration or about the documents of a mesh.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_config::{Position, envoy::facts::FieldPlace};

use crate::finding::{Finding, Severity};

/// Maximum findings per rule; no one reads more.
const MAXIMUM: usize = 1000;

/// The place of a finding.
pub(crate) trait FindingPlace {
    /// The number of the file.
    fn file(&self) -> usize;
    /// The path of the field in the file.
    fn path(&self) -> &str;
    /// The position of the field.
    fn position(&self) -> Position;
}

impl FindingPlace for FieldPlace {
    /// A configuration is one file.
    fn file(&self) -> usize {
        0
    }

    fn path(&self) -> &str {
        &self.path
    }

    fn position(&self) -> Position {
        self.position
    }
}

#[cfg(feature = "mesh")]
impl FindingPlace for spillgate_config::mesh::ValuePlace {
    fn file(&self) -> usize {
        self.file
    }

    fn path(&self) -> &str {
        &self.path
    }

    fn position(&self) -> Position {
        self.position
    }
}

/// Collects the findings of one rule.
pub(crate) struct Sink {
    rule: &'static str,
    severity: Severity,
    /// The findings, with the numbers of their files.
    findings: Vec<(usize, Finding)>,
    /// Their paths.
    paths: BTreeSet<String>,
}

impl Sink {
    /// The findings of a rule, with the numbers of their files.
    pub(crate) fn collect(
        rule: &'static str,
        severity: Severity,
        check: impl FnOnce(&mut Self),
    ) -> Vec<(usize, Finding)> {
        let mut sink = Self {
            rule,
            severity,
            findings: Vec::new(),
            paths: BTreeSet::new(),
        };
        check(&mut sink);
        let mut findings = sink.findings;
        let further = findings.len().saturating_sub(MAXIMUM);
        findings.truncate(MAXIMUM);
        if let (1.., Some((_, last))) = (further, findings.last_mut()) {
            let more = format!(" (and {further} more findings of this rule)");
            last.effect.push_str(&more);
        }
        findings
    }

    /// Adds a finding and returns it, to add a fix plan.
    pub(crate) fn add(
        &mut self,
        place: &impl FindingPlace,
        cause: impl Into<String>,
        effect: impl Into<String>,
        fix: impl Into<String>,
    ) -> &mut Finding {
        let at = self.findings.len();
        let finding = Finding {
            rule: self.rule,
            severity: self.severity,
            path: place.path().into(),
            position: place.position(),
            cause: cause.into(),
            effect: effect.into(),
            fix: fix.into(),
            plan: Vec::new(),
        };
        self.paths.insert(finding.path.clone());
        self.findings.push((place.file(), finding));
        #[allow(clippy::indexing_slicing, reason = "it has just been pushed")]
        &mut self.findings[at].1
    }

    /// Whether the rule has a finding at this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }
}
