//! What a rule has to say about a place.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use spillgate_config::Position;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A smell.
    Info,
    /// A setting has no effect, or one that nobody expects.
    Warning,
    /// Some or all traffic fails, or goes where the user forbade it.
    Error,
}

impl Severity {
    /// `error`, `warning` or `info`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The field, such as `static_resources.clusters[0].lb_policy`.
    pub path: String,
    /// Where that stands.
    pub position: Position,
    /// What is wrong, in one sentence without a full stop.
    pub cause: String,
    /// What traffic will see, with the engine's figure where there is one.
    pub effect: String,
    /// What to change, in one sentence without a full stop.
    pub fix: String,
    /// The same as changes to the text, in the order in which they are to be made; none where
    /// only the author knows what was meant.
    pub plan: Vec<ConfigEdit>,
}

impl Finding {
    /// Cause and effect.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{}; {}", self.cause, self.effect)
    }

    /// Adds a change that sets a field to a JSON value.
    pub(crate) fn set(&mut self, path: impl Into<String>, value: impl Into<String>) -> &mut Self {
        let (path, value) = (path.into(), Some(value.into()));
        self.plan.push(ConfigEdit { path, value });
        self
    }

    /// Adds a change that removes a field or an element of a list.
    pub(crate) fn remove(&mut self, path: impl Into<String>) -> &mut Self {
        let (path, value) = (path.into(), None);
        self.plan.push(ConfigEdit { path, value });
        self
    }
}

/// A change to a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigEdit {
    /// Which field or element; one that does not exist yet is added. `list[+0]` is a new element
    /// before the first.
    pub path: String,
    /// Its new value as JSON; `None` removes it.
    pub value: Option<String>,
}
