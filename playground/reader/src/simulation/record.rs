//! Runs a scenario and records it.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use spillgate_codec::import::{
    BrokenRule, ReasonCount, TimelineHost, TimelinePhase, TimelineRecording,
};
use spillgate_sim::world::{
    Counts, Layout, Phase, Plan, SteerGateway, Violation, World, WorldScenario,
};

use super::recorder::Recorder;

/// About the number of intervals of a run.
const INTERVALS: u64 = 120;

/// The recording of the run of a seed, with the names of `shown` if there is one. `None` is unreachable:
/// every plan has clients and gateways.
pub(super) fn record(plan: &Plan, shown: Option<&Layout>, seed: u64) -> Option<TimelineRecording> {
    let scenario = plan.scenario(seed)?;
    let shown = shown.unwrap_or(&scenario.layout);
    let mut world = World::new(&scenario, &SteerGateway, seed)?;
    world.record_log();
    let clusters: Vec<&str> = shown.reachable_names().collect();
    let numbers = reachable_hosts(shown, &clusters);
    let width = width(&scenario);
    let mut recorder = Recorder::new(&numbers, world.hosts(), width);
    let mut goes_on = true;
    while goes_on {
        goes_on = world.step();
        for (at, entry) in world.take_log() {
            recorder.add(at, &entry);
        }
    }
    let outcome = world.outcome();
    let mut recording = recorder.finish(outcome.took, &clusters);
    recording.seed = seed;
    recording.took = outcome.took;
    recording.events = outcome.events;
    recording.clients = scenario.clients;
    recording.gateways = scenario.gateways;
    recording.has_script = matches!(plan, Plan::Fixed(_));
    recording.width = width;
    recording.hosts = hosts(shown, &numbers);
    recording.phases = outcome.phases.iter().map(phase).collect();
    let violation = outcome.violations.first();
    recording.broken = violation.map(|violation| broken(violation, &scenario.layout, shown));
    Some(recording)
}

/// The numbers of the hosts that requests can reach, each with the index of its cluster, by cluster.
fn reachable_hosts(layout: &Layout, clusters: &[&str]) -> Vec<(usize, usize)> {
    let clusters = clusters.iter().enumerate();
    let hosts = clusters.flat_map(|(at, name)| {
        let numbers = 0..layout.host_count();
        let own = numbers.filter(|&host| layout.cluster_of(host) == *name);
        own.map(move |host| (host, at))
    });
    hosts.collect()
}

/// The hosts with their selectors.
fn hosts(layout: &Layout, numbers: &[(usize, usize)]) -> Vec<TimelineHost> {
    let mut same: BTreeMap<&str, usize> = BTreeMap::new();
    for host in 0..layout.host_count() {
        *same.entry(layout.address(host)).or_default() += 1;
    }
    let host = |&(host, _): &(usize, usize)| {
        let (cluster, address) = (layout.cluster_of(host), layout.address(host));
        let selector = match same.get(address) {
            Some(1) => alloc::format!("host={address}"),
            _ => alloc::format!("cluster={cluster},host={address}"),
        };
        let terms = selector.split(',').count();
        let known = terms == 1 || (terms == 2 && !cluster.contains(','));
        TimelineHost {
            cluster: cluster.into(),
            address: address.into(),
            selector: if known { selector } else { String::new() },
        }
    };
    numbers.iter().map(host).collect()
}

/// The smallest of 1, 2, 5, 10, 20, ... milliseconds that divides the expected time into at most
/// [`INTERVALS`].
fn width(scenario: &WorldScenario) -> u64 {
    let expected = scenario.every.saturating_mul(scenario.steps.into());
    let mut unit = 1_u64;
    loop {
        for width in [unit, unit.saturating_mul(2), unit.saturating_mul(5)] {
            if width.saturating_mul(INTERVALS) >= expected {
                return width;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

fn phase(phase: &Phase) -> TimelinePhase {
    TimelinePhase {
        name: phase.name.clone(),
        from: phase.from,
        requests: phase.requests,
        kept: phase.kept,
        moved: counts(&phase.moved),
        new: phase.new,
        failed: counts(&phase.failed),
        refused: counts(&phase.refused),
        hostile: counts(&phase.hostile),
    }
}

fn counts(counts: &Counts) -> Vec<ReasonCount> {
    let counts = counts.iter().map(|(reason, count)| ReasonCount {
        reason: reason.into(),
        count,
    });
    counts.collect()
}

/// A broken rule, with the addresses of `shown`.
fn broken(violation: &Violation, layout: &Layout, shown: &Layout) -> BrokenRule {
    let named = |text: &str| {
        let hosts = 0..layout.host_count();
        hosts.fold(String::from(text), |text, host| {
            text.replace(layout.address(host), shown.address(host))
        })
    };
    BrokenRule {
        check: violation.check.name().into(),
        rule: violation.check.rule().into(),
        at: violation.at,
        found: named(&violation.found),
        expected: named(&violation.expected),
    }
}
