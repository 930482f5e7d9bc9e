//! Findings in an input: the problem, its place and the expected value.

use alloc::string::String;
use core::fmt;

use crate::secret_text::shown;

/// A position in an input. Lines and columns count from 1; columns count characters. Of an input with
/// several texts, a [`SourceMap`](crate::SourceMap) has the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column within the line, in characters.
    pub column: u32,
}

impl Position {
    /// The start of a text.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The position of the same character if `lines` lines precede the text.
    pub(crate) const fn below(self, lines: u32) -> Self {
        Self {
            line: self.line.saturating_add(lines),
            ..self
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Maximum number of errors that a reader lists, and of warnings if there are no errors. No one reads
/// more, and a hostile input must not produce a much larger report.
pub const MAXIMUM_DIAGNOSTICS: usize = 1000;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagnosticSeverity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but a part of it has no effect or another effect than expected.
    Warning,
    /// The input has a setting that is not modeled: answers about what it [affects](Affects) can
    /// differ from Envoy.
    Limit,
}

/// The answers that a [limit](DiagnosticSeverity::Limit) concerns.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Affects {
    /// All answers.
    #[default]
    Everything,
    /// Requests that a cluster balances.
    Cluster(String),
    /// Requests of a connection manager or another filter with routes, by its index in
    /// [`EnvoyConfig::listeners`](crate::envoy::EnvoyConfig::listeners).
    Listener(usize),
    /// Requests of a filter chain, by the same index, whose listener can hand the connection to
    /// another one: those without a known destination.
    HandOff(usize),
    /// Requests of one route.
    Route {
        /// The index in [`EnvoyConfig::listeners`](crate::envoy::EnvoyConfig::listeners).
        listener: usize,
        /// [`Route::id`](spillgate_core::route::Route::id).
        route: usize,
    },
}

impl Affects {
    /// Whether it concerns requests of clusters with these names that come from these routes: the index in
    /// [`EnvoyConfig::listeners`](crate::envoy::EnvoyConfig::listeners), and
    /// [`Route::id`](spillgate_core::route::Route::id).
    #[must_use]
    pub fn concerns(&self, clusters: &[&str], routes: &[(usize, usize)]) -> bool {
        match self {
            Self::Everything => true,
            Self::Cluster(name) => clusters.contains(&name.as_str()),
            Self::Listener(listener) | Self::HandOff(listener) => {
                routes.iter().any(|(of, _)| of == listener)
            }
            Self::Route { listener, route } => routes.contains(&(*listener, *route)),
        }
    }
}

/// One finding in a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the input is rejected because of it.
    pub severity: DiagnosticSeverity,
    /// A stable name of the kind of finding, such as `config/unknown-cluster`.
    pub code: &'static str,
    /// The field, such as `static_resources.clusters[0].lb_policy`; empty for the whole input.
    pub path: String,
    /// Its position, if it has one.
    pub position: Option<Position>,
    /// The problem, without the path.
    pub message: String,
    /// The value found, ready to print; of one that can be a secret, its kind and length.
    pub found: Option<String>,
    /// The expected value, ready to print.
    pub expected: Option<String>,
    /// The name that was probably intended.
    pub suggestion: Option<String>,
    /// Of a limit: the answers that it concerns.
    pub affects: Affects,
}

impl Diagnostic {
    /// An error without further detail.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: DiagnosticSeverity::Error,
            code,
            path: String::new(),
            position: None,
            message: message.into(),
            found: None,
            expected: None,
            suggestion: None,
            affects: Affects::Everything,
        }
    }

    /// A warning without further detail.
    #[must_use]
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: DiagnosticSeverity::Warning,
            ..Self::error(code, message)
        }
    }

    /// A setting that is not modeled: `effect` names it and what can differ.
    #[must_use]
    pub fn limit(code: &'static str, effect: impl Into<String>, affects: Affects) -> Self {
        let mut limit = Self::error(code, effect);
        limit.severity = DiagnosticSeverity::Limit;
        limit.affects = affects;
        limit
    }

    /// Whether it is about a setting that is not modeled.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        self.severity == DiagnosticSeverity::Limit
    }

    /// The warning about a document that is not read because of its kind; `name` may be empty.
    #[must_use]
    pub fn skipped(kind: &str, name: &str, position: Position) -> Self {
        let found = match name {
            "" => kind.into(),
            name => alloc::format!("{kind} {name}"),
        };
        Self::warning("input/skipped", "document of another kind is skipped")
            .at("", position)
            .found(found)
    }

    /// Sets path and position.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>, position: impl Into<Option<Position>>) -> Self {
        self.path = path.into();
        self.position = position.into();
        self.without_secret()
    }

    /// Sets the value found. A value that can be a secret is described by its kind and length.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found = Some(found.into());
        self.without_secret()
    }

    fn without_secret(mut self) -> Self {
        let found = self.found.take();
        self.found = found.map(|found| shown(found, &self.path));
        self
    }

    /// Sets the expected value.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Sets the name that was probably intended.
    #[must_use]
    pub fn suggest(mut self, suggestion: Option<impl Into<String>>) -> Self {
        self.suggestion = suggestion.map(Into::into);
        self
    }

    /// `FILE:LINE:COLUMN: code: path: problem; found X, expected Y (did you mean Z?)`, without line
    /// and column if there is no position.
    ///
    /// # Examples
    /// ```
    /// use spillgate_config::{Diagnostic, Position};
    ///
    /// let fault = Diagnostic::error("config/value", "out of range")
    ///     .at("clusters[0].weight", Position { line: 3, column: 9 })
    ///     .found("0")
    ///     .expected("at least 1");
    /// let line = fault.render("envoy.yaml");
    /// assert!(line.starts_with("envoy.yaml:3:9"));
    /// assert!(line.contains("at least 1"));
    /// ```
    #[must_use]
    pub fn render(&self, file_name: &str) -> String {
        match self.position {
            Some(position) => alloc::format!("{file_name}:{position}: {self}"),
            None => alloc::format!("{file_name}: {self}"),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match (&self.found, &self.expected) {
            (Some(found), Some(expected)) => write!(f, "; found {found}, expected {expected}")?,
            (Some(found), None) => write!(f, "; found {found}")?,
            (None, Some(expected)) => write!(f, "; expected {expected}")?,
            (None, None) => {}
        }
        match &self.suggestion {
            Some(suggestion) => write!(f, " (did you mean {suggestion}?)"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Diagnostic {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn prints_every_part() {
        let plain = Diagnostic::error("config/empty", "nothing here");
        assert_eq!(plain.to_string(), "config/empty: nothing here");
        assert_eq!(plain.render("a.yaml"), "a.yaml: config/empty: nothing here");

        let full = Diagnostic::warning("config/enum", "unknown value")
            .at("clusters[0].lb_policy", Position { line: 3, column: 7 })
            .found("\"MAGLEF\"")
            .expected("a policy")
            .suggest(Some("MAGLEV"));
        assert_eq!(
            full.render("a.yaml"),
            "a.yaml:3:7: config/enum: clusters[0].lb_policy: unknown value; \
             found \"MAGLEF\", expected a policy (did you mean MAGLEV?)"
        );
    }
}
