//! Rules for configurations.

use crate::{context::Context, finding::Severity, sink::Sink};

/// A rule of the catalog.
#[derive(Debug)]
pub struct Rule {
    /// Its id, which never changes.
    pub id: &'static str,
    /// The severity of its findings; some rules have findings with less effect.
    pub severity: Severity,
    /// The problem, in a few words.
    pub summary: &'static str,
    pub(crate) check: fn(&Context<'_>, &mut Sink),
}
