//! The facts are those of the what-if analysis.

use spillgate_core::{
    model::{ClusterKind, Metadata, PanicThreshold},
    snapshot::HostRef,
};
use spillgate_sim::{Expectation, LossModel, Scene, WhatIf};
use spillgate_testkit::models::{Dice, Extent, model};

use super::super::{PriorityAt, ScenarioEdit, apply, preset};
use super::*;

fn texts(scenario: &EditedScenario) -> Vec<String> {
    let facts = facts(scenario, &ScenarioOutcome::of(scenario));
    let texts = facts.into_iter().map(|(_, text)| text);
    texts.map(|text| text.replace('\u{a0}', " ")).collect()
}

fn scene(scenario: &EditedScenario) -> Scene {
    let name = scenario.name(scenario.root());
    Scene::new(scenario.model(), name, Metadata::EMPTY).unwrap()
}

fn survives(scene: &Scene) -> bool {
    let nothing = scene.what_if(&[], &[]);
    let expectation = Expectation::parse("survives n-1").unwrap();
    expectation.check(scene, &nothing).unwrap().ok
}

/// What-if answers about the loss of each priority.
fn by_priority(scene: &Scene) -> Vec<WhatIf> {
    let losses = LossModel::new(scene.snapshot(), scene.cluster(), scene.criteria());
    let now = scene.state(&[]);
    let hosts = |place| -> Vec<HostRef> { losses.of_place(&now, place).collect() };
    let places = 0..now.priorities.len();
    places
        .map(|place| scene.what_if(&[], &hosts(place)))
        .collect()
}

/// The facts are those of the what-if screen and of `spillgate what-if`.
#[track_caller]
fn check(scenario: &EditedScenario) {
    let (scene, texts) = (scene(scenario), texts(scenario));
    let has = |part: &str| texts.iter().any(|text| text.contains(part));
    let now = scene.state(&[]);
    let zones = scene.zones();
    let claimed = zones.len() > 1 && scene.losses().is_counted() && now.survives();
    let context = format!("{texts:?} {:?}", scenario.clusters());
    assert_eq!(
        has("survives the loss of any one zone"),
        claimed && survives(&scene),
        "{context}"
    );
    assert_eq!(
        has("after losing zone "),
        claimed && !survives(&scene),
        "{context}"
    );
    let answers = by_priority(&scene);
    let margin = answers
        .iter()
        .filter_map(|answer| answer.panic_margin)
        .min();
    assert_eq!(
        has("panic starts"),
        margin.is_some_and(|hosts| hosts > 0),
        "{context}"
    );
    let place = now.loads().position(|load| load > 0);
    let spill = place.and_then(|place| {
        let mut states = answers[place].sweep.iter();
        let hosts = states.position(|state| state.load(place) < now.load(place))?;
        let moved = now.load(place) - answers[place].sweep[hosts].load(place);
        let more = if now.load(place) < 100 { " more" } else { "" };
        let lost = plural(hosts, "more host");
        Some(format!("{lost} in X: {}{more} spills over", whole(moved)).replace('\u{a0}', " "))
    });
    let found = texts.iter().find(|text| text.ends_with(" spills over"));
    let found = found.map(|text| {
        let (lost, rest) = text.split_once(" in ").unwrap();
        let (_, moved) = rest.rsplit_once(": ").unwrap();
        format!("{} in X: {moved}", lost.trim_start_matches("after losing "))
    });
    assert_eq!(found, spill, "{context}");
}

#[test]
fn build_and_what_if_agree_on_random_models() {
    for number in 0..400 {
        let mut dice = Dice::of(1, number);
        let model = model(&mut dice, Extent::few(5));
        let clusters = model.into_clusters();
        for root in 0..clusters.len() {
            let is_composite = matches!(clusters[root].kind, ClusterKind::Composite(_));
            if let Ok(scenario) = EditedScenario::new(clusters.clone(), root)
                && !is_composite
            {
                check(&scenario);
            }
        }
    }
}

#[test]
fn build_and_what_if_agree_on_every_preset() {
    for entry in super::super::PRESETS {
        check(&preset(entry.id).unwrap());
    }
}

#[test]
fn a_priority_without_load_is_not_in_panic_mode_for_users() {
    let scenario = preset("documented").unwrap();
    let scenario = apply(&scenario, &ScenarioEdit::RemovePriority(0)).unwrap();
    assert!(survives(&scene(&scenario)));
    assert_eq!(texts(&scenario)[0], "survives the loss of any one zone");
}

#[test]
fn the_next_spillover_counts_the_spare_hosts() {
    let scenario = preset("documented").unwrap();
    let p0 = PriorityAt {
        cluster: 0,
        priority: 0,
    };
    let whole = apply(&scenario, &ScenarioEdit::HealthyCount(p0, 10)).unwrap();
    let texts = texts(&whole);
    // Seven of ten hosts are enough for 98 %, eight for 100 %.
    let fact = "after losing 3 more hosts in P0: 2 % spills over";
    assert!(texts.contains(&fact.into()), "{texts:?}");
}

#[test]
fn spillover_in_addition_to_the_present_one_is_named_so() {
    // Five of ten hosts: 70 %. Four: 56 %.
    let texts = texts(&preset("documented").unwrap());
    let fact = "after losing 1 more host in P0: 14 % more spills over";
    assert!(texts.contains(&fact.into()), "{texts:?}");
}

#[test]
fn the_loss_of_a_zone_counts_the_weights_of_its_hosts() {
    let scenario = weighted();
    // Zone b has 400 of 406: without zone a every request finds a host.
    let loss = texts(&scenario).remove(0);
    assert!(!loss.contains("every priority"), "{loss}");
    assert_eq!(
        loss.contains("survives"),
        survives(&scene(&scenario)),
        "{loss}"
    );
}

/// Zone a has six hosts of weight 1, zone b four of weight 100.
fn weighted() -> EditedScenario {
    use spillgate_core::model::{
        Cluster, Endpoint, Locality, PlainCluster, Priority, PriorityLocality, Weight,
    };
    let locality = |zone: &str| PriorityLocality {
        locality: Locality {
            zone: zone.into(),
            ..Locality::default()
        },
        weight: None,
    };
    let host = |at: usize| Endpoint {
        weight: Weight::new(if at < 6 { 1 } else { 100 }).unwrap(),
        locality: usize::from(at >= 6),
        ..Endpoint::new(format!("10.0.0.{at}:80"))
    };
    let cluster = PlainCluster {
        weighted_priority_health: true,
        panic_threshold: PanicThreshold::DEFAULT,
        priorities: vec![Priority {
            localities: vec![locality("a"), locality("b")],
            endpoints: (0..10).map(host).collect(),
        }],
        ..PlainCluster::default()
    };
    EditedScenario::new(vec![Cluster::plain("shop", cluster)], 0).unwrap()
}
