//! The priorities that serve a request: those of the cluster or of a subset.

use alloc::{vec, vec::Vec};

use crate::{
    load::{PriorityHealth, PriorityLoad},
    model::{Health, HealthStatus, Metadata},
    plan::{SetTarget, Sets},
    snapshot::PlainSnapshot,
    subset::ChosenSubset,
};

/// Health and loads of the set of hosts that is tried first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Priorities {
    /// The set and why it was chosen; `None` for a cluster without subsets, or if no set serves the
    /// criteria.
    pub subset: Option<ChosenSubset>,
    /// The health of each priority of the set.
    pub health: Vec<PriorityHealth>,
    /// The loads. If no set serves the criteria, all loads are 0 and no priority is in panic mode.
    pub load: PriorityLoad,
}

/// The priorities for requests with these subset criteria. If the first set has no host and a
/// fallback serves, the result still has the priorities of the first set.
///
/// # Examples
/// ```
/// use spillgate_core::{inspect::priorities, model::*, snapshot::Snapshot};
///
/// let unhealthy = Endpoint {
///     health: Health::from_status(HealthStatus::Unhealthy),
///     ..Endpoint::new("10.0.0.2:80")
/// };
/// let shop = PlainCluster {
///     priorities: vec![
///         Priority::single_locality(vec![Endpoint::new("10.0.0.1:80"), unhealthy]),
///         Priority::single_locality(vec![Endpoint::new("10.0.1.1:80")]),
///     ],
///     ..PlainCluster::default()
/// };
/// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
/// let plain = snapshot.plain(snapshot.cluster_id("shop").unwrap()).unwrap();
/// let found = priorities(plain, &Metadata::EMPTY);
/// assert_eq!(found.health[0].healthy, 1);
/// assert_eq!(found.load.healthy, [70, 30]);
/// ```
#[must_use]
pub fn priorities(plain: &PlainSnapshot, criteria: &Metadata) -> Priorities {
    let whole = Priorities {
        subset: None,
        health: plain.whole.health(),
        load: plain.whole.load.clone(),
    };
    let Ok(step) = plain.serving_step(criteria, |_, _, _| {}) else {
        return unserved(whole);
    };
    let subset = match plain.sets(step) {
        Sets::Whole => return whole,
        Sets::Step(step) => Some(step),
        Sets::Subsets(subsets) => subsets.first(criteria),
    };
    match subset.map(|subset| plain.target(subset)) {
        Some(SetTarget::Set(planned)) => Priorities {
            subset,
            health: planned.set.health(),
            load: planned.set.load.clone(),
        },
        Some(SetTarget::Host { priority, host }) => Priorities {
            subset,
            ..of_one(plain, priority, one(plain, priority, host))
        },
        Some(SetTarget::Missing) | None => unserved(whole),
    }
}

/// The health of a single host as that of a priority.
pub(super) fn one(plain: &PlainSnapshot, priority: usize, host: usize) -> PriorityHealth {
    let health = plain.priorities.get(priority).map(|of| of.health(host));
    let health = health.unwrap_or(Health::from_status(HealthStatus::Unhealthy));
    let settings = &plain.settings;
    let weighted = settings.weighted_priority_health;
    PriorityHealth::count([(health, 1)], weighted, settings.overprovisioning_factor)
}

/// A subset with a single host, which gets all requests whatever its health.
pub(super) fn of_one(plain: &PlainSnapshot, number: usize, host: PriorityHealth) -> Priorities {
    let count = plain.priorities.len();
    let mut found = Priorities {
        health: vec![PriorityHealth::default(); count],
        load: idle(count),
        ..Priorities::default()
    };
    if let Some(priority) = found.health.get_mut(number) {
        *priority = host;
    }
    if let Some(availability) = found.load.availability.get_mut(number) {
        *availability = host.availability();
    }
    if let Some(load) = found.load.healthy.get_mut(number) {
        *load = 100;
    }
    found
}

pub(super) fn unserved(whole: Priorities) -> Priorities {
    Priorities {
        load: PriorityLoad {
            availability: whole.load.availability,
            normalized_total: whole.load.normalized_total,
            ..idle(whole.health.len())
        },
        ..whole
    }
}

fn idle(count: usize) -> PriorityLoad {
    PriorityLoad {
        availability: vec![Default::default(); count],
        normalized_total: 0,
        healthy: vec![0; count],
        degraded: vec![0; count],
        panic: vec![false; count],
        total_panic: false,
        frozen_priorities: 0,
    }
}
