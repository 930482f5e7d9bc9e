//! Requests to the presets and to an imported cluster with subsets.

use spillgate_core::{
    decide::{BalancerState, Reason, Request, decide},
    draw::SplitMix64,
    route::HeaderList,
    trace::Step,
};
use spillgate_explain::{decision::decision_json, sentence};
use spillgate_reader::answer;
use spillgate_scenario::{EditedScenario, PRESETS, preset};

use super::*;

/// Subsets with a ring, a random choice and a schedule.
const CLUSTERS: &str = include_str!("clusters.yaml");

fn stage(scenario: &EditedScenario) -> TraceStage {
    TraceStage::new(scenario).unwrap()
}

fn traced(stage: &TraceStage, input: &TraceInput) -> TracedRequest {
    TracedRequest::new(stage, &TraceRequest::new(stage, input))
}

fn imported(text: &str, cluster: &str) -> EditedScenario {
    let answer = answer(text.as_bytes(), b"");
    let answer = spillgate_codec::import::ImportAnswer::from_bytes(&answer).unwrap();
    let clusters = answer.clusters.unwrap();
    let root = clusters.iter().position(|found| found.name == cluster);
    EditedScenario::new(clusters, root.unwrap()).unwrap()
}

#[test]
fn the_steps_are_those_of_the_engine() {
    for preset_of in PRESETS {
        let stage = stage(&preset(preset_of.id).unwrap());
        for seed in 0..20 {
            let input = TraceInput {
                seed,
                ..TraceInput::default()
            };
            let found = traced(&stage, &input);
            let mut draw = SplitMix64::new(seed.into());
            let mut state = BalancerState::new(&stage.snapshot, &mut draw);
            let headers = HeaderList::<&str, &str>(&[]);
            let request = Request::new(stage.cluster, &headers);
            let mut steps: Vec<Step> = Vec::new();
            let decision = decide(&stage.snapshot, &mut state, &request, &mut draw, &mut steps);
            let json = |decision| decision_json(&stage.snapshot, decision, &[], None);
            assert_eq!(json(&found.decision), json(&decision), "{}", preset_of.id);
            let words = steps
                .iter()
                .map(|step| sentence(&stage.snapshot, &step.data));
            let shown = found.steps.iter().map(|step| step.sentence.clone());
            assert!(shown.eq(words), "{}: {:?}", preset_of.id, found.steps);
        }
    }
}

#[test]
fn a_key_always_goes_to_the_same_host() {
    let stage = stage(&preset("documented").unwrap());
    let input = |seed| TraceInput {
        seed,
        key: "ann".into(),
        ..TraceInput::default()
    };
    let first = traced(&stage, &input(1));
    assert_eq!(first.decision.hash, spillgate_core::hash::xxh64(b"ann", 0));
    for seed in 2..9 {
        assert_eq!(traced(&stage, &input(seed)).decision, first.decision);
    }
    let request = TraceRequest::new(&stage, &input(1));
    let sequence = RequestSequence::new(&stage, &request);
    assert_eq!(sequence.rows.len(), 1);
    let only = sequence.rows[0];
    assert_eq!(
        (only.host, only.observed),
        (first.decision.host_ref(), 1_000)
    );
    assert_eq!((only.exact, sequence.largest_difference), (100.0, 0.0));
}

#[test]
fn a_thousand_requests_fit_the_exact_shares() {
    for preset_of in PRESETS {
        let stage = stage(&preset(preset_of.id).unwrap());
        for seed in [0, 7] {
            let input = TraceInput {
                seed,
                ..TraceInput::default()
            };
            let sequence = RequestSequence::new(&stage, &TraceRequest::new(&stage, &input));
            let observed: u32 = sequence.rows.iter().map(|row| row.observed).sum();
            let exact: f64 = sequence.rows.iter().map(|row| row.exact).sum();
            assert_eq!(observed, REQUESTS, "{}", preset_of.id);
            assert!((exact - 100.0).abs() < 1e-9, "{}: {exact}", preset_of.id);
            // More than four standard deviations of a share of one half.
            assert!(sequence.largest_difference < 6.5, "{sequence:?}");
        }
    }
}

#[test]
fn sessions_stay_move_and_are_refused() {
    let stage = stage(&preset("documented").unwrap());
    let hosts: Vec<_> = stage.hosts().collect();
    // The first host of the preset is healthy, the second is not.
    let with = |session, host: usize| TraceInput {
        session,
        session_host: stage.address(hosts[host]).into(),
        ..TraceInput::default()
    };
    for kind in [
        SessionKind::Envoy,
        SessionKind::EnvoyStrict,
        SessionKind::Spillgate,
    ] {
        let kept = traced(&stage, &with(kind, 0));
        assert_eq!(kept.decision.reason, Reason::Session, "{kind:?}");
        assert_eq!(kept.decision.host_ref(), Some(hosts[0]));
        let request = TraceRequest::new(&stage, &with(kind, 0));
        let sequence = RequestSequence::new(&stage, &request);
        assert_eq!(sequence.rows.len(), 1, "{kind:?}: {sequence:?}");
        assert_eq!(
            (sequence.rows[0].observed, sequence.largest_difference),
            (1_000, 0.0)
        );
    }
    for kind in [SessionKind::Envoy, SessionKind::Spillgate] {
        let moved = traced(&stage, &with(kind, 1));
        assert_eq!(moved.decision.reason, Reason::SessionMoved, "{kind:?}");
        assert!(moved.steps.iter().any(|step| step.name == "session"));
    }
    let refused = traced(&stage, &with(SessionKind::EnvoyStrict, 1));
    assert_eq!(refused.refused, Some(503));
    assert_eq!(
        refused.headline(&stage),
        "The strict session is refused with 503."
    );
}

#[test]
fn criteria_choose_the_subset() {
    let stage = stage(&imported(CLUSTERS, "shop"));
    let keys: Vec<&str> = stage
        .fields
        .iter()
        .map(|field| field.key.as_str())
        .collect();
    assert_eq!(keys, ["stage", "version"]);
    let sentences = |criteria: &[(&str, &str)]| {
        let mut input = TraceInput::default();
        for (key, value) in criteria {
            input.set_criterion(key, value);
        }
        let found = traced(&stage, &input);
        let of = |name| {
            let mut steps = found.steps.iter();
            let step = steps.find(|step| step.name == name);
            step.map(|step| step.sentence.clone()).unwrap_or_default()
        };
        let host = found.decision.host_ref().unwrap();
        (of("criteria"), of("subset"), stage.address(host).to_owned())
    };
    let (criteria, subset, host) = sentences(&[("stage", "prod"), ("version", "2")]);
    assert_eq!(criteria, "hosts with stage=prod, version=2");
    assert_eq!(subset, "a subset: selected by the criteria");
    assert_eq!(host, "10.0.0.1:80");
    // A value that no host has leads to the fallback.
    let other = &stage.fields[1].values.last().unwrap().0;
    let (_, subset, host) = sentences(&[("stage", "dev"), ("version", other)]);
    assert_eq!(
        (subset.as_str(), host.as_str()),
        (
            "a subset: selected by the criteria; KEYS_SUBSET keeps stage=dev",
            "10.0.0.4:80"
        )
    );
    let (criteria, subset, _) = sentences(&[("version", "1")]);
    assert_eq!(criteria, "hosts with version=1");
    assert_eq!(subset, "a subset: fallback policy of the cluster");
}

#[test]
fn active_requests_are_of_known_hosts() {
    let stage = stage(&preset("two-priorities").unwrap());
    let hosts: Vec<_> = stage.hosts().collect();
    let address = stage.address(hosts[3]);
    let active = ActiveByHost::read(&stage, &format!("{address}=4, 9.9.9.9:9=1 x"));
    assert_eq!(active.of(hosts[3]), 4);
    assert_eq!(active.of(hosts[2]), 0);
    assert_eq!(active.unknown, ["9.9.9.9:9=1", "x"]);
}

/// The inspectors of a request with that seed.
fn inspected(stage: &TraceStage, seed: u32) -> (TracedRequest, Inspectors) {
    let input = TraceInput {
        seed,
        ..TraceInput::default()
    };
    let request = TraceRequest::new(stage, &input);
    let traced = TracedRequest::new(stage, &request);
    let host = traced.decision.host_ref();
    let inspectors = Inspectors::new(stage, &request, &traced, host);
    (traced, inspectors)
}

#[test]
fn a_ring_shows_the_entry_of_the_request() {
    let stage = stage(&imported(CLUSTERS, "shop"));
    for seed in 0..50 {
        let (traced, inspectors) = inspected(&stage, seed);
        let ring = inspectors.ring.unwrap();
        let served: Vec<_> = ring
            .near
            .iter()
            .filter(|entry| entry.is_of_request)
            .collect();
        assert_eq!(served.len(), 1);
        assert_eq!(Some(served[0].host), traced.decision.host_ref());
        assert!(ring.near.len() == 11 && ring.entries >= 64);
        let all: f64 = ring.hosts.iter().map(|share| share.percent).sum();
        assert!((all - 100.0).abs() < 1e-9, "{all}");
        let own = ring
            .hosts
            .iter()
            .find(|share| share.host == served[0].host)
            .unwrap();
        assert_eq!(own.entries, ring.arcs.len());
        let arcs: f64 = ring.arcs.iter().map(|arc| arc.length * 100.0).sum();
        assert!((arcs - own.percent).abs() < 1e-9, "{arcs}");
        assert!(inspectors.maglev.is_none() && inspectors.queue.is_none());
    }
}

#[test]
fn a_maglev_table_shows_the_slot_of_the_request() {
    let stage = stage(&preset("documented").unwrap());
    for seed in 0..50 {
        let (traced, inspectors) = inspected(&stage, seed);
        let maglev = inspectors.maglev.unwrap();
        let served = maglev.near.iter().find(|near| near.slot == maglev.slot);
        assert_eq!(served.map(|near| near.host), traced.decision.host_ref());
        let slots: usize = maglev.hosts.iter().map(|share| share.entries).sum();
        assert_eq!(slots, maglev.size);
    }
}

#[test]
fn a_queue_starts_with_the_host_of_the_request() {
    for (stage, is_scheduled) in [
        (stage(&imported(CLUSTERS, "cart")), true),
        (stage(&preset("two-priorities").unwrap()), false),
        (stage(&preset("aggregate").unwrap()), false),
        (stage(&preset("degraded").unwrap()), false),
    ] {
        for seed in 0..50 {
            let (traced, inspectors) = inspected(&stage, seed);
            let queue = inspectors.queue.unwrap();
            assert_eq!(Some(queue.picks[0].host), traced.decision.host_ref());
            assert_eq!((queue.picks.len(), queue.is_scheduled), (12, is_scheduled));
        }
    }
    // Three quarters of the picks are of the host with three quarters of the weight.
    let (_, inspectors) = inspected(&stage(&imported(CLUSTERS, "cart")), 0);
    let picks = inspectors.queue.unwrap().picks;
    assert_eq!(picks.iter().filter(|pick| pick.weight == 3.0).count(), 9);
    assert!(picks.is_sorted_by_key(|pick| pick.deadline.unwrap()));
}

#[test]
fn samples_are_the_compared_hosts() {
    let stage = stage(&imported(CLUSTERS, "stock"));
    let mut seen = 0;
    for seed in 0..50 {
        let input = TraceInput {
            seed,
            active: "10.0.1.1:80=2 10.0.1.2:80=1".into(),
            ..TraceInput::default()
        };
        let request = TraceRequest::new(&stage, &input);
        let traced = TracedRequest::new(&stage, &request);
        let inspectors = Inspectors::new(&stage, &request, &traced, None);
        let samples = inspectors.samples.unwrap().samples;
        assert_eq!(samples.len(), 2);
        let fewest = samples.iter().min_by_key(|sample| sample.active).unwrap();
        assert_eq!(Some(fewest.host), traced.decision.host_ref());
        assert!(fewest.is_chosen);
        seen += usize::from(samples[0].active != samples[1].active);
    }
    assert!(seen > 20, "{seen} different samples");
}

#[test]
fn a_subset_tree_has_the_selectors_and_the_chosen_subset() {
    let stage = stage(&imported(CLUSTERS, "shop"));
    let mut input = TraceInput::default();
    let tree = |input: &TraceInput| {
        let request = TraceRequest::new(&stage, input);
        let traced = TracedRequest::new(&stage, &request);
        Inspectors::new(&stage, &request, &traced, None)
            .subsets
            .unwrap()
    };
    let first = tree(&input);
    assert_eq!(first.fallback, "DEFAULT_SUBSET: stage=prod");
    assert!(first.is_fallback);
    assert_eq!(first.hosts.len(), 3);
    let keys: Vec<&str> = first
        .selectors
        .iter()
        .map(|branch| branch.keys.as_str())
        .collect();
    assert_eq!(keys, ["stage, version", "stage"]);
    assert_eq!(first.selectors[0].fallback, "KEYS_SUBSET: stage");
    input.set_criterion("stage", "prod");
    input.set_criterion("version", "1");
    let chosen = tree(&input);
    let leaves = chosen.selectors.iter().flat_map(|branch| &branch.subsets);
    let leaves: Vec<&SubsetLeaf> = leaves.filter(|leaf| leaf.is_chosen).collect();
    assert_eq!(leaves.len(), 1);
    assert_eq!(
        (
            leaves[0].criteria.as_str(),
            leaves[0].hosts,
            leaves[0].healthy
        ),
        ("stage=prod, version=1", 2, 2)
    );
    assert!(!chosen.is_fallback);
    assert_eq!(chosen.hosts.len(), 2);
}

fn changes(scenario: &EditedScenario, before: Option<&EditedScenario>) -> ChangeStage {
    let before = before.map(|before| std::rc::Rc::new(before.clone()));
    ChangeStage::new(scenario, before, &std::rc::Rc::new(stage(scenario)))
}

fn moved(change: &TracedChange) -> MovedShares {
    let request = TraceRequest::new(&change.before, &TraceInput::default());
    MovedShares::new(&change.before, &change.after, &request)
}

#[test]
fn a_loss_moves_the_keys_and_sessions_of_its_hosts() {
    let scenario = preset("documented").unwrap();
    let changes = changes(&scenario, None);
    assert!(changes.change("").is_none(), "no latest change");
    let change = changes.change("zone=a").unwrap();
    assert_eq!(change.name, "The loss of zone a (1\u{a0}usable host)");
    let found = moved(&change);
    let keys = found.keys.unwrap();
    assert_eq!(keys.keys, KEYS);
    // Zone a has one of the five healthy hosts of P0, which takes 70 %.
    assert!(
        (found.envoy - 14.0).abs() < 0.2 && (found.spillgate - 14.0).abs() < 0.2,
        "{found:?}"
    );
    // P0 takes 14 % less, and one of its five healthy hosts is lost.
    let share = |moved: u64| moved as f64 * 100.0 / keys.keys as f64;
    let expected = 14.0 + 56.0 / 5.0;
    assert!((share(keys.moved) - expected).abs() < 1.5, "{found:?}");
    // Decisions on further keys move as many of them.
    let host = |stage: &TraceStage, number: u32| {
        let input = TraceInput {
            key: format!("key-{number}"),
            ..TraceInput::default()
        };
        let decision = traced(stage, &input).decision;
        decision
            .host_ref()
            .map(|host| stage.address(host).to_owned())
    };
    let differs = |number: &u32| host(&change.before, *number) != host(&change.after, *number);
    let moved = (0..2_000).filter(differs).count() as f64 / 20.0;
    assert!(
        (share(keys.moved) - moved).abs() < 4.0,
        "{moved} and {found:?}"
    );
}

#[test]
fn the_latest_change_is_compared_with_the_scenario_before() {
    let before = preset("documented").unwrap();
    let at = spillgate_scenario::PriorityAt {
        cluster: 0,
        priority: 0,
    };
    let edit = spillgate_scenario::ScenarioEdit::HealthyCount(at, 4);
    let after = spillgate_scenario::apply(&before, &edit).unwrap();
    let change = changes(&after, Some(&before)).change("").unwrap();
    let found = moved(&change);
    assert!(
        found.keys.unwrap().moved > 0 && found.envoy > 0.0,
        "{found:?}"
    );
    let same = changes(&before, Some(&before)).change("").unwrap();
    let none = moved(&same);
    assert_eq!(
        (none.keys.unwrap().moved, none.envoy, none.spillgate),
        (0, 0.0, 0.0)
    );
    // Random choices have no deterministic host.
    let random = preset("two-priorities").unwrap();
    assert!(
        moved(&changes(&random, Some(&random)).change("").unwrap())
            .keys
            .is_none()
    );
}

#[test]
fn the_model_decides_for_the_filter_as_for_the_screen() {
    let shop = imported(CLUSTERS, "shop");
    let stage = stage(&shop);
    for seed in 0..20 {
        let mut input = TraceInput {
            seed,
            key: if seed % 2 == 0 {
                "ann".into()
            } else {
                String::new()
            },
            ..TraceInput::default()
        };
        input.set_criterion("stage", "prod");
        let question = ShippedQuestion::new(&stage, &input);
        assert!(question.limits.is_empty());
        let decisions = question.decisions(&stage);
        let [decision] = decisions.as_slice() else {
            panic!("{decisions:?}");
        };
        let shown = traced(&stage, &input).decision.host_ref().unwrap();
        assert_eq!(decision.first_host(), stage.address(shown));
        assert_eq!((decision.status, decision.cluster.as_str()), (None, "shop"));
        assert!(decision.json.contains("\"steps\":["), "{}", decision.json);
    }
}

#[test]
fn what_the_filter_decides_without_is_said() {
    let stage = stage(&preset("documented").unwrap());
    let limits = |session, host: &str, active: &str| {
        let input = TraceInput {
            session,
            session_host: host.into(),
            active: active.into(),
            ..TraceInput::default()
        };
        ShippedQuestion::new(&stage, &input).limits.join(" ")
    };
    assert_eq!(limits(SessionKind::Without, "", ""), "");
    for kind in [SessionKind::Envoy, SessionKind::EnvoyStrict] {
        assert!(limits(kind, "10.0.0.1:80", "").contains("stateful_session"));
    }
    assert!(limits(SessionKind::Spillgate, "", "").contains("draws a number"));
    assert!(!limits(SessionKind::Spillgate, "10.0.0.1:80", "").contains("draws a number"));
    assert!(limits(SessionKind::Without, "", "10.0.0.1:80=3").contains("counts active requests"));
    // A session of Envoy is not one of the filter.
    let input = TraceInput {
        session: SessionKind::EnvoyStrict,
        session_host: "192.0.2.1:80".into(),
        ..TraceInput::default()
    };
    let question = ShippedQuestion::new(&stage, &input);
    assert_eq!(question.decisions(&stage)[0].status, None);
}

#[test]
fn a_thousand_decisions_for_the_filter_are_those_of_the_sequence() {
    for (preset_of, seed) in PRESETS.iter().zip(1..) {
        let stage = stage(&preset(preset_of.id).unwrap());
        let input = TraceInput {
            seed,
            mode: TraceMode::Many,
            ..TraceInput::default()
        };
        let decisions = ShippedQuestion::new(&stage, &input).decisions(&stage);
        let sequence = RequestSequence::new(&stage, &TraceRequest::new(&stage, &input));
        for row in sequence.rows {
            let host = row.host.map_or("", |host| stage.address(host));
            let same = decisions.iter().filter(|of| of.first_host() == host);
            assert_eq!(
                same.count(),
                row.observed as usize,
                "{}: {host}",
                preset_of.id
            );
        }
    }
}

#[test]
fn a_table_is_read_with_the_number_that_the_request_has() {
    let stage = stage(&preset("documented").unwrap());
    let name = |input: &TraceInput| traced(&stage, input).table_number_name();
    let mut input = TraceInput::default();
    let without = "The random number in place of a request hash";
    assert_eq!(name(&input), without);
    let steps = traced(&stage, &input).steps;
    assert!(steps[0].sentence.contains("without a request hash"));
    input.key = "ann".into();
    assert_eq!(name(&input), "The hash of the request");
}
