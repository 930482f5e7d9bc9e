//! The earlier attempts of requests that make another one: grouped by what the next attempt can distinguish.

use alloc::{collections::BTreeMap, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    route::{HostPredicate, RetryPolicy},
    snapshot::HostRef,
};

/// The most groups; beyond it, only the host of the last attempt distinguishes requests.
const MOST: usize = 64;

/// Requests that failed, by the classes of the hosts that they tried and the time that they took.
#[derive(Debug, Default)]
pub(super) struct RetryStates {
    states: BTreeMap<(Vec<usize>, Duration), RetryState>,
}

/// Requests with equal earlier attempts.
#[derive(Debug, Clone, Default)]
pub(super) struct RetryState {
    /// The classes of the tried hosts, sorted.
    classes: Vec<usize>,
    /// A host of each class.
    pub(super) tried: Vec<HostRef>,
    /// The time of the attempts so far.
    pub(super) elapsed: Duration,
    /// The part of all requests.
    pub(super) part: f64,
}

/// Whether later attempts depend on the hosts of earlier ones.
pub(super) fn depends_on_tried(policy: &RetryPolicy) -> bool {
    let avoids = |of: &HostPredicate| matches!(of, HostPredicate::PreviousHosts);
    policy.previous_priorities.is_some() || policy.predicates.iter().any(avoids)
}

impl RetryState {
    /// The first attempts of a part of the requests.
    pub(super) fn first(part: f64) -> Self {
        Self {
            part,
            ..Self::default()
        }
    }
}

impl RetryStates {
    /// Adds requests of a state that failed on a host of a class after a time.
    pub(super) fn add(
        &mut self,
        from: &RetryState,
        (class, host, after): (usize, HostRef, Duration),
        part: f64,
        distinguishes: bool,
    ) {
        let (mut classes, mut tried) = (Vec::new(), from.tried.clone());
        tried.push(host);
        if distinguishes && self.states.len() < MOST {
            classes.clone_from(&from.classes);
            classes.push(class);
            classes.sort_unstable();
        } else if distinguishes {
            classes.push(class);
        }
        let elapsed = from.elapsed.saturating_add(after);
        let new = || RetryState {
            classes: classes.clone(),
            tried,
            elapsed,
            part: 0.0,
        };
        let key = (classes.clone(), elapsed);
        self.states.entry(key).or_insert_with(new).part += part;
    }

    pub(super) fn into_states(self) -> impl Iterator<Item = RetryState> {
        self.states.into_values()
    }
}
