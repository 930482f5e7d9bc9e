//! The report of a reader: the diagnostics so far, and the options of the reader.

use alloc::{borrow::Cow, collections::BTreeSet, format, string::String, sync::Arc, vec::Vec};
use core::ops::Bound;

use spillgate_core::route::{FractionalPercent, Regex};

use super::{Path, field_limit::FieldLimit, findings::Findings};
#[cfg(feature = "yaml")]
use crate::runtime::Runtime;
use crate::{Affects, Diagnostic, DiagnosticSeverity, Position, SourceMap, node::Node};

/// Compiles a regular expression (RE2 syntax); the text of an error is one line.
pub type RegexCompiler = fn(&str) -> Result<Arc<dyn Regex>, String>;

/// The purpose of reading an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Prediction of Envoy's behavior: inputs that Envoy tolerates get a warning.
    #[default]
    Predict,
    /// Serving traffic: warnings are not read first, so inputs that Envoy tolerates but that cannot
    /// be intended are errors.
    Serve,
    /// Lint: faults that have a rule are not reported.
    Lint,
}

/// The author of an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextOrigin {
    /// A person or a control plane.
    #[default]
    Written,
    /// A running Envoy, which writes an unset locality weight as 0.
    Dump,
    /// A running Envoy, with the hosts that DNS names resolved to.
    DumpWithHosts,
}

/// When the hosts of a cluster must be known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HostsKnown {
    /// The input lists them.
    #[default]
    InText,
    /// Later, from a running Envoy; the input may omit them.
    Later,
}

/// The options of a reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReaderOptions {
    /// The purpose.
    pub purpose: Purpose,
    /// Compiles regular expressions. Without it, patterns are not modeled.
    pub regex: Option<RegexCompiler>,
}

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
    /// The request headers that routes and clusters read, in lower case.
    headers: BTreeSet<String>,
    /// Limits that count only if something reads one of these headers.
    header_limits: Vec<(Cow<'static, str>, Diagnostic)>,
}

/// The code of fields that can change an answer and are not modeled.
const NOT_MODELED: &str = "config/not-modelled";

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
            regex: None,
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

    /// Sets the runtime values in effect.
    #[cfg(feature = "yaml")]
    pub(crate) fn found_runtime(&mut self, runtime: Runtime) {
        self.runtime = runtime;
    }

    /// The integer that a runtime key has, and its position. Without the feature `yaml`, there are no
    /// runtime values: the filter's configuration has none.
    #[cfg_attr(
        not(feature = "yaml"),
        expect(unused_variables, reason = "no runtime values")
    )]
    pub(crate) fn runtime_integer(&self, key: &str) -> Option<(u64, Position)> {
        #[cfg(feature = "yaml")]
        return self
            .runtime
            .get(key)
            .and_then(|entry| Some((entry.value.integer()?, entry.position)));
        #[cfg(not(feature = "yaml"))]
        None
    }

    /// The number that a runtime key has, like [`Report::runtime_integer`].
    #[cfg_attr(
        not(feature = "yaml"),
        expect(unused_variables, reason = "no runtime values")
    )]
    pub(crate) fn runtime_double(&self, key: &str) -> Option<(f64, Position)> {
        #[cfg(feature = "yaml")]
        return self
            .runtime
            .get(key)
            .and_then(|entry| Some((entry.value.double()?, entry.position)));
        #[cfg(not(feature = "yaml"))]
        None
    }

    /// The fraction that a runtime key has, like [`Report::runtime_integer`].
    #[cfg_attr(
        not(feature = "yaml"),
        expect(unused_variables, reason = "no runtime values")
    )]
    pub(crate) fn runtime_fraction(&self, key: &str) -> Option<FractionalPercent> {
        #[cfg(feature = "yaml")]
        return self
            .runtime
            .get(key)
            .and_then(|entry| entry.value.fraction());
        #[cfg(not(feature = "yaml"))]
        None
    }

    /// Records that a setting has a runtime key. Unless the input has the runtime values, this is a
    /// limit: the key can replace the value of the setting.
    pub(crate) fn has_runtime_key(
        &mut self,
        key: &str,
        replaced: &str,
        path: &Path,
        position: Position,
    ) {
        #[cfg(feature = "yaml")]
        if self.runtime.is_known() {
            return;
        }
        let effect = format!(
            "runtime key {key} can replace {replaced}; its value is unknown without the bootstrap or \
             /runtime"
        );
        self.limit("config/runtime-key", effect, path, position);
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

    /// Adds a finding that Envoy tolerates but that cannot be intended: a warning, or an error if
    /// the report is strict.
    pub fn doubt(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.severity = if self.is_strict() {
            DiagnosticSeverity::Error
        } else {
            DiagnosticSeverity::Warning
        };
        self.push(diagnostic);
    }

    /// Adds the warnings of a text's reader.
    pub fn doubt_all(&mut self, warnings: Vec<Diagnostic>) {
        for warning in warnings {
            self.doubt(warning);
        }
    }

    /// Reads a part of the input that affects only some answers, such as one cluster: limits in it
    /// concern only these. The most specific part counts.
    pub(crate) fn within<T>(&mut self, affects: Affects, read: impl FnOnce(&mut Self) -> T) -> T {
        let around = core::mem::replace(&mut self.affects, affects);
        let read = read(self);
        self.affects = around;
        read
    }

    /// As [`Report::within`], for a route of the listener that is being read.
    pub(crate) fn within_route<T>(&mut self, route: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let affects = match self.affects {
            Affects::Listener(listener) => Affects::Route { listener, route },
            ref other => other.clone(),
        };
        self.within(affects, read)
    }

    /// Omits found values from everything that `read` reports: they may be secret.
    pub fn in_confidence<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.findings.len();
        let read = read(self);
        self.findings.hide_texts_after(known);
        read
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

    /// Reports a field that can change an answer and is not modeled, if its value matters.
    pub(super) fn limited(
        &mut self,
        limit: &'static FieldLimit,
        value: &Node<'_>,
        path: &Path,
        position: Position,
    ) {
        // Ignoring these would send requests to hosts that the configuration excludes.
        const REFUSED: [&str; 2] = ["lb_subset_config", "hash_policy"];
        if self.is_strict() {
            if REFUSED.contains(&limit.field) {
                self.missing_feature("config/not-supported", limit.field, "", path, position);
            } else if limit.is_simple() {
                self.not_modeled(limit.field, path, position);
            }
        } else if cfg!(feature = "yaml") && limit.matters(value) {
            match limit.headers() {
                Some(names) => {
                    self.limit_if_read(names, NOT_MODELED, limit.text(), path, position);
                }
                None => self.limit(NOT_MODELED, limit.text(), path, position),
            }
        }
    }

    /// Reports a value that is not modeled, by its field.
    pub(crate) fn not_modeled(&mut self, field: &'static str, path: &Path, position: Position) {
        let effect = format!("{field} is not modeled; ignored");
        self.limit(NOT_MODELED, effect, path, position);
    }

    /// Records a setting that is not modeled: `effect` names it and what can differ. Further places
    /// with the same text in the same part are counted.
    pub fn limit(
        &mut self,
        code: &'static str,
        effect: impl Into<String>,
        path: &Path,
        position: Position,
    ) {
        let limit = Diagnostic::limit(code, effect, self.affects.clone());
        self.findings.once(limit.at(path.text(), position));
    }

    /// As [`Report::limit`], about the values of headers: it counts only if something reads one of
    /// them, see [`Report::settle_headers`]. `headers` is a list with spaces between the names; a name
    /// that ends in `-` means all headers that start with it.
    pub(crate) fn limit_if_read(
        &mut self,
        headers: impl Into<Cow<'static, str>>,
        code: &'static str,
        effect: impl Into<String>,
        path: &Path,
        position: Position,
    ) {
        let limit = Diagnostic::limit(code, effect, self.affects.clone());
        let limit = limit.at(path.text(), position);
        self.header_limits.push((headers.into(), limit));
    }

    /// Keeps the limits of a listener about headers that something reads: its routes, or the clusters.
    /// Those that affect all listeners count if any of them reads a header.
    pub(crate) fn settle_headers(&mut self, read: BTreeSet<String>) {
        for (headers, limit) in core::mem::take(&mut self.header_limits) {
            match limit.affects {
                Affects::Everything | Affects::Cluster(_) => {
                    self.header_limits.push((headers, limit));
                }
                Affects::Listener(_) | Affects::Route { .. } if is_any_in(&headers, &read) => {
                    self.findings.once(limit);
                }
                Affects::Listener(_) | Affects::Route { .. } => {}
            }
        }
        self.headers.extend(read);
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

    /// Reports a feature that the engine lacks: an error if the report is strict, else a limit with
    /// the `consequence`.
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
            let effect = format!("{what} is not modeled; {consequence}");
            self.limit(code, effect, path, position);
        }
    }

    /// The warnings and limits in text order: of each at most [`crate::MAXIMUM_DIAGNOSTICS`], then one that says so.
    ///
    /// # Errors
    /// The errors in text order, with the same limit; warnings are omitted.
    pub fn finish(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        for (headers, limit) in core::mem::take(&mut self.header_limits) {
            if is_any_in(&headers, &self.headers) {
                self.findings.once(limit);
            }
        }
        self.findings.finish()
    }
}

/// Whether one of these headers is among those that are read.
fn is_any_in(headers: &str, read: &BTreeSet<String>) -> bool {
    headers.split_ascii_whitespace().any(|name| {
        let from = (Bound::Included(name), Bound::Unbounded);
        let next = read.range::<str, _>(from).next();
        next.is_some_and(|next| next == name || name.ends_with('-') && next.starts_with(name))
    })
}

impl Diagnostic {
    /// Adds it to the report.
    pub fn push_to(self, report: &mut Report) {
        report.push(self);
    }
}
