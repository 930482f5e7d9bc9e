//! The finding of a rule.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use spillgate_config::Position;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Possibly intended.
    Info,
    /// A setting without effect, or with an unexpected effect.
    Warning,
    /// Some or all requests fail, or go where the user excluded them.
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

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule.
    pub rule: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// The field, such as `static_resources.clusters[0].lb_policy`.
    pub path: String,
    /// The position of the field.
    pub position: Position,
    /// The problem, as a clause without a period.
    pub cause: String,
    /// The effect on traffic, with figures from the engine if possible.
    pub effect: String,
    /// The remedy, as a clause without a period.
    pub fix: String,
    /// The remedy as changes to the input, in the order to apply them; empty if only the author
    /// knows the intended value.
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
    /// The path of a field or list element; an absent one is added. `list[+0]` is a new element
    /// before the first.
    pub path: String,
    /// Its new value as JSON; `None` removes it.
    pub value: Option<String>,
}
