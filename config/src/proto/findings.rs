//! The diagnostics of an input, collected while it is read.

use alloc::{format, vec::Vec};

use spillgate_core::order;

use crate::{Diagnostic, DiagnosticSeverity, Position};

/// Maximum number of diagnostics kept. No one reads more, and a hostile input must not produce a
/// much larger report.
const MAXIMUM: usize = 1000;

/// The diagnostics so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: Vec<Diagnostic>,
    errors: usize,
    /// Errors beyond [`MAXIMUM`].
    hidden: usize,
    repeated: Vec<Repeated>,
}

/// A warning that applies to many places, with the number of further ones.
#[derive(Debug)]
struct Repeated {
    first: Diagnostic,
    further: usize,
}

impl Findings {
    /// Adds a diagnostic.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let error = diagnostic.severity == DiagnosticSeverity::Error;
        self.errors += usize::from(error);
        if self.kept.len() < MAXIMUM {
            self.kept.push(diagnostic);
        } else if error {
            self.hidden += 1;
        }
    }

    /// Adds a warning once, with the number of repetitions.
    pub(super) fn once(&mut self, warning: Diagnostic) {
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

    /// Whether further diagnostics are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.kept.len() >= MAXIMUM
    }

    /// The number of errors so far.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// The warnings in text order, or all errors if there are any.
    pub(super) fn finish(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if self.errors > 0 {
            self.kept
                .retain(|d| d.severity == DiagnosticSeverity::Error);
            in_text_order(&mut self.kept);
            if self.hidden > 0 {
                self.kept.push(Diagnostic::error(
                    "config/more",
                    format!("too many errors; {} not listed", self.hidden),
                ));
            }
            return Err(self.kept);
        }
        for Repeated { mut first, further } in self.repeated {
            if further > 0 {
                let places = if further == 1 { "place" } else { "places" };
                first.message = format!("{} (and in {further} more {places})", first.message);
            }
            self.kept.push(first);
        }
        in_text_order(&mut self.kept);
        Ok(self.kept)
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
