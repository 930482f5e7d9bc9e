//! The finding of a rule.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use spillgate_config::{Position, SourceMap, envoy::facts::FieldPlace};

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
    pub(crate) fn set(&mut self, place: impl EditPlace, value: impl Into<String>) -> &mut Self {
        self.edit(place, Some(value.into()))
    }

    /// Adds a change that removes a field or an element of a list.
    pub(crate) fn remove(&mut self, place: impl EditPlace) -> &mut Self {
        self.edit(place, None)
    }

    /// Names the files of the changes to other files than that of the finding.
    pub(crate) fn name_files(&mut self, sources: &SourceMap) {
        let own = sources.place(self.position).file;
        for edit in &mut self.plan {
            let place = sources.place(edit.position);
            edit.file = (place.file != own).then(|| place.name.into());
        }
    }

    fn edit(&mut self, place: impl EditPlace, value: Option<String>) -> &mut Self {
        let position = place.position().unwrap_or(self.position);
        let path = place.into_path();
        self.plan.push(ConfigEdit {
            path,
            position,
            file: None,
            value,
        });
        self
    }
}

/// The place of a change: a path in the text of the finding, or a place that can be in another text.
pub(crate) trait EditPlace {
    /// A position in the text of the path; `None` for the text of the finding.
    fn position(&self) -> Option<Position> {
        None
    }

    /// The path.
    fn into_path(self) -> String;
}

impl EditPlace for String {
    fn into_path(self) -> String {
        self
    }
}

impl EditPlace for &String {
    fn into_path(self) -> String {
        self.clone()
    }
}

impl EditPlace for &str {
    fn into_path(self) -> String {
        self.into()
    }
}

impl EditPlace for FieldPlace {
    fn position(&self) -> Option<Position> {
        Some(self.position)
    }

    fn into_path(self) -> String {
        self.path
    }
}

impl EditPlace for &FieldPlace {
    fn position(&self) -> Option<Position> {
        Some(self.position)
    }

    fn into_path(self) -> String {
        self.path.clone()
    }
}

/// A change to a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigEdit {
    /// The path of a field or list element; an absent one is added. `list[+0]` is a new element
    /// before the first.
    pub path: String,
    /// A position in the text of the path: of the field, or of a value that contains it.
    pub position: Position,
    /// The file of the text, if it is not that of the finding.
    pub file: Option<String>,
    /// Its new value as JSON; `None` removes it.
    pub value: Option<String>,
}
