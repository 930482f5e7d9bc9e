//! Rules and their output.

use alloc::{string::String, vec::Vec};

use spillgate_config::envoy::facts::FieldPlace;

use crate::{
    context::Context,
    finding::{Finding, Severity},
};

/// A rule of the catalog.
#[derive(Debug)]
pub struct Rule {
    /// Its id, which never changes.
    pub id: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// The problem, in a few words.
    pub summary: &'static str,
    pub(crate) check: fn(&Context<'_>, &mut Sink<'_>),
}

/// Collects the findings of one rule.
pub(crate) struct Sink<'f> {
    pub(crate) rule: &'static Rule,
    pub(crate) findings: &'f mut Vec<Finding>,
}

impl Sink<'_> {
    /// Adds a finding and returns it, to add a fix plan.
    pub(crate) fn add(
        &mut self,
        place: &FieldPlace,
        cause: impl Into<String>,
        effect: impl Into<String>,
        fix: impl Into<String>,
    ) -> &mut Finding {
        let at = self.findings.len();
        self.findings.push(Finding {
            rule: self.rule.id,
            severity: self.rule.severity,
            path: place.path.clone(),
            position: place.position,
            cause: cause.into(),
            effect: effect.into(),
            fix: fix.into(),
            plan: Vec::new(),
        });
        #[allow(clippy::indexing_slicing, reason = "it has just been pushed")]
        &mut self.findings[at]
    }
}
