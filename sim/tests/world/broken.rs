//! Gateways that are broken on purpose: each must be noticed by the rule that it breaks.

use spillgate_core::{
    affinity::{KeyRing, Life, Opened, Refused, Rules},
    decide::{Decision, Request, Sessions, State, decide},
    draw::SplitMix64,
    model::{Health, HealthStatus, Metadata, OverrideStatuses},
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
};
use spillgate_sim::world::{
    Behaviour, Check, Engine, Happening, KeyChange, NoHeaders, Rates, Scenario, Scripted, drawn,
    run_with,
};

const SEEDS: u64 = 400;

fn world(seed: u64) -> Scenario {
    drawn(seed, 200, Rates::EVERYTHING).unwrap()
}

/// A rule holds for the engine in all worlds and not for the broken one in some.
#[track_caller]
fn assert_noticed(check: Check, broken: &impl Behaviour, world: impl Fn(u64) -> Scenario) {
    let breaks = |seed: u64| {
        let outcome = run_with(&world(seed), broken, seed);
        outcome.violations.iter().any(|found| found.check == check)
    };
    let seed = (0..SEEDS).find(|&seed| breaks(seed));
    assert!(seed.is_some(), "nobody noticed: {}", check.name());
    for seed in 0..=seed.unwrap() {
        assert_eq!(run_with(&world(seed), &Engine, seed).violations, []);
    }
}

/// What a test changes of a request's sessions.
struct Other<F>(F);

impl<F: Fn(usize, Sessions<'_>, &mut dyn FnMut(Sessions<'_>))> Behaviour for Other<F> {
    fn decide(
        &self,
        gateway: usize,
        snapshot: &Snapshot,
        state: &mut State,
        request: &Request<'_, NoHeaders>,
        draw: &mut SplitMix64,
    ) -> Decision {
        let mut decided = None;
        (self.0)(gateway, request.sessions.unwrap(), &mut |sessions| {
            let request = Request {
                sessions: Some(sessions),
                ..*request
            };
            decided = Some(decide(snapshot, state, &request, draw, &mut NoTrace));
        });
        decided.unwrap()
    }
}

/// Helps the compiler to see what kind of closure it is.
fn other<F: Fn(usize, Sessions<'_>, &mut dyn FnMut(Sessions<'_>))>(change: F) -> Other<F> {
    Other(change)
}

#[test]
fn gateways_that_forget_sessions() {
    let forgets = other(|_, sessions, decide| {
        decide(Sessions {
            session: None,
            ..sessions
        });
    });
    assert_noticed(Check::Stays, &forgets, world);
    // Rendezvous hashing brings a session back to where it began.
    assert_noticed(Check::FailBack, &forgets, world);
}

#[test]
fn gateways_that_keep_sessions_on_any_host() {
    let keeps = other(|_, sessions, decide| {
        decide(Sessions {
            statuses: HealthStatus::ALL.into_iter().collect(),
            ..sessions
        });
    });
    assert_noticed(Check::Stays, &keeps, world);
}

#[test]
fn gateways_that_keep_sessions_on_well_hosts_only() {
    let leaves = other(|_, sessions, decide| {
        decide(Sessions {
            statuses: OverrideStatuses::EMPTY.with(HealthStatus::Healthy),
            ..sessions
        });
    });
    assert_noticed(Check::Stays, &leaves, world);
}

#[test]
fn gateways_with_keys_of_their_own() {
    let differs = other(|gateway, sessions, decide| {
        decide(Sessions {
            key: sessions.key.map(|key| key ^ gateway as u64),
            ..sessions
        });
    });
    assert_noticed(Check::Agreement, &differs, world);
}

#[test]
fn gateways_that_draw() {
    let draws = other(|_, sessions, decide| {
        decide(Sessions {
            key: None,
            ..sessions
        });
    });
    assert_noticed(Check::Agreement, &draws, world);
}

/// Looks at no criteria.
struct Careless;

impl Behaviour for Careless {
    fn decide(
        &self,
        _: usize,
        snapshot: &Snapshot,
        state: &mut State,
        request: &Request<'_, NoHeaders>,
        draw: &mut SplitMix64,
    ) -> Decision {
        let request = Request {
            criteria: &Metadata::EMPTY,
            ..*request
        };
        decide(snapshot, state, &request, draw, &mut NoTrace)
    }
}

#[test]
fn gateways_that_do_not_confine() {
    assert_noticed(Check::Subset, &Careless, world);
}

/// Takes hosts that drain for healthy ones.
struct Blind;

impl Behaviour for Blind {
    fn decide(
        &self,
        _: usize,
        snapshot: &Snapshot,
        state: &mut State,
        request: &Request<'_, NoHeaders>,
        draw: &mut SplitMix64,
    ) -> Decision {
        let mut healed = Vec::new();
        for (cluster, _) in snapshot.clusters() {
            let levels = snapshot
                .plain(cluster)
                .map_or(&[][..], |plain| &plain.levels);
            for (priority, level) in levels.iter().enumerate() {
                let drains = |&at: &usize| level.health(at).status == HealthStatus::Draining;
                healed.extend((0..level.len()).filter(drains).map(|host| {
                    let host = HostRef {
                        cluster,
                        priority,
                        host,
                    };
                    (host, Health::from_status(HealthStatus::Healthy))
                }));
            }
        }
        decide(
            &snapshot.with_health(&healed),
            state,
            request,
            draw,
            &mut NoTrace,
        )
    }
}

#[test]
fn gateways_that_do_not_see_drains() {
    assert_noticed(Check::Drains, &Blind, world);
}

/// One of the gateways hears nothing of hosts.
struct Deaf;

impl Behaviour for Deaf {
    fn takes(&self, gateway: usize, known: u64, other: u64) -> bool {
        gateway != 0 && known < other
    }
}

/// What comes last counts, however old it is.
struct Gullible;

impl Behaviour for Gullible {
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

/// Asks less of tokens.
struct Lenient(fn(&KeyRing, &[u8], &Rules<'_>) -> Result<Opened, Refused>);

impl Behaviour for Lenient {
    fn open(
        &self,
        _: usize,
        keys: &KeyRing,
        text: &[u8],
        rules: &Rules<'_>,
    ) -> Result<Opened, Refused> {
        keys.open(text, rules)
            .or_else(|_| self.0(keys, text, rules))
    }
}

#[test]
fn gateways_that_take_tokens_of_another_scope() {
    let lenient = Lenient(|keys, text, rules| {
        let scope = "elsewhere.example";
        keys.open(text, &Rules { scope, ..*rules })
    });
    assert_noticed(Check::Forgery, &lenient, world);
}

#[test]
fn gateways_that_take_tokens_whose_time_is_over() {
    let lenient = Lenient(|keys, text, rules| {
        let earlier = Rules {
            now: rules.now - 20,
            ..*rules
        };
        keys.open(text, &earlier)
    });
    let short = |seed| {
        let mut scenario = world(seed);
        scenario.sessions.life = Life { ttl: 20, max: 60 };
        scenario
    };
    assert_noticed(Check::Forgery, &lenient, short);
}

/// A world in which nothing happens but these changes of keys, at these seconds.
fn keys(seed: u64, changes: &[(u64, KeyChange)]) -> Scenario {
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
        let outcome = run_with(&keys(seed, changes), &Engine, seed);
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
