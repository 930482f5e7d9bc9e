//! The figures of an explained decision lead to the same choice again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use serde_json::Value;
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::SplitMix64,
    model::ClusterKind,
    route::HeaderList,
    snapshot::{ClusterId, Snapshot},
    trace::{NoTrace, Step},
};
use spillgate_explain::decision::decision_json;
use spillgate_testkit::{
    amount, every_case, figure,
    models::{Dice, Extent, pair},
};

/// Decisions, in short and in full form.
const DECISIONS: [u64; 2] = [20_000, 6_000_000];
/// Decisions for each cluster of a model.
const EACH: u64 = 10;

#[test]
fn the_figures_of_a_decision_lead_to_its_choice() {
    let [short, full] = DECISIONS;
    let count = amount(short, full);
    // Two plain clusters and an aggregate.
    let replayed = every_case(count.div_ceil(2 * EACH), |number| {
        let mut dice = Dice::of(6, number);
        let steps = dice.below(2);
        let model = pair(&mut dice, steps, Extent::few(5));
        let snapshot = Snapshot::build(&model);
        let clusters = snapshot.clusters().zip(model.clusters());
        let plain = |kind: &ClusterKind| matches!(kind, ClusterKind::Plain(_));
        clusters
            .map(|((id, _), of)| replay(&snapshot, id, plain(&of.kind), &mut dice))
            .sum()
    });
    assert!(replayed > count / 2, "{replayed}");
    figure(format_args!("{replayed} explained decisions replayed"));
}

/// Decides requests for a cluster and replays each; how many chose a priority.
fn replay(snapshot: &Snapshot, cluster: ClusterId, is_plain: bool, dice: &mut Dice) -> u64 {
    const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let criteria = dice.metadata(Extent::few(5));
    let request = Request {
        criteria: &criteria,
        ..Request::new(cluster, &NO_HEADERS)
    };
    let mut draw = SplitMix64::new(dice.bits());
    let mut state = BalancerState::new(snapshot, &mut draw);
    let mut replayed = 0;
    for _ in 0..EACH {
        let (mut again, mut same_draw) = (state.clone(), draw.clone());
        let mut steps: Vec<Step> = Vec::new();
        let decision = decide(snapshot, &mut state, &request, &mut draw, &mut steps);
        let candidates = decision.candidates(snapshot, 3);
        let text = decision_json(snapshot, &decision, &candidates, Some(&steps));
        let json: Value = serde_json::from_str(&text).unwrap();
        // The explained request, decided again without an explanation.
        let repeated = decide(snapshot, &mut again, &request, &mut same_draw, &mut NoTrace);
        assert_eq!(repeated.host_ref(), decision.host_ref(), "{text}");
        if decision.priority.is_some() {
            replayed += u64::from(from_figures(&json, is_plain));
        }
    }
    replayed
}

/// Chooses from the printed figures, and compares with the printed choice. False if the decision
/// has no such figures.
fn from_figures(json: &Value, is_plain: bool) -> bool {
    let steps = json["steps"].as_array().unwrap();
    let kind = if is_plain { "priority" } else { "cluster" };
    let mut found = steps.iter().rev();
    let found =
        found.find(|step| step["step"] == kind && step["values"]["healthy_load"].is_array());
    let Some(values) = found.map(|step| &step["values"]) else {
        return false;
    };
    let (line, degraded) = chosen(values);
    if is_plain {
        assert_eq!(json["priority"], line, "{json}");
        assert_eq!(json["degraded"], degraded, "{json}");
    } else {
        // An index into the linearized priorities.
        assert_eq!(values["line"], line, "{json}");
    }
    true
}

/// The load that `roll` falls into, healthy loads first: its place, and whether it is for degraded
/// hosts.
fn chosen(values: &Value) -> (usize, bool) {
    let roll = values["roll"].as_u64().unwrap();
    let loads = |name: &str| -> Vec<u64> {
        let list = values[name].as_array().unwrap();
        list.iter().map(|load| load.as_u64().unwrap()).collect()
    };
    let (healthy, degraded) = (loads("healthy_load"), loads("degraded_load"));
    let both = healthy.iter().chain(&degraded).enumerate();
    let mut sum = 0;
    for (at, load) in both {
        sum += load;
        if roll < sum {
            return (at % healthy.len(), at >= healthy.len());
        }
    }
    (0, false)
}
