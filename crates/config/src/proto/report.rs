//! The report of a reader: the diagnostics so far, and the options of the reader.
//!
//! A fault in a dump usually comes from another version: a removed field, or a value that a newer
//! Envoy knows. Refusing the dump would refuse the answer about everything else. So faults in an
//! input that an Envoy accepted are warnings, and are still counted: a cluster or a route during
//! which one was counted has an unknown result and is named. If no cluster is left, the faults are
//! errors again.

mod header_limits;
mod limits;
#[cfg(all(feature = "mesh", feature = "unread"))]
mod notes;
mod options;
mod runtime;

use alloc::{string::String, vec::Vec};

#[cfg(feature = "yaml")]
use header_limits::HeaderLimits;

pub(crate) use header_limits::{HeldLimit, ReadHeaders};
pub use options::{HostsKnown, Purpose, ReaderOptions, RegexCompiler, TextOrigin};

#[cfg(all(feature = "mesh", feature = "unread"))]
use super::unread_notes::NotedValues;
use super::{Path, findings::Findings};
#[cfg(feature = "unread")]
use super::{UnreadPlace, UnreadValues};
#[cfg(feature = "yaml")]
use crate::runtime::Runtime;
use crate::{Affects, Diagnostic, DiagnosticSeverity, Position, SourceMap, node::Node};

/// The diagnostics so far, with the reader's options and the known properties of the input.
#[derive(Debug, Default)]
pub struct Report {
    options: ReaderOptions,
    origin: TextOrigin,
    hosts: HostsKnown,
    sources: SourceMap,
    findings: Findings,
    /// Whether the input is what a proxy received, although no running Envoy wrote it.
    delivered: bool,
    /// The runtime values in effect.
    #[cfg(feature = "yaml")]
    runtime: Runtime,
    /// The answers that the message being read affects.
    affects: Affects,
    /// The faults that are warnings because the input is accepted, by their number.
    tolerated: Vec<usize>,
    /// The limits of a part that may not count.
    held: Option<Vec<HeldLimit>>,
    /// Limits about headers; the filter has none.
    #[cfg(feature = "yaml")]
    header_limits: HeaderLimits,
    /// The values of fields that choose no host, while lint reads the input.
    #[cfg(feature = "unread")]
    unread: UnreadValues,
    /// What the message being read belongs to.
    #[cfg(feature = "unread")]
    unread_place: UnreadPlace,
    /// The values of documents of a mesh that the comparison of two meshes lacks, while it is collected.
    #[cfg(all(feature = "mesh", feature = "unread"))]
    pub(super) noted: Option<NotedValues>,
}

impl Report {
    /// An empty report.
    #[must_use]
    pub fn new(options: ReaderOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// An empty report for an input that serves traffic: the filter's.
    #[must_use]
    pub fn strict() -> Self {
        Self::new(ReaderOptions {
            purpose: Purpose::Serve,
            ..ReaderOptions::default()
        })
    }

    /// Sets the files of the input.
    pub(crate) fn found_in(&mut self, sources: SourceMap) {
        self.sources = sources;
    }

    /// The files of the input.
    #[must_use]
    pub const fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The compiler of regular expressions, if there is one.
    #[must_use]
    pub const fn regex(&self) -> Option<RegexCompiler> {
        self.options.regex
    }

    /// Whether lint checks the input afterwards, so that faults with a rule are not reported.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        // Lint reads YAML; the filter has no code for it.
        cfg!(feature = "yaml") && self.options.purpose == Purpose::Lint
    }

    /// Whether the answer is about gRPC clients.
    #[must_use]
    pub fn is_for_grpc(&self) -> bool {
        // The commands read YAML; the filter has no code for it.
        cfg!(feature = "yaml") && self.options.for_grpc
    }

    /// An empty report with the same options, for a part that may turn out not to count.
    pub(crate) fn attempt(&self) -> Self {
        Self::new(self.options)
    }

    /// Whether features that the engine lacks are errors.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.options.purpose == Purpose::Serve
    }

    /// The author of the input, as far as it is known yet.
    #[must_use]
    pub const fn origin(&self) -> TextOrigin {
        self.origin
    }

    /// Whether a running Envoy wrote the input.
    #[must_use]
    pub fn is_dump(&self) -> bool {
        self.origin != TextOrigin::Written
    }

    /// Records the origin of a part of the input; the most specific one is kept.
    pub fn found_origin(&mut self, origin: TextOrigin) {
        self.origin = self.origin.max(origin);
    }

    /// When the hosts must be known.
    #[must_use]
    pub const fn hosts(&self) -> HostsKnown {
        self.hosts
    }

    /// Records that the hosts will come from a running Envoy.
    pub const fn await_hosts(&mut self) {
        self.hosts = HostsKnown::Later;
    }

    /// Whether an Envoy accepted the input: a dump, or what a proxy received.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.delivered || self.is_dump()
    }

    /// Records that the input is what a proxy received.
    pub const fn found_delivered(&mut self) {
        self.delivered = true;
    }

    /// Adds a diagnostic. Faults in an accepted input are warnings. [`Report::errors`] still counts
    /// them: the value was not read.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.severity == DiagnosticSeverity::Error && self.is_accepted() {
            self.tolerated.push(self.findings.len());
            diagnostic.severity = DiagnosticSeverity::Warning;
        }
        self.findings.push(diagnostic);
    }

    /// Adds an error that no origin makes a warning: it leaves nothing to answer with.
    pub fn refuse(&mut self, diagnostic: Diagnostic) {
        self.findings.push(diagnostic);
    }

    /// Adds a fault that does not prevent reading its message: an error, or in an accepted input a
    /// warning that [`Report::errors`] does not count.
    pub fn tolerate(&mut self, mut diagnostic: Diagnostic) {
        if self.is_accepted() {
            diagnostic.severity = DiagnosticSeverity::Warning;
        }
        self.findings.push(diagnostic);
    }

    /// Whether there is an error or a warning about the value at a path.
    #[cfg(feature = "health")]
    pub(crate) fn has_fault_at(&self, path: &str) -> bool {
        self.findings.has_fault_at(path)
    }

    /// Adds a finding that Envoy tolerates but that cannot be intended: a warning or a limit, or an error
    /// if the report is strict.
    pub fn doubt(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.severity = match diagnostic.severity {
            _ if self.is_strict() => DiagnosticSeverity::Error,
            DiagnosticSeverity::Limit => DiagnosticSeverity::Limit,
            _ => DiagnosticSeverity::Warning,
        };
        self.push(diagnostic);
    }

    /// Adds the warnings of a text's reader.
    pub fn doubt_all(&mut self, warnings: Vec<Diagnostic>) {
        for warning in warnings {
            self.doubt(warning);
        }
    }

    /// Omits found values from everything that `read` reports: they may be secret.
    pub fn in_confidence<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.findings.len();
        let read = read(self);
        self.findings.hide_texts_after(known);
        read
    }

    /// Hides the found values that are secrets by a name next to them; `roots` are the values of the input.
    pub(crate) fn hide_secrets<'n, 'a: 'n>(
        &mut self,
        roots: impl IntoIterator<Item = &'n Node<'a>>,
    ) {
        self.findings.hide_secrets(roots);
    }

    /// The number of findings so far, for [`Report::error_paths_since`].
    #[cfg(feature = "mesh")]
    pub(crate) fn findings_so_far(&self) -> usize {
        self.findings.len()
    }

    /// The paths of the errors after a number of findings.
    #[cfg(feature = "mesh")]
    pub(crate) fn error_paths_since(&self, known: usize) -> alloc::vec::Vec<String> {
        let new = self.findings.since(known).iter();
        new.filter(|finding| finding.severity == DiagnosticSeverity::Error)
            .map(|finding| finding.path.clone())
            .collect()
    }

    /// Whether there are more than [`crate::MAXIMUM_DIAGNOSTICS`] errors, so that reading on is in
    /// vain.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.findings.is_full()
    }

    /// The number of errors so far, to detect whether a step added any. In an accepted input, also
    /// the faults that prevented reading a value.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.findings.errors() + self.tolerated.len()
    }

    /// Makes the faults of an accepted input errors again: they leave nothing to answer with.
    pub fn refuse_tolerated(&mut self) {
        for number in core::mem::take(&mut self.tolerated) {
            self.findings.refuse(number);
        }
    }

    /// Whether the input cannot be used.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.findings.errors() > 0
    }

    /// Adds a warning once; further places with the same warning are counted.
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

    /// Rejects a feature that the engine has and the filter does not support; no effect unless the
    /// report is strict.
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

    /// The warnings and limits in text order: of each at most [`crate::MAXIMUM_DIAGNOSTICS`], then one that says so.
    ///
    /// # Errors
    /// The errors in text order, with the same limit; warnings are omitted.
    pub fn finish(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.settle_remaining_headers();
        self.findings.finish()
    }
}

impl Diagnostic {
    /// Adds it to the report.
    pub fn push_to(self, report: &mut Report) {
        report.push(self);
    }
}
