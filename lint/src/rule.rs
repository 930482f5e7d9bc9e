//! A rule, and how it reports.

use alloc::{string::String, vec::Vec};

use spillgate_config::envoy::facts::FieldPlace;

use crate::{
    context::Context,
    finding::{Finding, Severity},
};

/// One row of the catalogue.
#[derive(Debug)]
pub struct Rule {
    /// Its name, which never changes.
    pub id: &'static str,
    /// How bad its findings are.
    pub severity: Severity,
    /// What is wrong, in a few words.
    pub summary: &'static str,
    pub(crate) check: fn(&Context<'_>, &mut Sink<'_>),
}

/// Takes the findings of one rule.
pub(crate) struct Sink<'f> {
    pub(crate) rule: &'static Rule,
    pub(crate) findings: &'f mut Vec<Finding>,
}

impl Sink<'_> {
    /// Adds a finding; what is returned takes the plan.
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
