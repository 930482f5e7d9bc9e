//! The priorities that serve a request: of the cluster, or of the subset that its criteria lead to.

use alloc::{vec, vec::Vec};

use crate::{
    load::{PriorityHealth, PriorityLoad},
    model::{Health, HealthStatus, Metadata},
    plan::{Asked, Sets},
    snapshot::PlainSnapshot,
    subset::ChosenSubset,
};

/// Health and loads of the set of hosts that is asked first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Priorities {
    /// Which set that is, and why; `None` where there are no subsets, or where nothing serves
    /// the criteria.
    pub subset: Option<ChosenSubset>,
    /// The health of each priority of the set.
    pub health: Vec<PriorityHealth>,
    /// The loads. Where nothing serves the criteria there are none, and no panic.
    pub load: PriorityLoad,
}

/// The priorities for requests with these subset criteria. Where the first set has no host and a
/// further one steps in, these still are the priorities of the first.
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
    match subset.map(|subset| plain.asked(subset)) {
        Some(Asked::Set(asked)) => Priorities {
            subset,
            health: asked.set.health(),
            load: asked.set.load.clone(),
        },
        Some(Asked::Host { priority, host }) => Priorities {
            subset,
            ..of_one(plain, priority, host)
        },
        Some(Asked::Nobody) | None => unserved(whole),
    }
}

/// A subset of one host, which gets everything whatever its health.
fn of_one(plain: &PlainSnapshot, number: usize, host: usize) -> Priorities {
    let count = plain.priorities.len();
    let mut found = Priorities {
        health: vec![PriorityHealth::default(); count],
        load: idle(count),
        ..Priorities::default()
    };
    let weighted = plain.settings.weighted_priority_health;
    let factor = plain.settings.overprovisioning_factor;
    let health = plain
        .priorities
        .get(number)
        .map(|priority| priority.health(host));
    let health = health.unwrap_or(Health::from_status(HealthStatus::Unhealthy));
    if let Some(priority) = found.health.get_mut(number) {
        *priority = PriorityHealth::count([(health, 1)], weighted, factor);
    }
    if let Some(availability) = found.load.availability.get_mut(number) {
        *availability = found
            .health
            .get(number)
            .map(PriorityHealth::availability)
            .unwrap_or_default();
    }
    if let Some(load) = found.load.healthy.get_mut(number) {
        *load = 100;
    }
    found
}

fn unserved(whole: Priorities) -> Priorities {
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
        kept: 0,
    }
}
