//! The headline: the worst that is true of a result, and its reason as a calculation.
//!
//! | file | content |
//! |---|---|
//! | `sentence` | who takes the traffic |
//! | `reason` | the second line |

mod reason;
mod sentence;
#[cfg(test)]
mod tests;

use spillgate_explain::report::{ResultSeverity, ResultVerdict};

use super::ScenarioOutcome;
use reason::reason;
use sentence::sentence;
pub use sentence::{SentencePart, plain_text};

/// What a result says first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headline {
    /// The worst that is true.
    pub severity: ResultSeverity,
    /// It in one or two words: `Panic`.
    pub label: &'static str,
    /// The sentence after the label.
    pub parts: Vec<SentencePart>,
    /// The reason, as a calculation where there is one.
    pub reason: String,
}

impl Headline {
    /// The headline of a result.
    #[must_use]
    pub fn of(outcome: &ScenarioOutcome) -> Self {
        let ResultVerdict { severity, label } = outcome.verdict();
        Self {
            severity,
            label,
            parts: sentence(severity, outcome),
            reason: reason(severity, outcome),
        }
    }

    /// `Spillover: P0 takes 70 % of the traffic, P1 takes 30 %.`
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{}: {}", self.label, plain_text(&self.parts))
    }

    /// The sentence and the reason.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} {}", self.sentence(), self.reason)
    }
}
