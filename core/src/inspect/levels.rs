//! The levels that serve a request: of the cluster, or of the subset that its criteria lead to.

use alloc::{vec, vec::Vec};
use core::ops::ControlFlow;

use crate::{
    load::{LevelHealth, PriorityLoad},
    model::{Health, HealthStatus, Metadata},
    snapshot::PlainSnapshot,
    subset::{Choice, SubsetReason, first_step},
};

/// Health and loads of the set of hosts that is asked first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Levels {
    /// Which set that is, and why; `None` where there are no subsets, or where nothing serves
    /// the criteria.
    pub choice: Option<(Choice, SubsetReason)>,
    /// The health of each level of the set.
    pub health: Vec<LevelHealth>,
    /// The loads. Where nothing serves the criteria there are none, and no panic.
    pub load: PriorityLoad,
}

/// The levels for requests with these subset criteria. Where the first set has no host and a
/// further one steps in, these still are the levels of the first.
#[must_use]
pub fn levels(plain: &PlainSnapshot, criteria: &Metadata) -> Levels {
    let whole = Levels {
        choice: None,
        health: plain.whole.health(),
        load: plain.whole.load.clone(),
    };
    let mut first = None;
    match &plain.subsets {
        _ if !plain.chain.is_empty() => {
            let mut steps = plain.chain.iter().map(|step| &step.found);
            first = first_step(&mut steps, criteria, |_, _, _| {});
        }
        Some(subsets) => subsets.index.choose(criteria, |choice, reason| {
            first = Some((choice, reason));
            ControlFlow::Break(())
        }),
        None => return whole,
    }
    match first {
        Some((Choice::Host { priority, host }, _)) => Levels {
            choice: first,
            ..of_one(plain, priority, host)
        },
        Some((choice, _)) => match plain.set(choice) {
            Some(set) => Levels {
                choice: first,
                health: set.health(),
                load: set.load.clone(),
            },
            None => unserved(whole),
        },
        None => unserved(whole),
    }
}

/// A subset of one host, which gets everything whatever its health.
fn of_one(plain: &PlainSnapshot, priority: usize, host: usize) -> Levels {
    let count = plain.levels.len();
    let mut found = Levels {
        health: vec![LevelHealth::default(); count],
        load: idle(count),
        ..Levels::default()
    };
    let weighted = plain.settings.weighted_priority_health;
    let factor = plain.settings.overprovisioning_factor;
    let health = plain.levels.get(priority).map(|level| level.health(host));
    let health = health.unwrap_or(Health::from_status(HealthStatus::Unhealthy));
    if let Some(level) = found.health.get_mut(priority) {
        *level = LevelHealth::count([(health, 1)], weighted, factor);
    }
    if let Some(availability) = found.load.availability.get_mut(priority) {
        *availability = found
            .health
            .get(priority)
            .map(LevelHealth::availability)
            .unwrap_or_default();
    }
    if let Some(load) = found.load.healthy.get_mut(priority) {
        *load = 100;
    }
    found
}

fn unserved(whole: Levels) -> Levels {
    Levels {
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
