//! What Envoy did on both sides of a pair, against what the comparison says.

use super::binomial::{ROUNDING, binomial_near};
use super::pair::PairAnswer;
use crate::differential::Observations;

/// What Envoy did, and what the engine answers.
pub(super) struct Seen<'s> {
    pub(super) old: &'s Observations,
    pub(super) new: &'s Observations,
    /// Nothing for requests whose check needs no answer.
    pub(super) answers: &'s [Option<PairAnswer>],
}

/// The result of a check.
#[derive(Debug, Default)]
pub(super) struct PairCheck {
    /// What contradicts the comparison for certain.
    pub(super) differences: Vec<String>,
    /// Tests of counts.
    pub(super) tests: Vec<CountTest>,
    /// Requests with deterministic choices that had to be equal.
    pub(super) determined: usize,
    /// Requests with random choices whose distribution had to be equal.
    pub(super) random: usize,
}

/// A test of a count or of several.
#[derive(Debug)]
pub(super) struct CountTest {
    pub(super) kind: TestKind,
    /// What was predicted, and what was counted.
    pub(super) what: String,
    /// The probability of such counts if the prediction is true.
    pub(super) probability: f64,
}

/// What a test is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TestKind {
    /// Distributions that must be equal.
    Equal,
    /// The share of a host, a priority or a locality, or of requests without a host.
    Share,
    /// The fraction of keys that move.
    MovedKeys,
    /// The fraction of requests that take a route.
    Route,
}

impl TestKind {
    /// The name in reports.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal distributions",
            Self::Share => "predicted shares",
            Self::MovedKeys => "fractions of moved keys",
            Self::Route => "fractions of routes",
        }
    }
}

/// A predicted fraction of requests, from 0 to 1.
pub(super) struct PredictedFraction {
    pub(super) kind: TestKind,
    pub(super) what: String,
    pub(super) fraction: f64,
    /// The fraction can be wrong by that much.
    pub(super) error: f64,
}

impl PairCheck {
    /// Compares a prediction with a count of requests. One that says none or all needs no test.
    pub(super) fn compare(&mut self, predicted: PredictedFraction, count: u64, of: u64) {
        let PredictedFraction {
            kind,
            what,
            fraction,
            error,
        } = predicted;
        let what = format!("{what}: {:.3} %, counted {count} of {of}", fraction * 100.0);
        let certain = [(0.0, 0), (1.0, of)].into_iter();
        let certain = certain.filter(|_| error == 0.0);
        let mut certain = certain.filter(|(all, _)| (fraction - all).abs() < ROUNDING);
        match certain.next() {
            Some((_, expected)) if expected != count => self.differences.push(what),
            Some(_) => {}
            None => self.test(kind, binomial_near(count, of, fraction, error), what),
        }
    }

    /// Adds a test.
    pub(super) fn test(&mut self, kind: TestKind, probability: f64, what: String) {
        self.tests.push(CountTest {
            kind,
            what,
            probability,
        });
    }

    /// The smallest probability of all tests.
    pub(super) fn smallest(&self) -> f64 {
        self.tests
            .iter()
            .map(|test| test.probability)
            .fold(1.0, f64::min)
    }
}
