//! The steps of a decision, in words and figures.

use alloc::{format, vec::Vec};

use super::ChosenLevel;
use crate::{
    load::{HostClass, ZoneObstacle, ZoneRouting},
    model::Metadata,
    snapshot::{ClusterId, HostRef, PlainSnapshot, PrioritySet, Settings, Snapshot, Source},
    subset::{Choice, SubsetReason},
    trace::{Ground, Step, StepKind},
};

pub(super) fn route(snapshot: &Snapshot, cluster: ClusterId, hash: Option<u64>) -> Step {
    let name = snapshot.cluster(cluster).map_or("", |c| c.name.as_str());
    Step {
        kind: StepKind::Route,
        what: match hash {
            Some(_) => format!("cluster {name}, with a request hash"),
            None => format!("cluster {name}, without a request hash"),
        },
        values: hash.map(|hash| ("hash", hash.into())).into_iter().collect(),
        ground: match hash {
            Some(_) => Ground::RouteHash,
            None => Ground::Route(cluster),
        },
    }
}

/// Only where the request asks for something.
pub(super) fn criteria(criteria: &Metadata) -> Option<Step> {
    (!criteria.is_empty()).then(|| Step {
        kind: StepKind::Criteria,
        what: format!("a host with {criteria}"),
        values: Vec::new(),
        ground: Ground::RouteCriteria,
    })
}

/// A balancer with hash policies of its own does not heed those of the route.
pub(super) fn own_hash(owner: ClusterId, hash: Option<u64>) -> Step {
    Step {
        kind: StepKind::Cluster,
        what: match hash {
            Some(_) => "the balancer makes the hash by its own policy".into(),
            None => "the balancer's own hash policy makes no hash".into(),
        },
        values: hash.map(|hash| ("hash", hash.into())).into_iter().collect(),
        ground: Ground::ClusterHash(owner),
    }
}

pub(super) fn dropped(cluster: ClusterId, settings: &Settings) -> Step {
    let millionths = settings.drop_overload.millionths();
    Step {
        kind: StepKind::Cluster,
        what: "dropped before a host was sought".into(),
        values: [("drop_overload_millionths", millionths.into())].into(),
        ground: Ground::DropOverload(cluster),
    }
}

pub(super) fn subset(
    owner: ClusterId,
    plain: &PlainSnapshot,
    criteria: &Metadata,
    (choice, reason): (Choice, SubsetReason),
) -> Step {
    let hosts = match plain.set(choice) {
        Some(set) => set.levels.iter().map(|level| level.members().len()).sum(),
        None => 1_usize,
    };
    let who = match choice {
        Choice::Whole => "all hosts",
        Choice::Set(_) => "a subset",
        Choice::Host { .. } => "the subset's one host",
        Choice::Step { .. } => "a step's hosts",
    };
    let why = match reason {
        SubsetReason::Selected => "which the criteria name",
        SubsetReason::SelectorFallback => "the fallback of the selector",
        SubsetReason::Fallback => "the fallback of the cluster",
        SubsetReason::PanicModeAny => "because the fallback has no host",
        SubsetReason::Step => "the first that are healthy enough",
        SubsetReason::LastResort => "the last resort",
    };
    Step {
        kind: StepKind::Subset,
        what: format!("{who}, {why}"),
        values: [
            ("criteria", format!("{criteria}").as_str().into()),
            ("reason", reason.name().into()),
            ("hosts", hosts.into()),
        ]
        .into(),
        ground: Ground::Subset(owner, Some((choice, reason))),
    }
}

pub(super) fn no_subset(owner: ClusterId, criteria: &Metadata) -> Step {
    Step {
        kind: StepKind::Subset,
        what: "no subset has these criteria, and no fallback serves".into(),
        values: [("criteria", format!("{criteria}").as_str().into())].into(),
        ground: Ground::Subset(owner, None),
    }
}

pub(super) fn level(
    settings: &Settings,
    set: &PrioritySet,
    level: &ChosenLevel,
    key: u64,
    (healthy, degraded): (&[u32], &[u32]),
    forced: bool,
) -> Step {
    let priority = level.priority;
    let class = class_name(level.class);
    Step {
        kind: StepKind::Level,
        what: match (level.panic, forced) {
            (true, _) if settings.fails_traffic_on_panic() => {
                format!("level {priority}, in panic, which refuses its requests")
            }
            (true, _) => format!("level {priority}, in panic: all its hosts"),
            (false, true) => format!("level {priority}, {class} hosts, as the aggregate chose"),
            (false, false) => format!("level {priority}, {class} hosts"),
        },
        values: [
            ("roll", (key % 100).into()),
            ("healthy_load", healthy.into()),
            ("degraded_load", degraded.into()),
            ("total_availability", set.load.normalized_total.into()),
            ("panic", level.panic.into()),
            ("panic_threshold", settings.panic_threshold.percent().into()),
            (
                "overprovisioning_factor",
                settings.overprovisioning_factor.0.into(),
            ),
        ]
        .into(),
        ground: match level.panic {
            true => Ground::PanicThreshold(level.owner),
            false => Ground::OverprovisioningFactor(level.owner),
        },
    }
}

/// Only where localities have a say.
pub(super) fn locality(
    plain: &PlainSnapshot,
    set: &PrioritySet,
    level: &ChosenLevel,
) -> Option<Step> {
    let compiled = set.levels.get(level.priority)?;
    let localities = compiled.localities.as_ref().filter(|_| !level.panic)?;
    let place = match level.source {
        Some(Source::Locality(_, place)) => Some(place),
        _ => None,
    };
    let hosts = plain.levels.get(level.priority)?;
    let at = place.and_then(|place| hosts.localities.get(place).map(|&at| at as usize));
    let found = at.and_then(|at| hosts.level.localities.get(at));
    let name = found.map(|found| format!("{}", found.locality));
    let hosts = level.source.map_or(0, |source| compiled.list(source).len());
    let why = match (localities.weights(level.class), &localities.zones) {
        (Some(_), _) => "by locality weights",
        (None, None) => "no locality has a weight",
        (None, Some(zones)) if zones.local_panic => "the local cluster is in panic",
        (None, Some(zones)) => match zones.routing {
            ZoneRouting::Everywhere => "too few localities for zone-aware routing",
            ZoneRouting::Unfit(ZoneObstacle::LocalClusterNotOk) => {
                "the local cluster has no host in this zone"
            }
            ZoneRouting::Unfit(ZoneObstacle::ClusterTooSmall) => {
                "too few healthy hosts for zone-aware routing"
            }
            ZoneRouting::Direct => "the own zone can take all",
            ZoneRouting::Residual { .. } => "the own zone takes what it can",
        },
    };
    Some(Step {
        kind: StepKind::Locality,
        what: match name {
            Some(name) => format!("locality {name}: {why}"),
            None => format!("hosts of all localities: {why}"),
        },
        values: [
            ("localities", localities.count().into()),
            ("hosts", hosts.into()),
        ]
        .into(),
        ground: match at {
            Some(locality) => Ground::Locality {
                cluster: level.owner,
                priority: level.priority,
                locality,
            },
            None => Ground::LocalityLb(level.owner),
        },
    })
}

pub(super) fn host(
    plain: &PlainSnapshot,
    choice: Choice,
    level: &ChosenLevel,
    host: Option<usize>,
    (by, attempt): (&str, u32),
) -> Step {
    let endpoint = host.and_then(|host| plain.endpoint(level.priority, host));
    let hosts = level
        .source
        .map_or(0, |source| plain.list(choice, level.priority, source).len());
    Step {
        kind: StepKind::Host,
        what: match endpoint {
            Some(endpoint) => format!("{} by {by}", endpoint.address),
            None => format!("{by} has no host to choose"),
        },
        values: [("hosts", hosts.into()), ("attempt", attempt.into())].into(),
        ground: match host {
            Some(host) => Ground::Host(HostRef {
                cluster: level.owner,
                priority: level.priority,
                host,
            }),
            None => Ground::Policy(level.owner),
        },
    }
}

pub(super) fn rejected(snapshot: &Snapshot, host: HostRef) -> Step {
    let endpoint = snapshot.endpoint(host);
    let address = endpoint.map_or("none", |endpoint| endpoint.address.as_str());
    Step {
        kind: StepKind::Retry,
        what: format!("{address} is rejected by a retry host predicate"),
        values: Vec::new(),
        ground: Ground::RouteRetry,
    }
}

const fn class_name(class: HostClass) -> &'static str {
    match class {
        HostClass::Healthy => "healthy",
        HostClass::Degraded => "degraded",
    }
}
