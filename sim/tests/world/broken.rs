//! Gateways that are broken on purpose: each must be noticed by the rule that it breaks.

use std::{rc::Rc, time::Duration};

use spillgate_config::filter::{Affinity, AffinityFallback, Carrier, FilterConfig};
use spillgate_core::{
    affinity::Life,
    model::{Health, HealthStatus, OverrideStatuses},
};
use spillgate_sim::world::{
    Behavior, Check, Happening, KeyChange, Rates, Scripted, SimulatedRequest, SteerGateway,
    WorldScenario, drawn, run_with,
};

const SEEDS: u64 = 400;

fn world(seed: u64) -> WorldScenario {
    drawn(seed, 200, Rates::EVERYTHING).unwrap()
}

/// A rule holds for the engine in all worlds and not for the broken one in some.
#[track_caller]
fn assert_noticed(check: Check, broken: &impl Behavior, world: impl Fn(u64) -> WorldScenario) {
    let breaks = |seed: u64| {
        let outcome = run_with(&world(seed), broken, seed);
        outcome.violations.iter().any(|found| found.check == check)
    };
    let seed = (0..SEEDS).find(|&seed| breaks(seed));
    assert!(seed.is_some(), "nobody noticed: {}", check.name());
    for seed in 0..=seed.unwrap() {
        assert_eq!(run_with(&world(seed), &SteerGateway, seed).violations, []);
    }
}

/// Receives other requests than were sent.
struct Receives<F>(F);

impl<F: Fn(usize, &mut SimulatedRequest)> Behavior for Receives<F> {
    fn receive(&self, gateway: usize, request: &mut SimulatedRequest) {
        (self.0)(gateway, request);
    }
}

/// Has other session settings.
struct Configured<F>(F);

impl<F: Fn(&mut Affinity)> Behavior for Configured<F> {
    fn configure(&self, _: usize, config: &mut FilterConfig) {
        (self.0)(config.affinity.as_mut().unwrap());
    }
}

#[test]
fn gateways_that_forget_sessions() {
    let forgets = Receives(|_, request: &mut SimulatedRequest| request.token = None);
    assert_noticed(Check::Stays, &forgets, world);
    // Rendezvous hashing brings a session back to where it began.
    assert_noticed(Check::FailBack, &forgets, world);
}

#[test]
fn gateways_that_keep_sessions_on_any_host() {
    let keeps = Configured(|affinity: &mut Affinity| {
        affinity.statuses = HealthStatus::ALL.into_iter().collect();
    });
    assert_noticed(Check::Stays, &keeps, world);
}

#[test]
fn gateways_that_keep_sessions_on_well_hosts_only() {
    let leaves = Configured(|affinity: &mut Affinity| {
        affinity.statuses = OverrideStatuses::EMPTY.with(HealthStatus::Healthy);
    });
    assert_noticed(Check::Stays, &leaves, world);
}

#[test]
fn gateways_with_hashes_of_their_own() {
    let differs = Receives(|gateway, request: &mut SimulatedRequest| {
        if let Some(user) = &mut request.user {
            *user = format!("{user} at {gateway}");
        }
    });
    assert_noticed(Check::Agreement, &differs, world);
}

#[test]
fn gateways_that_draw() {
    let draws = Configured(|affinity: &mut Affinity| affinity.fallback = AffinityFallback::Policy);
    assert_noticed(Check::Agreement, &draws, world);
}

#[test]
fn gateways_that_do_not_confine() {
    let careless = Receives(|_, request: &mut SimulatedRequest| request.route = Rc::default());
    assert_noticed(Check::Subset, &careless, world);
}

/// Takes hosts that drain for healthy ones.
struct Blind;

impl Behavior for Blind {
    fn health(&self, _: usize, health: Health) -> Health {
        match health.status {
            HealthStatus::Draining => Health::from_status(HealthStatus::Healthy),
            _ => health,
        }
    }
}

#[test]
fn gateways_that_do_not_see_drains() {
    assert_noticed(Check::Drains, &Blind, world);
}

/// One of the gateways hears nothing of hosts.
struct Deaf;

impl Behavior for Deaf {
    fn takes(&self, gateway: usize, known: u64, other: u64) -> bool {
        gateway != 0 && known < other
    }
}

/// What comes last counts, however old it is.
struct Gullible;

impl Behavior for Gullible {
    fn takes(&self, _: usize, _: u64, _: u64) -> bool {
        true
    }
}

#[test]
fn gateways_that_hear_nothing() {
    assert_noticed(Check::Drains, &Deaf, world);
}

#[test]
fn gateways_that_believe_old_news() {
    assert_noticed(Check::Drains, &Gullible, world);
}

#[test]
fn gateways_that_take_tokens_of_another_scope() {
    let lenient = Configured(|affinity: &mut Affinity| {
        affinity.scope = Some("elsewhere.example".to_owned());
    });
    assert_noticed(Check::Forgery, &lenient, world);
}

#[test]
fn gateways_that_take_tokens_whose_time_is_over() {
    let lenient = Configured(|affinity: &mut Affinity| {
        let late = Duration::from_secs(20);
        affinity.max_life += late;
        if let Carrier::Cookie(cookie) = &mut affinity.carrier {
            cookie.ttl += late;
        }
    });
    let short = |seed| {
        let mut scenario = world(seed);
        scenario.sessions.life = Life { ttl: 20, max: 60 };
        scenario
    };
    assert_noticed(Check::Forgery, &lenient, short);
}

/// A world in which nothing happens but these changes of keys, at these seconds.
fn keys(seed: u64, changes: &[(u64, KeyChange)]) -> WorldScenario {
    let mut scenario = drawn(seed, 200, Rates::REQUESTS).unwrap();
    scenario.gateways = 2;
    scenario.view_delay = 3_000;
    scenario.every = 200;
    scenario.sessions.life = Life { ttl: 10, max: 20 };
    let changes = changes.iter();
    scenario.script = changes
        .map(|(at, change)| Scripted {
            at: at * 1_000,
            what: Happening::Keys(*change),
            name: format!("{change:?}"),
        })
        .collect();
    scenario
}

/// Whether any session is lost by the changes of keys, in any of the worlds.
fn loses(changes: &[(u64, KeyChange)]) -> bool {
    (0..100).any(|seed| {
        let outcome = run_with(&keys(seed, changes), &SteerGateway, seed);
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
    assert!(loses(&[(10, Add(2)), (10, Promote(2))]), "not all have it");
    assert!(loses(&[(10, Add(2)), promoted, (16, Drop(1))]), "not ended");
    assert!(!loses(&[(10, Add(2)), promoted]));
    assert!(!loses(&[(2, Add(2)), (6, Promote(2)), (30, Drop(1))]));
    assert!(
        !loses(&[(2, Rotate), (8, Rotate), (35, Rotate)]),
        "in order"
    );
}
