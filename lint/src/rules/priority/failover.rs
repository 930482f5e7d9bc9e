//! Lower priorities that traffic never reaches.

use alloc::{format, string::String};

use spillgate_config::envoy::facts::{Discovery, OutlierDetection};

use crate::{
    context::{Context, Plain},
    figures::{alone, counted, losing, only},
    finding::Severity,
    rule::{Rule, Sink},
};

/// A cluster has lower priorities, and nothing that could find a host of the upper one down: no health
/// checks, no outlier detection, no EDS, no `previous_priorities`.
///
/// The lower priorities never get a request.
pub(crate) static NO_SIGNAL: Rule = Rule {
    id: "failover-no-health-signal",
    severity: Severity::Warning,
    summary: "lower priorities, and nothing that can ever move traffic there",
    check: no_signal,
};

/// Outlier detection is all that finds hosts down, and `max_ejection_percent` (10 unless stated, of
/// all hosts of the cluster, rounded down) ejects too few for the first priority to spill.
///
/// The first priority keeps all traffic, with dead hosts in it.
pub(crate) static OUTLIER_CAP: Rule = Rule {
    id: "outlier-cap-prevents-failover",
    severity: Severity::Warning,
    summary: "max_ejection_percent keeps the first priority above the spill point",
    check: outlier_cap,
};

/// The first priority with hosts, if there is a lower one.
fn first_of_several(cluster: &Plain<'_>) -> Option<usize> {
    let mut priorities = cluster.plain.priorities.iter().enumerate();
    let (first, _) = priorities.find(|(_, priority)| !priority.endpoints.is_empty())?;
    priorities
        .any(|(_, priority)| !priority.endpoints.is_empty())
        .then_some(first)
}

/// What a priority gets after losses, in percent.
fn load_after(cluster: &Plain<'_>, priority: usize, lost: usize) -> u32 {
    let snapshot = alone(cluster.name(), losing(cluster.plain, priority, lost));
    only(&snapshot).map_or(0, |plain| plain.whole.load.of_priority(priority))
}

/// How many hosts of a priority must fail before it gives load away.
fn spill_point(cluster: &Plain<'_>, priority: usize, hosts: usize) -> usize {
    let before = load_after(cluster, priority, 0);
    // Load only falls as hosts fail, until all have.
    let (mut kept, mut spilled) = (0, hosts);
    while kept + 1 < spilled {
        let middle = (kept + spilled) / 2;
        match load_after(cluster, priority, middle) < before {
            true => spilled = middle,
            false => kept = middle,
        }
    }
    spilled
}

/// How many hosts a priority has.
fn hosts_of(cluster: &Plain<'_>, priority: usize) -> usize {
    let priority = cluster.plain.priorities.get(priority);
    priority.map_or(0, |priority| priority.endpoints.len())
}

/// Whether routes send retries of this cluster's requests to other priorities.
fn retries_elsewhere(context: &Context<'_>, cluster: &Plain<'_>) -> bool {
    context.ways.iter().any(|way| {
        way.cluster == Some(cluster.name()) && way.forward.retry.previous_priorities.is_some()
    })
}

/// Looks for lower priorities that no change of health can bring into use.
fn no_signal(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in context.plains() {
        let signals = &cluster.facts.signals;
        let known = signals.health_checks.is_some()
            || signals.outlier_detection.is_some()
            || cluster.facts.discovery != Discovery::Stated;
        let Some(priority) = first_of_several(&cluster).filter(|_| !known) else {
            continue;
        };
        if retries_elsewhere(context, &cluster) {
            continue;
        }
        let mut lower = cluster.facts.localities.iter();
        let Some(lower) = lower.find(|e| e.priority > priority && !e.endpoints.is_empty()) else {
            continue;
        };
        let hosts = hosts_of(&cluster, priority);
        let load = load_after(&cluster, priority, 0);
        let cause = format!(
            "cluster {:?} has priorities below {priority}, and no health check, outlier detection or EDS \
             that could ever find its hosts down",
            cluster.name()
        );
        let effect = format!(
            "priority {priority} keeps {load} % of the traffic with every host down; with a health signal \
             it would spill once {} of its {} failed",
            spill_point(&cluster, priority, hosts),
            counted(hosts, "host")
        );
        let fix = "add health_checks or outlier_detection to the cluster";
        sink.add(&lower.place, cause, effect, fix).set(
            cluster.facts.place.field("health_checks").path,
            "[{\"timeout\":\"1s\",\"interval\":\"5s\",\"unhealthy_threshold\":2,\
             \"healthy_threshold\":1,\"tcp_health_check\":{}}]",
        );
    }
}

/// Looks for ejection limits that keep the first priority from spilling over.
fn outlier_cap(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in context.plains() {
        let signals = &cluster.facts.signals;
        let Some(outliers) = &signals.outlier_detection else {
            continue;
        };
        let other = signals.health_checks.is_some() || cluster.facts.discovery != Discovery::Stated;
        let Some(priority) = first_of_several(&cluster).filter(|_| !other) else {
            continue;
        };
        let hosts = hosts_of(&cluster, priority);
        let most = most_ejected(outliers, cluster.hosts()).min(hosts);
        let before = load_after(&cluster, priority, 0);
        if load_after(&cluster, priority, most) < before {
            continue;
        }
        let cause = format!(
            "outlier detection of cluster {:?} ejects at most {} % of its {}: {}",
            cluster.name(),
            outliers.max_ejection_percent,
            counted(cluster.hosts(), "host"),
            match most {
                0 => String::from("none"),
                most => counted(most, "host"),
            }
        );
        let effect = format!(
            "priority {priority} keeps {before} % of the traffic; it spills only once {} of its {} are \
             ejected",
            spill_point(&cluster, priority, hosts),
            counted(hosts, "host")
        );
        let fix = "raise max_ejection_percent (100 lets a whole priority fail over), or add \
                   health_checks";
        sink.add(&outliers.place, cause, effect, fix)
            .set(outliers.place.field("max_ejection_percent").path, "100");
    }
}

/// How many of these hosts outlier detection may eject at the same time.
pub(super) fn most_ejected(outliers: &OutlierDetection, hosts: usize) -> usize {
    let percent = usize::try_from(outliers.max_ejection_percent.min(100)).unwrap_or(100);
    let most = hosts.saturating_mul(percent) / 100;
    most.max(usize::from(outliers.always_eject_one_host))
}
