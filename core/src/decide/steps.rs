//! The trace steps of a decision with their figures.

use super::ChosenPriority;
use crate::{
    load::{RetryLoad, ZoneObstacle, ZoneRouting},
    model::{Metadata, Policy},
    plan::Loads,
    snapshot::{ClusterId, HostRef, HostsSource, Localities, PlainSnapshot, PrioritySet, Settings},
    subset::{SetChoice, StepIndex, SubsetReason, Verdict},
    trace::{
        ChainStepOutcome, ChainStepTried, ChosenBy, ConfigRef, EmptyTable, HostChoice, HostNumbers,
        LocalityChoice, LocalityNumbers, LocalityRule, NumberSource, PriorityChoice,
        RetryExclusion, Step, StepData,
    },
};

pub(super) const fn route(cluster: ClusterId, hash: Option<u64>) -> Step {
    Step {
        data: StepData::Routed { cluster, hash },
        config: match hash {
            Some(_) => ConfigRef::RouteHash,
            None => ConfigRef::Route(cluster),
        },
    }
}

/// Only for requests with criteria.
pub(super) fn criteria(criteria: &Metadata) -> Option<Step> {
    (!criteria.is_empty()).then(|| Step {
        data: StepData::Criteria(criteria.clone()),
        config: ConfigRef::RouteCriteria,
    })
}

/// A load-balancing policy with its own hash policies ignores those of the route.
pub(super) const fn own_hash(owner: ClusterId, hash: Option<u64>) -> Step {
    Step {
        data: StepData::ClusterHash { hash },
        config: ConfigRef::ClusterHash(owner),
    }
}

pub(super) fn dropped(cluster: ClusterId, settings: &Settings) -> Step {
    Step {
        data: StepData::Dropped {
            millionths: settings.drop_overload.millionths(),
        },
        config: ConfigRef::DropOverload(cluster),
    }
}

pub(super) fn chain_step(at: usize, index: &StepIndex, verdict: Verdict) -> Step {
    let (outcome, health) = match verdict {
        Verdict::Skipped => (ChainStepOutcome::Skipped, None),
        Verdict::NoHost => (ChainStepOutcome::NoHost, None),
        Verdict::BelowMinimum(health) => (ChainStepOutcome::BelowMinimum, Some(health)),
        Verdict::Serves {
            health,
            last_resort: true,
            ..
        } => (ChainStepOutcome::LastResort, Some(health)),
        Verdict::Serves { health, .. } => (ChainStepOutcome::Serves, Some(health)),
    };
    Step {
        data: StepData::ChainStep(ChainStepTried {
            at,
            step: (*index.step).clone(),
            outcome,
            health: health.unwrap_or_default(),
        }),
        config: ConfigRef::ChainStep(at),
    }
}

pub(super) fn subset(
    owner: ClusterId,
    plain: &PlainSnapshot,
    criteria: &Metadata,
    (choice, reason): (SetChoice, SubsetReason),
) -> Step {
    Step {
        data: StepData::Subset {
            criteria: criteria.clone(),
            kept: kept_criteria(plain, criteria),
            choice,
            reason,
            hosts: match plain.set(choice) {
                Some(set) => set
                    .priorities
                    .iter()
                    .map(|priority| priority.members().len())
                    .sum(),
                None => 1,
            },
        },
        config: ConfigRef::Subset(owner, Some((choice, reason))),
    }
}

/// The criteria that `KEYS_SUBSET` keeps, if it applies.
fn kept_criteria(plain: &PlainSnapshot, criteria: &Metadata) -> Option<Metadata> {
    plain.subsets.as_ref()?.index.kept_criteria(criteria)
}

pub(super) fn no_subset(owner: ClusterId, plain: &PlainSnapshot, criteria: &Metadata) -> Step {
    Step {
        data: StepData::NoSubset {
            criteria: criteria.clone(),
            kept: kept_criteria(plain, criteria),
        },
        config: ConfigRef::Subset(owner, None),
    }
}

pub(super) fn priority(
    settings: &Settings,
    set: &PrioritySet,
    priority: &ChosenPriority,
    (key, roll_from): (u64, NumberSource),
    loads: &Loads<'_>,
) -> Step {
    Step {
        data: StepData::Priority(PriorityChoice {
            priority: priority.number,
            class: priority.class,
            panic: priority.panic,
            fails_on_panic: settings.fails_traffic_on_panic(),
            by_aggregate: loads.forced.is_some(),
            roll: key % 100,
            roll_from,
            healthy_load: loads.healthy.into(),
            degraded_load: loads.degraded.into(),
            total_availability: set.load.normalized_total,
            panic_threshold: settings.panic_threshold.percent(),
            overprovisioning_factor: settings.overprovisioning_factor.0,
            retry: loads.retry.map(exclusion),
        }),
        config: if priority.panic {
            ConfigRef::PanicThreshold(priority.owner)
        } else {
            ConfigRef::OverprovisioningFactor(priority.owner)
        },
    }
}

/// The priorities that a retry avoids.
pub(super) fn exclusion(load: &RetryLoad) -> RetryExclusion {
    RetryExclusion {
        excluded: load.excluded.clone(),
        reset: load.exclusions_reset,
    }
}

/// Only if localities take part in the choice. `numbers` returns the numbers that choose.
pub(super) fn locality(
    plain: &PlainSnapshot,
    set: &PrioritySet,
    priority: &ChosenPriority,
    from: NumberSource,
    numbers: impl FnOnce(&Localities) -> LocalityNumbers,
) -> Option<Step> {
    let compiled = set.priorities.get(priority.number)?;
    let localities = compiled.localities.as_ref().filter(|_| !priority.panic)?;
    let index = match priority.source {
        Some(HostsSource::Locality(_, index)) => Some(index),
        _ => None,
    };
    let hosts = plain.priorities.get(priority.number)?;
    let at = index.and_then(|index| hosts.localities.get(index).map(|&at| at as usize));
    let found = at.and_then(|at| hosts.configured.localities.get(at));
    let (rule, numbers) = match from {
        NumberSource::SessionKey => (LocalityRule::SessionKey, LocalityNumbers::None),
        _ => (locality_rule(localities, priority), numbers(localities)),
    };
    Some(Step {
        data: StepData::Locality(LocalityChoice {
            locality: found.map(|found| found.locality.clone()),
            rule,
            localities: localities.count(),
            hosts: priority
                .source
                .map_or(0, |source| compiled.list(source).len()),
            numbers,
        }),
        config: match at {
            Some(locality) => ConfigRef::Locality {
                cluster: priority.owner,
                priority: priority.number,
                locality,
            },
            None => ConfigRef::LocalityLb(priority.owner),
        },
    })
}

/// Only if the hash table has locality weights.
pub(super) fn table_locality(
    plain: &PlainSnapshot,
    set: &PrioritySet,
    priority: &ChosenPriority,
    host: usize,
) -> Option<Step> {
    let weighted = plain.settings.locality_lb.is_weighted();
    if !weighted || matches!(plain.settings.policy, Policy::Rendezvous) {
        return None;
    }
    let hosts = plain.priorities.get(priority.number)?;
    let list = set.priorities.get(priority.number)?.list(priority.source?);
    let index = hosts.locality_of(host)?;
    let at = *hosts.localities.get(index)? as usize;
    let found = hosts.configured.localities.get(at)?;
    let has_weight = |at: &&u32| {
        let locality = hosts.configured.localities.get(**at as usize);
        locality.is_some_and(|locality| locality.weight.is_some_and(|weight| weight > 0))
    };
    let in_locality = |&host: &usize| hosts.locality_of(host) == Some(index);
    Some(Step {
        data: StepData::Locality(LocalityChoice {
            locality: Some(found.locality.clone()),
            rule: LocalityRule::TableWeights,
            localities: hosts.localities.iter().filter(has_weight).count(),
            hosts: list.iter().filter(in_locality).count(),
            numbers: LocalityNumbers::None,
        }),
        config: ConfigRef::Locality {
            cluster: priority.owner,
            priority: priority.number,
            locality: at,
        },
    })
}

/// The rule, which is the same with and without the numbers of a trace.
fn locality_rule(localities: &Localities, priority: &ChosenPriority) -> LocalityRule {
    if localities.weights(priority.class).is_some() {
        return LocalityRule::Weights;
    }
    let is_zone = matches!(priority.source, Some(HostsSource::Locality(..)));
    match &localities.zones {
        None => LocalityRule::NoWeight,
        Some(zones) if zones.routing.chooses() && zones.enabled == 0 => LocalityRule::NotEnabled,
        Some(zones) if zones.routing.chooses() && zones.local_panic => LocalityRule::LocalPanic,
        Some(zones) if zones.routing.chooses() && !is_zone => {
            let mut zones_of_class = 0..localities.count();
            let has_empty =
                zones_of_class.any(|index| localities.list(priority.class, index).is_empty());
            match (zones.enabled, has_empty) {
                (100.., _) => LocalityRule::EmptyZone,
                (_, false) => LocalityRule::NotEnabled,
                (_, true) => LocalityRule::NotEnabledOrEmpty,
            }
        }
        Some(zones) => match zones.routing {
            ZoneRouting::Everywhere => LocalityRule::TooFewLocalities,
            ZoneRouting::Unfit(ZoneObstacle::LocalClusterNotOk) => LocalityRule::NoLocalHost,
            ZoneRouting::Unfit(ZoneObstacle::ClusterTooSmall) => LocalityRule::TooFewHosts,
            ZoneRouting::Direct => LocalityRule::AllLocal,
            ZoneRouting::Residual { .. } => LocalityRule::PartlyLocal,
        },
    }
}

pub(super) fn host(
    plain: &PlainSnapshot,
    choice: SetChoice,
    priority: &ChosenPriority,
    host: Option<usize>,
    by: ChosenBy,
    (attempt, choice_number): (u32, u32),
    (number_from, numbers): (NumberSource, HostNumbers),
) -> Step {
    let host = host.map(|host| HostRef {
        cluster: priority.owner,
        priority: priority.number,
        host,
    });
    let hosts = priority.source.map_or(0, |source| {
        plain.list(choice, priority.number, source).len()
    });
    Step {
        data: StepData::Host(HostChoice {
            host,
            by,
            hosts,
            empty_table: match (host, hosts) {
                (None, 1..) => empty_table(&plain.settings),
                _ => None,
            },
            attempt,
            choice: choice_number,
            number_from,
            numbers,
        }),
        config: host.map_or(ConfigRef::Policy(priority.owner), ConfigRef::Host),
    }
}

/// Why the hash table of a policy without a host is empty.
fn empty_table(settings: &Settings) -> Option<EmptyTable> {
    match &settings.policy {
        Policy::RingHash(config) if config.minimum_ring_size() == 0 => {
            Some(EmptyTable::RingSizeZero)
        }
        policy if policy.hashes() && settings.locality_lb.is_weighted() => {
            Some(EmptyTable::NoLocalityWeight)
        }
        _ => None,
    }
}

pub(super) const fn rejected(host: HostRef) -> Step {
    Step {
        data: StepData::Rejected(host),
        config: ConfigRef::RouteRetry,
    }
}
