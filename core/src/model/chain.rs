//! A chain of subsets: groups of hosts that are tried in turn until one is healthy enough.
//! Ours, not Envoy's: Envoy falls back only where a subset does not exist.

use alloc::{sync::Arc, vec::Vec};
use core::{fmt, ops::Deref};

use super::{Metadata, PanicThreshold, subset::sorted};

/// One step of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainStep {
    /// Whose hosts it asks.
    pub hosts: ChainHosts,
    /// How many of them must be healthy. Degraded hosts are not.
    pub min_healthy_hosts: u32,
    /// How many percent of them must be healthy, 0 to 100, over all priorities; excluded hosts are
    /// not counted.
    pub min_healthy_percent: u32,
    /// The panic threshold in this step, in place of the cluster's.
    pub panic_threshold: PanicThreshold,
    /// Whether the step serves even below its minima: better a doubtful host than none. While no
    /// priority has a usable host all hosts of the step serve, as in total panic. Only the last
    /// step of a chain can be one.
    pub last_resort: bool,
}

/// The hosts of a step. Values compare as in subsets: `1` is neither `"1"` nor `true`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainHosts {
    /// Those that carry what the request's criteria have under these keys; the step is skipped
    /// for requests that lack one of them.
    Keys(Vec<Arc<str>>),
    /// Those that carry these values.
    Match(Metadata),
    /// All.
    Any,
}

/// How many hosts a step has for a request, over all priorities; in an aggregate, of all members.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StepHealth {
    /// All, excluded ones too.
    pub hosts: u32,
    /// Those that are not excluded.
    pub counted: u32,
    /// The healthy ones.
    pub healthy: u32,
}

impl ChainStep {
    /// A step as it is without further settings: one healthy host will do, and no panic.
    #[must_use]
    pub const fn new(hosts: ChainHosts) -> Self {
        Self {
            hosts,
            min_healthy_hosts: 1,
            min_healthy_percent: 0,
            panic_threshold: PanicThreshold::OFF,
            last_resort: false,
        }
    }

    /// Whether so many hosts are enough.
    #[must_use]
    pub fn is_met(&self, health: StepHealth) -> bool {
        let wanted = u64::from(self.min_healthy_percent) * u64::from(health.counted.max(1));
        health.healthy >= self.min_healthy_hosts && u64::from(health.healthy) * 100 >= wanted
    }
}

impl StepHealth {
    /// Percent of the counted hosts that are healthy, rounded down; 0 where none is counted.
    #[must_use]
    pub const fn percent(self) -> u32 {
        match (self.healthy as u64 * 100).checked_div(self.counted as u64) {
            Some(percent) => percent as u32,
            None => 0,
        }
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            hosts: self.hosts.saturating_add(other.hosts),
            counted: self.counted.saturating_add(other.counted),
            healthy: self.healthy.saturating_add(other.healthy),
        }
    }
}

/// The steps of a chain in order, legal and in the form that is looked up: keys sorted, each once; a
/// step without keys or without values asks any host. Without a step Envoy's own subset rules hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FallbackChain(Vec<ChainStep>);

/// Why steps are no chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChainError {
    /// The minimum of the step at this place, from 0, is above 100 percent.
    PercentAbove100(usize),
    /// The step at this place, from 0, is a last resort and not the last one.
    LastResortNotLast(usize),
}

impl FallbackChain {
    /// Checks the steps and sorts their keys.
    ///
    /// # Errors
    /// The first step that is not legal.
    pub fn new(mut steps: Vec<ChainStep>) -> Result<Self, ChainError> {
        let last = steps.len().saturating_sub(1);
        for (at, step) in steps.iter_mut().enumerate() {
            if step.min_healthy_percent > 100 {
                return Err(ChainError::PercentAbove100(at));
            }
            if step.last_resort && at != last {
                return Err(ChainError::LastResortNotLast(at));
            }
            match &mut step.hosts {
                ChainHosts::Keys(keys) if !keys.is_empty() => {
                    *keys = sorted(core::mem::take(keys));
                }
                ChainHosts::Match(values) if !values.is_empty() => {}
                hosts => *hosts = ChainHosts::Any,
            }
        }
        Ok(Self(steps))
    }
}

impl Deref for FallbackChain {
    type Target = [ChainStep];

    fn deref(&self) -> &[ChainStep] {
        &self.0
    }
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PercentAbove100(at) => {
                write!(f, "step {at} requires more than 100 percent healthy hosts")
            }
            Self::LastResortNotLast(at) => {
                write!(f, "step {at} is a last resort, but not the last step")
            }
        }
    }
}

impl core::error::Error for ChainError {}

#[cfg(test)]
mod tests {
    use super::*;

    const fn health(hosts: u32, counted: u32, healthy: u32) -> StepHealth {
        StepHealth {
            hosts,
            counted,
            healthy,
        }
    }

    #[test]
    fn both_minima_must_be_met() {
        let step = ChainStep {
            min_healthy_hosts: 2,
            min_healthy_percent: 50,
            ..ChainStep::new(ChainHosts::Any)
        };
        assert!(step.is_met(health(4, 4, 2)));
        assert!(!step.is_met(health(5, 5, 2)));
        assert!(!step.is_met(health(1, 1, 1)));
        assert!(step.is_met(health(9, 4, 2)), "five are excluded");
    }

    #[test]
    fn a_step_of_excluded_hosts_has_no_healthy_percent() {
        let step = |min_healthy_percent| ChainStep {
            min_healthy_hosts: 0,
            min_healthy_percent,
            ..ChainStep::new(ChainHosts::Any)
        };
        assert!(!step(1).is_met(health(3, 0, 0)));
        assert!(step(0).is_met(health(3, 0, 0)));
    }

    #[test]
    fn keys_are_sorted_and_what_asks_for_nothing_asks_any_host() {
        let keys = ["b", "a", "b"].map(Arc::from).into();
        let steps = [
            ChainHosts::Keys(keys),
            ChainHosts::Keys(Vec::new()),
            ChainHosts::Match(Metadata::EMPTY),
        ];
        let chain = FallbackChain::new(steps.map(ChainStep::new).into()).unwrap();
        let hosts: Vec<&ChainHosts> = chain.iter().map(|step| &step.hosts).collect();
        let sorted = ChainHosts::Keys(["a", "b"].map(Arc::from).into());
        assert_eq!(hosts, [&sorted, &ChainHosts::Any, &ChainHosts::Any]);
    }

    #[test]
    fn an_illegal_step_is_an_error() {
        let step = ChainStep::new(ChainHosts::Any);
        let resort = ChainStep {
            last_resort: true,
            ..step.clone()
        };
        let percent = ChainStep {
            min_healthy_percent: 101,
            ..step.clone()
        };
        let chain = |steps: &[&ChainStep]| {
            FallbackChain::new(steps.iter().map(|&step| step.clone()).collect())
        };
        assert!(chain(&[&step, &resort]).is_ok());
        let early = chain(&[&step, &resort, &step]);
        assert_eq!(early, Err(ChainError::LastResortNotLast(1)));
        assert_eq!(chain(&[&percent]), Err(ChainError::PercentAbove100(0)));
    }
}
