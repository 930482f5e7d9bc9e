//! Headlines of the presets, of edits, and of random models.

use spillgate_core::model::{ClusterKind, CoarseHealth};
use spillgate_testkit::models::{Dice, Extent, model};

use super::*;
use crate::{EditedScenario, PriorityAt, ScenarioEdit, apply, preset};

fn texts(scenario: &EditedScenario) -> [String; 2] {
    let found = Headline::of(&ScenarioOutcome::of(scenario));
    [found.sentence(), found.reason].map(|text| text.replace('\u{a0}', " "))
}

const fn at(cluster: usize, priority: usize) -> PriorityAt {
    PriorityAt { cluster, priority }
}

fn edited(id: &str, edits: &[ScenarioEdit]) -> EditedScenario {
    let start = preset(id).unwrap();
    edits
        .iter()
        .fold(start, |scenario, edit| apply(&scenario, edit).unwrap())
}

#[test]
fn every_preset_says_the_worst_first() {
    let all = [
        (
            "documented",
            "Spillover: P0 takes 70 % of the traffic, P1 takes 30 %.",
            "P0: 5 of 10 hosts × 1.4 = 70 %.",
        ),
        (
            "two-priorities",
            "No spillover: P0 takes 100 % of the traffic.",
            "P0: 72 of 100 hosts × 1.4 ≥ 100 %.",
        ),
        (
            "degraded",
            "Degraded: 16 % of the traffic goes to degraded hosts.",
            "P0 takes 72 %, P1 takes 28 %. P0: 4 of 10 hosts × 1.4 = 56 %. P1: 1 of 5 hosts × 1.4 = 28 %.",
        ),
        (
            "panic",
            "Panic: all traffic goes to 20 hosts, 17 of them unhealthy.",
            "Total availability is 63 %, and every priority is below the panic threshold of 50 %: Envoy \
             ignores health and splits by host count.",
        ),
        (
            "no-panic",
            "No host: every request gets a 503.",
            "P0: 0 of 5 hosts healthy (0 %). A panic threshold of 0 disables panic mode.",
        ),
        (
            "aggregate",
            "Panic: primary takes 70 %, secondary takes 30 %.",
            "20 of 24 hosts unhealthy. primary P0: 1 of 5 hosts healthy (20 %), below the panic threshold of 50 %, as are 3 more: \
             Envoy ignores health.",
        ),
        (
            "shop",
            "Spillover: shop-primary takes 84 % of the traffic, shop-secondary takes 16 %.",
            "shop-primary P0: 6 of 10 hosts × 1.4 = 84 %.",
        ),
    ];
    for (id, sentence, reason) in all {
        assert_eq!(texts(&preset(id).unwrap()), [sentence, reason], "{id}");
        // Two lines of a wide window.
        assert!(sentence.chars().count() <= 80, "{id}");
    }
    assert_eq!(all.len(), crate::PRESETS.len());
}

#[test]
fn panic_in_one_of_several_priorities_names_it() {
    let scenario = edited(
        "documented",
        &[
            ScenarioEdit::HealthyCount(at(0, 0), 2),
            ScenarioEdit::HealthyCount(at(0, 1), 5),
            ScenarioEdit::HealthyCount(at(0, 2), 0),
        ],
    );
    assert_eq!(
        texts(&scenario),
        [
            "Panic: 29 % of the traffic goes to 10 hosts of P0, 8 of them unhealthy.",
            "P0: 2 of 10 hosts healthy (20 %), below the panic threshold of 50 %: Envoy ignores health.",
        ]
    );
}

#[test]
fn a_single_priority_gets_worse_with_each_loss() {
    let mut scenario = edited("documented", &[]);
    for _ in 0..2 {
        scenario = apply(&scenario, &ScenarioEdit::RemovePriority(0)).unwrap();
    }
    for (healthy, expected) in [
        (
            10,
            [
                "All healthy: P0 takes 100 % of the traffic.",
                "P0: 10 of 10 hosts × 1.4 ≥ 100 %.",
            ],
        ),
        (
            6,
            [
                "Overload: hosts available for 84 % of the traffic take all of it.",
                "P0: 6 of 10 hosts × 1.4 = 84 %. The loads are scaled up from 84 % to 100 %.",
            ],
        ),
        (
            4,
            [
                "Panic: all traffic goes to 10 hosts, 6 of them unhealthy.",
                "P0: 4 of 10 hosts healthy (40 %), below the panic threshold of 50 %: Envoy ignores health.",
            ],
        ),
        (
            0,
            [
                "Panic: all traffic goes to 10 hosts, all unhealthy.",
                "P0: 0 of 10 hosts healthy (0 %), below the panic threshold of 50 %: Envoy ignores health.",
            ],
        ),
    ] {
        let scenario = apply(&scenario, &ScenarioEdit::HealthyCount(at(0, 0), healthy)).unwrap();
        assert_eq!(texts(&scenario), expected);
    }
}

#[test]
fn a_member_without_a_usable_host_takes_nothing() {
    // The aggregate is in panic mode and sends a third to its second member, whose own panic
    // threshold is 0: no host of it serves.
    let start = preset("shop").unwrap();
    let place = |name| (0..3).find(|at| start.name(*at) == name).unwrap();
    let (primary, secondary) = (place("shop-primary"), place("shop-secondary"));
    let scenario = edited(
        "shop",
        &[
            ScenarioEdit::HealthyCount(at(primary, 0), 3),
            ScenarioEdit::HealthyCount(at(secondary, 0), 0),
            ScenarioEdit::Threshold(secondary, 0),
        ],
    );
    let outcome = ScenarioOutcome::of(&scenario);
    let loads: Vec<u32> = outcome.clusters.iter().map(|row| row.load).collect();
    assert!(loads.iter().all(|load| *load > 0), "{loads:?}");
    assert_eq!(
        texts(&scenario),
        [
            "No host: 33 % of the requests get a 503; shop-primary takes 67 %.",
            "shop-secondary P0: 0 of 5 hosts healthy (0 %).",
        ]
    );
}

#[test]
fn many_priorities_are_summed_up() {
    let mut scenario = preset("two-priorities").unwrap();
    for _ in 0..5 {
        scenario = apply(&scenario, &ScenarioEdit::AddPriority(0)).unwrap();
    }
    for priority in 0..7 {
        let at = at(0, priority);
        let hosts = apply(&scenario, &ScenarioEdit::HostCount(at, 20)).unwrap_or(scenario);
        scenario = apply(&hosts, &ScenarioEdit::HealthyCount(at, 3)).unwrap_or(hosts);
    }
    assert_eq!(
        texts(&scenario),
        [
            "Spillover: P0 takes 21 % of the traffic, P1 takes 21 %, 3 more take 58 %.",
            "P0: 3 of 20 hosts × 1.4 = 21 %. P1: 3 of 20 hosts × 1.4 = 21 %. 5 more are below 100 %.",
        ]
    );
}

/// What the shares of the hosts say, without the loads: the least severity that is true.
fn least(outcome: &ScenarioOutcome) -> ResultSeverity {
    let mut least = ResultSeverity::Well;
    for (place, row) in outcome.priorities().iter().enumerate() {
        for host in outcome.hosts(row).filter(|host| host.share > 0.0) {
            let found = match (host.endpoint.health.coarse(), place) {
                (CoarseHealth::Unhealthy, _) => ResultSeverity::Panic,
                (CoarseHealth::Degraded, _) => ResultSeverity::Degraded,
                (CoarseHealth::Healthy, 0) => ResultSeverity::Well,
                (CoarseHealth::Healthy, _) => ResultSeverity::Spillover,
            };
            least = least.max(found);
        }
    }
    if outcome.no_host() >= 0.05 {
        least = least.max(ResultSeverity::NoHost);
    }
    least
}

#[test]
fn no_headline_is_better_than_the_shares_of_the_hosts() {
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..600 {
        let clusters = model(&mut Dice::of(7, number), Extent::few(5)).into_clusters();
        for root in 0..clusters.len() {
            let is_composite = matches!(clusters[root].kind, ClusterKind::Composite(_));
            let Ok(scenario) = EditedScenario::new(clusters.clone(), root) else {
                continue;
            };
            let outcome = ScenarioOutcome::of(&scenario);
            let headline = Headline::of(&outcome);
            let context = format!("{number}/{root}: {headline:?} {:?}", scenario.clusters());
            if !is_composite {
                assert!(headline.severity >= least(&outcome), "{context}");
            }
            assert!(!headline.reason.is_empty(), "{context}");
            assert!(headline.sentence().ends_with('.'), "{context}");
            seen.insert(headline.severity);
        }
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}
