//! The result after random losses in random models is the engine's answer for the model with those
//! hosts failed.

use std::rc::Rc;

use spillgate_core::{
    model::{Cluster, ClusterKind, Metadata},
    snapshot::{HostRef, Snapshot},
};
use spillgate_explain::report::PriorityRow;
use spillgate_scenario::{
    EditedScenario, Headline, LoadState, PageLayout, ScenarioOutcome, ShortNames, spillway,
};
use spillgate_sim::{Amount, Loss};
use spillgate_testkit::{
    amount, figure,
    models::{Dice, Extent, model},
};

use super::*;

const SEED: u64 = 11;

/// The clusters in which these hosts fail their active health checks.
fn failed(scenario: &EditedScenario, lost: &[HostRef]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = scenario
        .clusters()
        .iter()
        .map(|cluster| (**cluster).clone())
        .collect();
    for host in lost {
        let ClusterKind::Plain(plain) = &mut clusters[host.cluster.index()].kind else {
            panic!("{host:?} is in no plain cluster");
        };
        let endpoint = &mut plain.priorities[host.priority].endpoints[host.host];
        endpoint.health = endpoint.health.failed();
    }
    clusters
}

fn random_question(dice: &mut Dice, stage: &Stage) -> Question {
    let losses = (0..dice.between(1, 3)).map(|_| {
        let option = &stage.options[dice.between(0, stage.options.len() - 1)];
        let amount = if dice.chance(50) {
            Amount::Percent(dice.between(0, 100) as f64)
        } else {
            Amount::Hosts(dice.between(0, option.usable))
        };
        LossInput {
            selector: option.selector.clone(),
            amount,
        }
    });
    Question {
        losses: losses.collect(),
        expectations: Vec::new(),
    }
}

/// Compares a result with the engine's.
fn check(stage: &Stage, question: &Question, at: usize, context: &str) {
    let scenario = &stage.scenario;
    let sweep = Sweep::new(stage, question, at).unwrap();
    let found = answer(stage, &sweep, question);
    let losses = question.losses.iter();
    let losses: Result<Vec<Loss>, _> = losses
        .map(|loss| Loss::parse(&format!("{}:{}", loss.selector, loss.amount)))
        .collect();
    if let Ok(losses) = losses {
        assert_eq!(
            Ok(&found.what_if.lost),
            stage.scene.lost(&losses).as_ref(),
            "{context}"
        );
    }
    let clusters = failed(scenario, &found.what_if.lost);
    let expected = EditedScenario::new(clusters, scenario.root()).unwrap();
    let snapshot = Snapshot::build(expected.model());
    let id = stage.scene.cluster();
    let state = LoadState::of(&snapshot, id, &Metadata::EMPTY);
    // Members of a composite cluster that do not serve have rows without load.
    let idle = found.what_if.after.loads().filter(|load| *load == 0);
    assert!(
        idle.count() + state.priorities.len() >= sweep.priorities.len(),
        "{context}"
    );
    let serving = |state: &LoadState| -> Vec<PriorityRow> {
        let rows = state.priorities.iter().copied();
        rows.filter(|row| row.load() > 0).collect()
    };
    assert_eq!(serving(&found.what_if.after), serving(&state), "{context}");
    assert_eq!(found.what_if.after.no_host, state.no_host, "{context}");
    assert_eq!(
        found.what_if.shares_after,
        snapshot.distribution_for(id, &Metadata::EMPTY, None),
        "{context}"
    );
    let place = &found.what_if.sweep[found.place];
    assert!(place.loads().eq(found.what_if.after.loads()), "{context}");
    assert_eq!(place.no_host, found.what_if.after.no_host, "{context}");
    // Pictures and table give a priority the same color.
    for row in found.after.priorities() {
        assert_eq!(sweep.priorities[row.place], row.name, "{context}");
    }
    let mut outcome = ScenarioOutcome::of(&expected);
    outcome.keep_places(found.what_if.before.priorities.iter().map(|row| row.at));
    assert_eq!(found.headline, Headline::of(&outcome), "{context}");
    let names = ShortNames::default();
    for size in [PageLayout::Wide, PageLayout::Narrow] {
        let drawn = |outcome| format!("{:?}", spillway(outcome, &names, size));
        assert_eq!(drawn(&found.after), drawn(&outcome), "{context}");
    }
}

#[test]
fn the_result_after_is_the_engines_answer_for_the_failed_hosts() {
    let mut checked = 0;
    for number in 0..amount(150, 2_000) as u64 {
        let mut dice = Dice::of(SEED, number);
        let model = model(&mut dice, Extent::few(6));
        for root in 0..model.clusters().len() {
            let clusters = model.clusters().to_vec();
            let Ok(scenario) = EditedScenario::new(clusters, root) else {
                continue;
            };
            let Some(stage) = Stage::new(&Rc::new(scenario)) else {
                continue;
            };
            let question = random_question(&mut dice, &stage);
            for at in 0..question.losses.len() {
                let context = format!("model {number}, cluster {root}, loss {at}: {question:?}");
                check(&stage, &question, at, &context);
                checked += 1;
            }
        }
    }
    figure(format!(
        "{checked} losses in random models: the result is the engine's"
    ));
}
