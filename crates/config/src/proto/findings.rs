//! The diagnostics of an input, collected while it is read.

use alloc::{format, vec::Vec};

use spillgate_core::order;

use crate::{
    Affects, Diagnostic, DiagnosticSeverity, MAXIMUM_DIAGNOSTICS, Position, node::Node,
    secret_values,
};

/// The diagnostics so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// At most [`MAXIMUM_DIAGNOSTICS`] of each severity.
    kept: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    limits: usize,
    repeated: Vec<Repeated>,
    /// What only simulations over time do not model.
    over_time: Vec<Repeated>,
}

/// A warning or a limit that applies to many places, with the number of further ones.
#[derive(Debug)]
struct Repeated {
    first: Diagnostic,
    further: usize,
}

impl Repeated {
    /// Whether a finding says the same about the same part.
    fn is_of(&self, other: &Diagnostic) -> bool {
        let first = &self.first;
        (first.code, &first.message, &first.affects) == (other.code, &other.message, &other.affects)
    }

    /// The first one, with the number of the others.
    fn counted(self) -> Diagnostic {
        let Self { mut first, further } = self;
        if further > 0 {
            let places = if further == 1 { "place" } else { "places" };
            first.message = format!("{} (and in {further} more {places})", first.message);
        }
        first
    }
}

impl Findings {
    /// Adds a diagnostic.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            DiagnosticSeverity::Error => &mut self.errors,
            DiagnosticSeverity::Warning => &mut self.warnings,
            DiagnosticSeverity::Limit => &mut self.limits,
        };
        *count += 1;
        if *count <= MAXIMUM_DIAGNOSTICS {
            self.kept.push(diagnostic);
        }
    }

    /// Whether there is an error or a warning about the value at a path.
    #[cfg(feature = "health")]
    pub(super) fn has_fault_at(&self, path: &str) -> bool {
        let mut faults = self.kept.iter();
        faults.any(|of| of.severity != DiagnosticSeverity::Limit && of.path == path)
    }

    /// Adds a warning or a limit once, with the number of repetitions.
    pub(super) fn once(&mut self, warning: Diagnostic) {
        let mut known = self.repeated.iter_mut();
        if let Some(known) = known.find(|known| known.is_of(&warning)) {
            known.further += 1;
        } else if self.repeated.len() < MAXIMUM_DIAGNOSTICS {
            self.repeated.push(Repeated {
                first: warning,
                further: 0,
            });
        } else {
            self.push(warning);
        }
    }

    /// Adds a limit of simulations over time once, with the number of repetitions.
    #[cfg(feature = "yaml")]
    pub(super) fn over_time(&mut self, limit: Diagnostic) {
        let mut known = self.over_time.iter_mut();
        if let Some(known) = known.find(|known| known.is_of(&limit)) {
            known.further += usize::from(known.first.position != limit.position);
        } else if self.over_time.len() < MAXIMUM_DIAGNOSTICS {
            self.over_time.push(Repeated {
                first: limit,
                further: 0,
            });
        }
    }

    /// The limits of simulations over time.
    pub(super) fn take_over_time(&mut self) -> Vec<Diagnostic> {
        let all = core::mem::take(&mut self.over_time).into_iter();
        all.map(Repeated::counted).collect()
    }

    /// Makes a kept warning an error.
    pub(super) fn refuse(&mut self, number: usize) {
        if let Some(warning) = self.kept.get_mut(number) {
            warning.severity = DiagnosticSeverity::Error;
            self.warnings = self.warnings.saturating_sub(1);
            self.errors += 1;
        }
    }

    /// How many diagnostics are kept.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// The diagnostics after the first `known` ones.
    #[cfg(feature = "mesh")]
    pub(super) fn since(&self, known: usize) -> &[Diagnostic] {
        self.kept.get(known..).unwrap_or_default()
    }

    /// Removes the found values from all diagnostics after the first `known` ones.
    pub(super) fn hide_texts_after(&mut self, known: usize) {
        for finding in self.kept.iter_mut().skip(known) {
            finding.found = None;
        }
    }

    /// Hides the found values that are secrets by a name next to them.
    pub(super) fn hide_secrets<'n, 'a: 'n>(
        &mut self,
        roots: impl IntoIterator<Item = &'n Node<'a>>,
    ) {
        secret_values::hide(&mut self.kept, roots);
    }

    /// Whether there are more errors than are kept, so that reading on is in vain.
    pub(super) fn is_full(&self) -> bool {
        self.errors > MAXIMUM_DIAGNOSTICS
    }

    /// The number of errors so far.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// The warnings and limits in text order, or the errors if there are any.
    pub(super) fn finish(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        for repeated in core::mem::take(&mut self.repeated) {
            self.push(repeated.counted());
        }
        if self.errors > 0 {
            self.kept
                .retain(|d| d.severity == DiagnosticSeverity::Error);
        }
        in_text_order(&mut self.kept);
        if self.errors == 0 {
            if self.warnings > MAXIMUM_DIAGNOSTICS {
                self.kept
                    .push(Diagnostic::warning("config/more", MORE_WARNINGS));
            }
            if self.limits > MAXIMUM_DIAGNOSTICS {
                let more = Diagnostic::limit("config/more", MORE_LIMITS, Affects::Everything);
                self.kept.push(more);
            }
            return Ok(self.kept);
        }
        if self.is_full() {
            self.kept
                .push(Diagnostic::error("config/more", MORE_ERRORS));
        }
        Err(self.kept)
    }
}

const MORE_ERRORS: &str = "reading stopped after 1000 errors; fix these first";
const MORE_LIMITS: &str = "more than 1000 settings are not modeled; the others are not listed";
const MORE_WARNINGS: &str = "more than 1000 warnings; the others are not listed";

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
