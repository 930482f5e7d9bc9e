//! The subset fallback chain: host groups that are tried in order until one is healthy enough.
//!
//! This is an extension of Spillgate. Envoy's subset load balancer falls back only if a subset does
//! not exist; a subset whose hosts are all unhealthy never falls back. With a chain, a request uses
//! the first step that has enough healthy hosts:
//!
//! - A step of [`ChainHosts::Keys`] is skipped if the request lacks one of its criteria keys.
//! - A step without matching hosts is skipped.
//! - A step is skipped if fewer than [`min_healthy_hosts`](ChainStep::min_healthy_hosts) hosts, or
//!   less than [`min_healthy_percent`](ChainStep::min_healthy_percent) of its counted hosts, are
//!   healthy.
//! - If no step is left, the request has no host (503), unless the last step is a [last
//!   resort](ChainStep::last_resort).
//!
//! Priorities, loads and panic mode are computed over the hosts of the step alone. In an aggregate
//! the hosts of all members count together.
//!
//! Only healthy hosts count: a step with only degraded hosts should yield to a healthy one.
//! Excluded hosts do not count towards the percentage, as in panic mode. Within a step everything
//! works as in Envoy, including requests without a host (degraded hosts under hash policies). Only
//! a last resort differs: if its cluster contains a host, the request gets one.
//!
//! All counts are computed when the snapshot is built, so a step that does not serve costs a lookup
//! and two comparisons.

use alloc::{sync::Arc, vec::Vec};
use core::{fmt, ops::Deref};

use super::{Metadata, PanicThreshold, subset::sorted};

/// One step of a chain.
///
/// # Examples
/// ```
/// use spillgate_core::model::{ChainHosts, ChainStep, StepHealth};
///
/// let step = ChainStep {
///     min_healthy_hosts: 2,
///     min_healthy_percent: 50,
///     ..ChainStep::new(ChainHosts::Keys(vec!["version".into()]))
/// };
/// let health = |healthy| StepHealth { hosts: 5, counted: 5, healthy };
/// assert!(!step.is_met(health(2))); // 40 percent
/// assert!(step.is_met(health(3)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainStep {
    /// The hosts of the step.
    pub hosts: ChainHosts,
    /// The number of hosts that must be healthy, 0 to 2^32-1; default 1. Degraded hosts do not
    /// count as healthy.
    pub min_healthy_hosts: u32,
    /// The percentage of counted hosts that must be healthy, 0 to 100; default 0. The hosts of all
    /// priorities count together, without excluded hosts.
    pub min_healthy_percent: u32,
    /// The panic threshold inside this step, in percent. It replaces `healthy_panic_threshold` of
    /// the cluster; default [`PanicThreshold::OFF`].
    pub panic_threshold: PanicThreshold,
    /// Whether the step also serves below its minimum; default false. If no priority of the step
    /// has a usable host, all hosts of the step serve, as in total panic. Only the last step of a
    /// chain can be a last resort.
    pub last_resort: bool,
    /// Whether retries leave the step; default false. The candidate list of a decision then has, after
    /// the chosen host, hosts of the step that would serve next. The last step has no next one.
    pub retry_next_step: bool,
}

/// The hosts of a step. Values compare as in subsets: `1` equals neither `"1"` nor `true`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainHosts {
    /// Hosts whose `envoy.lb` metadata has the same values as the request's criteria under these
    /// keys. The step is skipped for requests that lack one of the keys.
    Keys(Vec<Arc<str>>),
    /// Hosts whose `envoy.lb` metadata has these values, whatever the request's criteria.
    Match(Metadata),
    /// All hosts.
    Any,
}

/// Host counts of a step for one request, over all priorities; in an aggregate, over all members.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StepHealth {
    /// All hosts, including excluded hosts.
    pub hosts: u32,
    /// Hosts that are not [excluded](Health::excluded).
    pub counted: u32,
    /// Healthy hosts.
    pub healthy: u32,
}

impl ChainStep {
    /// A step with defaults: at least one healthy host, no minimum percentage, panic mode disabled,
    /// not a last resort.
    #[must_use]
    pub const fn new(hosts: ChainHosts) -> Self {
        Self {
            hosts,
            min_healthy_hosts: 1,
            min_healthy_percent: 0,
            panic_threshold: PanicThreshold::OFF,
            last_resort: false,
            retry_next_step: false,
        }
    }

    /// Whether these host counts meet both minimums. With no counted hosts the percentage requires
    /// at least one, so a step that requires a percentage is not met.
    #[must_use]
    pub fn is_met(&self, health: StepHealth) -> bool {
        let required = u64::from(self.min_healthy_percent) * u64::from(health.counted.max(1));
        health.healthy >= self.min_healthy_hosts && u64::from(health.healthy) * 100 >= required
    }
}

impl StepHealth {
    /// Healthy hosts in percent of the counted hosts, rounded down; 0 if no host is counted.
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

/// A valid subset fallback chain, in the normal form that lookups use.
///
/// Keys are sorted and unique. A step without keys or without values becomes [`ChainHosts::Any`].
/// An empty chain means that Envoy's own subset rules apply.
///
/// # Examples
/// ```
/// use spillgate_core::model::{ChainError, ChainHosts, ChainStep, FallbackChain};
///
/// let by_version = ChainStep::new(ChainHosts::Keys(vec!["version".into()]));
/// let any = ChainStep {
///     last_resort: true,
///     ..ChainStep::new(ChainHosts::Any)
/// };
/// let chain = FallbackChain::new(vec![by_version.clone(), any.clone()]).unwrap();
/// assert_eq!(chain.len(), 2);
///
/// let error = FallbackChain::new(vec![any, by_version]).unwrap_err();
/// assert_eq!(error, ChainError::LastResortNotLast(0));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FallbackChain(Vec<ChainStep>);

/// Why a list of steps is not a valid chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChainError {
    /// [`ChainStep::min_healthy_percent`] of the step with this index, from 0, exceeds 100.
    PercentAbove100(usize),
    /// The step with this index, from 0, is a last resort but not the last step.
    LastResortNotLast(usize),
    /// Retries leave the step with this index, from 0, but it is the last one.
    NoNextStep(usize),
}

impl FallbackChain {
    /// Checks the steps and sorts their keys.
    ///
    /// # Errors
    /// The error of the first invalid step.
    pub fn new(mut steps: Vec<ChainStep>) -> Result<Self, ChainError> {
        let last = steps.len().saturating_sub(1);
        for (at, step) in steps.iter_mut().enumerate() {
            if step.min_healthy_percent > 100 {
                return Err(ChainError::PercentAbove100(at));
            }
            if step.last_resort && at != last {
                return Err(ChainError::LastResortNotLast(at));
            }
            if step.retry_next_step && at == last {
                return Err(ChainError::NoNextStep(at));
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
            Self::NoNextStep(at) => {
                write!(f, "retries leave step {at}, but it is the last step")
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
        assert!(step.is_met(health(9, 4, 2)), "five hosts are excluded");
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
    fn keys_are_sorted_and_an_empty_step_becomes_any_host() {
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
        let retried = ChainStep {
            retry_next_step: true,
            ..step.clone()
        };
        assert!(chain(&[&retried, &step]).is_ok());
        assert_eq!(chain(&[&step, &retried]), Err(ChainError::NoNextStep(1)));
    }
}
