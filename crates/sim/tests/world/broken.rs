//! Broken gateways: the rule that each one breaks must detect it.

use std::{rc::Rc, time::Duration};

use spillgate_config::filter::{AffinityConfig, AffinityFallback, Carrier, FilterConfig};
use spillgate_core::{
    affinity::Life,
    model::{Health, HealthStatus, OverrideStatuses},
};
use spillgate_sim::world::{
    Check, GatewayBehavior, KeyChange, Rates, ScriptedEvent, SimulatedRequest, SteerGateway,
    WorldEvent, WorldScenario, random_scenario, run_with,
};

const SEEDS: u64 = 400;

fn world(seed: u64) -> WorldScenario {
    random_scenario(seed, 200, Rates::EVERYTHING).unwrap()
}

/// The rule holds for the filter in every world, and the broken gateways break it in some world.
#[track_caller]
fn assert_detected(
    check: Check,
    broken: &impl GatewayBehavior,
    world: impl Fn(u64) -> WorldScenario,
) {
    let breaks = |seed: u64| {
        let outcome = run_with(&world(seed), broken, seed);
        outcome.violations.iter().any(|found| found.check == check)
    };
    let seed = (0..SEEDS).find(|&seed| breaks(seed));
    assert!(seed.is_some(), "not detected: {}", check.name());
    for seed in 0..=seed.unwrap() {
        assert_eq!(run_with(&world(seed), &SteerGateway, seed).violations, []);
    }
}

/// Gateways that receive altered requests.
struct AltersRequests<F>(F);

impl<F: Fn(usize, &mut SimulatedRequest)> GatewayBehavior for AltersRequests<F> {
    fn receive(&self, gateway: usize, request: &mut SimulatedRequest) {
        (self.0)(gateway, request);
    }
}

/// Gateways with other session settings.
struct AltersAffinity<F>(F);

impl<F: Fn(&mut AffinityConfig)> GatewayBehavior for AltersAffinity<F> {
    fn configure(&self, _: usize, config: &mut FilterConfig) {
        (self.0)(config.affinity.as_mut().unwrap());
    }
}

#[test]
fn gateways_that_ignore_tokens() {
    let broken = AltersRequests(|_, request: &mut SimulatedRequest| request.token = None);
    assert_detected(Check::Stays, &broken, world);
    // Without tokens, rendezvous hashing returns sessions to their first host.
    assert_detected(Check::FailBack, &broken, world);
}

#[test]
fn gateways_that_keep_sessions_on_any_host() {
    let broken = AltersAffinity(|affinity: &mut AffinityConfig| {
        affinity.statuses = HealthStatus::ALL.into_iter().collect();
    });
    assert_detected(Check::Stays, &broken, world);
}

#[test]
fn gateways_that_keep_sessions_on_healthy_hosts_only() {
    let broken = AltersAffinity(|affinity: &mut AffinityConfig| {
        affinity.statuses = OverrideStatuses::EMPTY.with(HealthStatus::Healthy);
    });
    assert_detected(Check::Stays, &broken, world);
}

#[test]
fn gateways_with_different_request_hashes() {
    let broken = AltersRequests(|gateway, request: &mut SimulatedRequest| {
        if let Some(user) = &mut request.user {
            *user = format!("{user} at {gateway}");
        }
    });
    assert_detected(Check::Agreement, &broken, world);
}

#[test]
fn gateways_that_choose_hosts_at_random() {
    let broken = AltersAffinity(|affinity: &mut AffinityConfig| {
        affinity.fallback = AffinityFallback::Policy
    });
    assert_detected(Check::Agreement, &broken, world);
}

#[test]
fn gateways_that_ignore_criteria() {
    let broken = AltersRequests(|_, request: &mut SimulatedRequest| request.route = Rc::default());
    assert_detected(Check::Subset, &broken, world);
}

/// Treats draining hosts as healthy.
struct IgnoresDraining;

impl GatewayBehavior for IgnoresDraining {
    fn health(&self, _: usize, health: Health) -> Health {
        match health.status {
            HealthStatus::Draining => Health::from_status(HealthStatus::Healthy),
            _ => health,
        }
    }
}

#[test]
fn gateways_that_ignore_draining() {
    assert_detected(Check::Drains, &IgnoresDraining, world);
}

/// The first gateway ignores all updates of hosts.
struct IgnoresUpdates;

impl GatewayBehavior for IgnoresUpdates {
    fn accepts_update(&self, gateway: usize, known: u64, other: u64) -> bool {
        gateway != 0 && known < other
    }
}

/// Accepts every update of hosts, even an older version.
struct AcceptsOldUpdates;

impl GatewayBehavior for AcceptsOldUpdates {
    fn accepts_update(&self, _: usize, _: u64, _: u64) -> bool {
        true
    }
}

#[test]
fn gateways_that_ignore_updates() {
    assert_detected(Check::Drains, &IgnoresUpdates, world);
}

#[test]
fn gateways_that_accept_old_updates() {
    assert_detected(Check::Drains, &AcceptsOldUpdates, world);
}

#[test]
fn gateways_that_accept_tokens_of_another_scope() {
    let broken = AltersAffinity(|affinity: &mut AffinityConfig| {
        affinity.scope = Some("elsewhere.example".to_owned());
    });
    assert_detected(Check::Forgery, &broken, world);
}

#[test]
fn gateways_that_accept_expired_tokens() {
    let broken = AltersAffinity(|affinity: &mut AffinityConfig| {
        let excess = Duration::from_secs(20);
        affinity.max_life += excess;
        if let Carrier::Cookie(cookie) = &mut affinity.carrier {
            cookie.ttl += excess;
        }
    });
    let short = |seed| {
        let mut scenario = world(seed);
        scenario.sessions.life = Life { ttl: 20, max: 60 };
        scenario
    };
    assert_detected(Check::Forgery, &broken, short);
}

/// A world with only requests and these key changes, at these seconds.
fn with_key_changes(seed: u64, changes: &[(u64, KeyChange)]) -> WorldScenario {
    let mut scenario = random_scenario(seed, 200, Rates::REQUESTS).unwrap();
    scenario.gateways = 2;
    scenario.view_delay = 3_000;
    scenario.every = 200;
    scenario.sessions.life = Life { ttl: 10, max: 20 };
    let changes = changes.iter();
    scenario.script = changes
        .map(|(at, change)| ScriptedEvent {
            at: at * 1_000,
            event: WorldEvent::Keys(*change),
            name: format!("{change:?}"),
        })
        .collect();
    scenario
}

/// Whether the key changes lose a session in any of the worlds.
fn loses_sessions(changes: &[(u64, KeyChange)]) -> bool {
    (0..100).any(|seed| {
        let outcome = run_with(&with_key_changes(seed, changes), &SteerGateway, seed);
        let rules: Vec<Check> = outcome.violations.iter().map(|v| v.check).collect();
        assert!(
            rules.iter().all(|&rule| rule == Check::Rotation),
            "{outcome:?}"
        );
        !rules.is_empty()
    })
}

#[test]
fn rotations_out_of_order() {
    use KeyChange::{Add, Drop, Promote, Rotate};
    let promoted = (14, Promote(2));
    assert!(
        loses_sessions(&[(10, Add(2)), (10, Promote(2))]),
        "promoted before every gateway has it"
    );
    assert!(
        loses_sessions(&[(10, Add(2)), promoted, (16, Drop(1))]),
        "dropped before its tokens expired"
    );
    assert!(!loses_sessions(&[(10, Add(2)), promoted]));
    assert!(!loses_sessions(&[
        (2, Add(2)),
        (6, Promote(2)),
        (30, Drop(1))
    ]));
    assert!(
        !loses_sessions(&[(2, Rotate), (8, Rotate), (35, Rotate)]),
        "complete rotations"
    );
}
