//! Collecting findings while reading goes on.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use spillgate_core::{order, route::Regex};

use super::Path;
use crate::{Diagnostic, Position, Severity};

/// How many findings are kept. A text with more is beyond reading them one by one, and a hostile
/// one must not turn into a far larger report.
const MAXIMUM: usize = 1000;

/// Compiles a regular expression (RE2 syntax); the text of an error is one line.
pub type RegexCompiler = fn(&str) -> Result<Arc<dyn Regex>, String>;

/// The findings so far, and how the text is to be taken.
#[derive(Debug, Default)]
pub struct Report {
    /// Whether what Envoy tolerates is an error too; see [`Report::doubt`].
    strict: bool,
    /// Whether the text is read to be judged; see [`Report::is_judged`].
    judged: bool,
    /// Whether a running Envoy wrote the text; see [`Report::is_dump`].
    dump: bool,
    /// Whether it tells what hosts there are at run time.
    live: bool,
    /// Whether hosts come later; see [`Report::awaits_hosts`].
    awaits_hosts: bool,
    /// What compiles regular expressions, where anything does.
    regex: Option<RegexCompiler>,
    findings: Vec<Diagnostic>,
    errors: usize,
    /// Errors beyond [`MAXIMUM`].
    hidden: usize,
    repeated: Vec<Repeated>,
}

/// A warning that would stand in many places, with the number of further ones.
#[derive(Debug)]
struct Repeated {
    first: Diagnostic,
    further: usize,
}

impl Report {
    /// For a text that nobody corrects afterwards by looking at warnings: the filter's.
    pub(crate) fn strict() -> Self {
        Self {
            strict: true,
            ..Self::default()
        }
    }

    /// For a text that lint judges afterwards.
    pub(crate) fn judged() -> Self {
        Self {
            judged: true,
            ..Self::default()
        }
    }

    /// Whether lint judges the text afterwards, so that what it has a rule for is passed over.
    pub(crate) const fn is_judged(&self) -> bool {
        self.judged
    }

    /// With something that compiles regular expressions.
    pub(crate) fn with_regex(self, regex: Option<RegexCompiler>) -> Self {
        Self { regex, ..self }
    }

    /// What compiles regular expressions, if anything does.
    pub(crate) const fn regex(&self) -> Option<RegexCompiler> {
        self.regex
    }

    /// Whether what the engine does not have is an error.
    pub(crate) const fn is_strict(&self) -> bool {
        self.strict
    }

    /// Says that the text is, or holds, what a running Envoy dumped; `live`: the hosts that names
    /// were resolved to, too.
    pub(crate) const fn set_dump(&mut self, live: bool) {
        self.dump = true;
        self.live |= live;
    }

    /// Says that a running Envoy will be asked what hosts there are.
    pub(crate) const fn await_hosts(&mut self) {
        self.awaits_hosts = true;
    }

    /// Whether hosts come later, so that a cluster may do without them in the text.
    pub(crate) const fn awaits_hosts(&self) -> bool {
        self.awaits_hosts
    }

    /// Whether a running Envoy wrote the text, in which an unset weight of a locality is 0.
    pub(crate) const fn is_dump(&self) -> bool {
        self.dump
    }

    /// Whether the text tells the hosts behind DNS names.
    pub(crate) const fn is_live(&self) -> bool {
        self.live
    }

    /// Adds something that Envoy tolerates and that cannot be meant: a warning, or an error when
    /// the report is strict.
    pub(crate) fn doubt(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.severity = if self.strict {
            Severity::Error
        } else {
            Severity::Warning
        };
        self.push(diagnostic);
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let error = diagnostic.severity == Severity::Error;
        self.errors += usize::from(error);
        if self.findings.len() < MAXIMUM {
            self.findings.push(diagnostic);
        } else if error {
            self.hidden += 1;
        }
    }

    /// Leaves what stands in the text out of everything that `read` reports: it may be a secret.
    pub(crate) fn in_confidence<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.findings.len();
        let read = read(self);
        for finding in self.findings.iter_mut().skip(known) {
            finding.found = None;
        }
        read
    }

    /// Whether further findings are only counted, so that nobody need word them.
    pub(crate) fn is_full(&self) -> bool {
        self.findings.len() >= MAXIMUM
    }

    /// The number of errors so far, to see whether a step added any.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Names a field that balances load and has no effect here.
    pub(crate) fn unmodelled(&mut self, field: &'static str, path: &Path, position: Position) {
        // With these ignored, requests would go to hosts that the configuration rules out.
        const REFUSED: [&str; 2] = ["lb_subset_config", "hash_policy"];
        if self.strict && REFUSED.contains(&field) {
            return self.missing_feature("config/not-supported", field, "", path, position);
        }
        let message =
            format!("{field} changes how load is balanced and is not modelled; it is ignored here");
        self.note("config/not-modelled", message, path, position);
    }

    /// Says once what a setting means for the answer where that is easily mistaken.
    pub(crate) fn note(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        path: &Path,
        position: Position,
    ) {
        self.once(Diagnostic::warning(code, message).at(path.text(), position));
    }

    /// Refuses what the engine has and the filter cannot feed; says nothing unless the report is
    /// strict.
    pub(crate) fn not_in_filter(
        &mut self,
        code: &'static str,
        what: &str,
        path: &Path,
        position: Position,
    ) {
        if self.strict {
            self.missing_feature(code, what, "", path, position);
        }
    }

    /// Adds something that the engine does not have: an error when the report is strict, else a
    /// warning in which `consequence` tells what happens instead.
    pub(crate) fn missing_feature(
        &mut self,
        code: &'static str,
        what: &str,
        consequence: &str,
        path: &Path,
        position: Position,
    ) {
        if self.strict {
            let message = format!("{what} is not supported by this version");
            self.push(Diagnostic::error(code, message).at(path.text(), position));
        } else {
            let message = format!("{what} is not modelled; {consequence}");
            self.once(Diagnostic::warning(code, message).at(path.text(), position));
        }
    }

    /// Adds a warning once, however often the same stands in the text.
    fn once(&mut self, warning: Diagnostic) {
        let same =
            |r: &&mut Repeated| r.first.code == warning.code && r.first.message == warning.message;
        match self.repeated.iter_mut().find(same) {
            Some(known) => known.further += 1,
            None => self.repeated.push(Repeated {
                first: warning,
                further: 0,
            }),
        }
    }

    /// The warnings in the order of the text, or every error if there is one.
    pub fn finish(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if self.errors > 0 {
            self.findings.retain(|d| d.severity == Severity::Error);
            in_text_order(&mut self.findings);
            if self.hidden > 0 {
                self.findings.push(Diagnostic::error(
                    "config/more",
                    format!("{} further errors are not listed", self.hidden),
                ));
            }
            return Err(self.findings);
        }
        for Repeated { mut first, further } in self.repeated {
            if further > 0 {
                let places = if further == 1 { "place" } else { "places" };
                first.message = format!("{} (and in {further} further {places})", first.message);
            }
            self.findings.push(first);
        }
        in_text_order(&mut self.findings);
        Ok(self.findings)
    }
}

fn in_text_order(findings: &mut Vec<Diagnostic>) {
    let place = |d: &Diagnostic| {
        d.position.unwrap_or(Position {
            line: u32::MAX,
            column: 0,
        })
    };
    let unordered = core::mem::take(findings);
    *findings = order::sorted(unordered, |a, b| place(a).cmp(&place(b)));
}
