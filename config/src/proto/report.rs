//! What readers report to: the diagnostics so far, and how the text is to be read.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use spillgate_core::route::Regex;

use super::{Path, findings::Findings};
use crate::{Diagnostic, DiagnosticSeverity, Position};

/// Compiles a regular expression (RE2 syntax); the text of an error is one line.
pub type RegexCompiler = fn(&str) -> Result<Arc<dyn Regex>, String>;

/// What a text is read for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// To predict what Envoy does with it: what Envoy tolerates is a warning.
    #[default]
    Predict,
    /// To serve by it: nobody looks at warnings first, so what Envoy tolerates and cannot be meant
    /// is an error.
    Serve,
    /// To judge it: what lint has a rule for is passed over.
    Lint,
}

/// Who wrote a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextOrigin {
    /// A person or a control plane.
    #[default]
    Written,
    /// A running Envoy: it writes an unset locality weight as 0.
    Dump,
    /// A running Envoy, with the hosts that names were resolved to.
    DumpWithHosts,
}

/// When the hosts of a cluster have to be known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HostsKnown {
    /// The text names them.
    #[default]
    InText,
    /// A running Envoy will be asked, so that a cluster may do without them in the text.
    Later,
}

/// How a text is to be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReaderOptions {
    /// What the text is read for.
    pub purpose: Purpose,
    /// What compiles regular expressions. Without it, patterns are not modeled.
    pub regex: Option<RegexCompiler>,
}

/// The diagnostics so far, with the options of the reader and what is known of the whole text.
#[derive(Debug, Default)]
pub struct Report {
    options: ReaderOptions,
    origin: TextOrigin,
    hosts: HostsKnown,
    findings: Findings,
}

impl Report {
    /// Without diagnostics yet.
    #[must_use]
    pub fn new(options: ReaderOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// For a text that nobody corrects afterwards by looking at warnings: the filter's.
    #[must_use]
    pub fn strict() -> Self {
        Self::new(ReaderOptions {
            purpose: Purpose::Serve,
            regex: None,
        })
    }

    /// What compiles regular expressions, if anything does.
    #[must_use]
    pub const fn regex(&self) -> Option<RegexCompiler> {
        self.options.regex
    }

    /// Whether lint judges the text afterwards, so that what it has a rule for is passed over.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.options.purpose == Purpose::Lint
    }

    /// Whether what the engine does not have is an error.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.options.purpose == Purpose::Serve
    }

    /// Who wrote the text, as far as is known yet.
    #[must_use]
    pub const fn origin(&self) -> TextOrigin {
        self.origin
    }

    /// Whether a running Envoy wrote the text.
    #[must_use]
    pub fn is_dump(&self) -> bool {
        self.origin != TextOrigin::Written
    }

    /// Records that a part of the text has this origin; the one that tells most stays.
    pub fn found_origin(&mut self, origin: TextOrigin) {
        self.origin = self.origin.max(origin);
    }

    /// When the hosts have to be known.
    #[must_use]
    pub const fn hosts(&self) -> HostsKnown {
        self.hosts
    }

    /// Records that a running Envoy will be asked for the hosts.
    pub const fn await_hosts(&mut self) {
        self.hosts = HostsKnown::Later;
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.findings.push(diagnostic);
    }

    /// Adds something that Envoy tolerates and that cannot be meant: a warning, or an error when
    /// the report is strict.
    pub fn doubt(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.severity = if self.is_strict() {
            DiagnosticSeverity::Error
        } else {
            DiagnosticSeverity::Warning
        };
        self.push(diagnostic);
    }

    /// Leaves what stands in the text out of everything that `read` reports: it may be a secret.
    pub fn in_confidence<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.findings.len();
        let read = read(self);
        self.findings.hide_texts_after(known);
        read
    }

    /// Whether further diagnostics are only counted, so that their words need not be made.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.findings.is_full()
    }

    /// The number of errors so far, to see whether a step added any.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.findings.errors()
    }

    /// Names a field that balances load and has no effect here.
    pub fn unmodeled(&mut self, field: &'static str, path: &Path, position: Position) {
        // With these ignored, requests would go to hosts that the configuration rules out.
        const REFUSED: [&str; 2] = ["lb_subset_config", "hash_policy"];
        if self.is_strict() && REFUSED.contains(&field) {
            return self.missing_feature("config/not-supported", field, "", path, position);
        }
        let message =
            format!("{field} changes how load is balanced and is not modelled; it is ignored here");
        self.note("config/not-modelled", message, path, position);
    }

    /// Says once what a setting means for the answer where that is easily mistaken.
    pub fn note(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        path: &Path,
        position: Position,
    ) {
        self.findings
            .once(Diagnostic::warning(code, message).at(path.text(), position));
    }

    /// Refuses what the engine has and the filter cannot feed; says nothing unless the report is
    /// strict.
    pub fn not_in_filter(
        &mut self,
        code: &'static str,
        what: &str,
        path: &Path,
        position: Position,
    ) {
        if self.is_strict() {
            self.missing_feature(code, what, "", path, position);
        }
    }

    /// Adds something that the engine does not have: an error when the report is strict, else a
    /// warning in which `consequence` tells what happens instead.
    pub fn missing_feature(
        &mut self,
        code: &'static str,
        what: &str,
        consequence: &str,
        path: &Path,
        position: Position,
    ) {
        if self.is_strict() {
            let message = format!("{what} is not supported by this version");
            self.push(Diagnostic::error(code, message).at(path.text(), position));
        } else {
            let message = format!("{what} is not modelled; {consequence}");
            self.findings
                .once(Diagnostic::warning(code, message).at(path.text(), position));
        }
    }

    /// The warnings in the order of the text, or every error if there is one.
    ///
    /// # Errors
    /// All errors in the order of the text, at most 1000 of them; warnings are left out then.
    pub fn finish(self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.findings.finish()
    }
}

impl Diagnostic {
    /// Adds it to the report.
    pub fn push_to(self, report: &mut Report) {
        report.push(self);
    }
}
