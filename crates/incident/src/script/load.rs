//! The requests per second of a script: constant, or in steps.

use alloc::vec::Vec;
use core::time::Duration;

/// The requests per second over time.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestLoad {
    /// By time; the first one starts at 0.
    steps: Vec<LoadStep>,
    /// Whether the load is a default.
    assumed: bool,
}

/// A load from a time on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadStep {
    /// Its start.
    pub from: Duration,
    /// Requests per second, from 0.
    pub rps: f64,
}

impl RequestLoad {
    /// The load if none is stated.
    pub const DEFAULT_RPS: f64 = 100.0;

    /// The same load all the time.
    #[must_use]
    pub fn constant(rps: f64) -> Self {
        Self {
            steps: [LoadStep {
                from: Duration::ZERO,
                rps,
            }]
            .into(),
            assumed: false,
        }
    }

    /// Steps in any order; the first load also counts before its time.
    #[must_use]
    pub fn in_steps(mut steps: Vec<LoadStep>) -> Self {
        if steps.is_empty() {
            return Self::default();
        }
        steps.sort_by_key(|step| step.from);
        if let Some(first) = steps.first_mut() {
            first.from = Duration::ZERO;
        }
        Self {
            steps,
            assumed: false,
        }
    }

    /// The steps by time; the first one starts at 0.
    #[must_use]
    pub fn steps(&self) -> &[LoadStep] {
        &self.steps
    }

    /// Whether the load is the default, so figures in requests are examples.
    #[must_use]
    pub const fn is_assumed(&self) -> bool {
        self.assumed
    }

    /// The requests per second at a time.
    #[must_use]
    pub fn at(&self, time: Duration) -> f64 {
        let started = self.steps.iter().take_while(|step| step.from <= time);
        started.last().map_or(0.0, |step| step.rps)
    }

    /// The highest load.
    #[must_use]
    pub fn highest(&self) -> f64 {
        self.steps.iter().fold(0.0, |most, step| step.rps.max(most))
    }
}

impl Default for RequestLoad {
    fn default() -> Self {
        Self {
            assumed: true,
            ..Self::constant(Self::DEFAULT_RPS)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_in_the_order_of_time() {
        let step = |seconds, rps| LoadStep {
            from: Duration::from_secs(seconds),
            rps,
        };
        let load = RequestLoad::in_steps([step(60, 400.0), step(5, 200.0)].into());
        assert_eq!(load.at(Duration::ZERO), 200.0);
        assert_eq!(load.at(Duration::from_secs(60)), 400.0);
        assert!(!load.is_assumed());
        assert!(RequestLoad::default().is_assumed());
    }
}
