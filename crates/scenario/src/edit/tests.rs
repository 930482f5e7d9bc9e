//! Edits and their effects.

use super::*;
use crate::preset;

const P0: PriorityAt = PriorityAt {
    cluster: 0,
    priority: 0,
};

fn healthy(scenario: &EditedScenario) -> usize {
    let endpoints = &scenario.priority(P0).unwrap().endpoints;
    let healthy = endpoints
        .iter()
        .filter(|e| e.health.coarse() == CoarseHealth::Healthy);
    healthy.count()
}

#[test]
fn a_slider_copies_only_the_cluster_that_it_changes() {
    let scenario = preset("aggregate").unwrap();
    let at = PriorityAt {
        cluster: 1,
        priority: 0,
    };
    let edited = apply(&scenario, &ScenarioEdit::HealthyCount(at, 0)).unwrap();
    let pairs = scenario.clusters().iter().zip(edited.clusters());
    for (number, (before, after)) in pairs.enumerate() {
        assert_eq!(std::sync::Arc::ptr_eq(before, after), number != at.cluster);
    }
    assert_eq!(edited.clusters().len(), scenario.clusters().len());
}

#[test]
fn a_new_priority_has_a_zone_of_its_own() {
    let scenario = preset("documented").unwrap();
    let more = apply(&scenario, &ScenarioEdit::AddPriority(0)).unwrap();
    let priorities = &more.plain(0).unwrap().priorities;
    let zone_of = |at: usize| priorities[at].localities[0].locality.zone.as_str();
    assert_eq!(zone_of(priorities.len() - 2), "d");
    assert_eq!(zone_of(priorities.len() - 1), "e");
}

#[test]
fn the_healthy_count_is_reached_both_ways() {
    let scenario = preset("documented").unwrap();
    for count in [0, 3, 10, 7] {
        let next = apply(&scenario, &ScenarioEdit::HealthyCount(P0, count)).unwrap();
        assert_eq!(healthy(&next), count);
    }
    let beyond = apply(&scenario, &ScenarioEdit::HealthyCount(P0, 99)).unwrap();
    assert_eq!(healthy(&beyond), 10);
}

#[test]
fn an_edit_without_effect_is_no_step() {
    let scenario = preset("documented").unwrap();
    assert_eq!(apply(&scenario, &ScenarioEdit::HealthyCount(P0, 5)), None);
    assert_eq!(apply(&scenario, &ScenarioEdit::Factor(0, 140)), None);
    assert_eq!(apply(&scenario, &ScenarioEdit::Show(0)), None);
    assert_eq!(apply(&scenario, &ScenarioEdit::Show(9)), None);
    assert_eq!(apply(&scenario, &ScenarioEdit::Threshold(7, 1)), None);
}

#[test]
fn added_hosts_have_distinct_addresses() {
    let scenario = preset("documented").unwrap();
    let more = apply(&scenario, &ScenarioEdit::HostCount(P0, 300)).unwrap();
    let mut addresses: Vec<_> = more.priority(P0).unwrap().endpoints.iter().collect();
    addresses.sort_by(|a, b| a.address.cmp(&b.address));
    addresses.dedup_by(|a, b| a.address == b.address);
    assert_eq!(addresses.len(), 300);
    let empty = apply(&more, &ScenarioEdit::HostCount(P0, 0)).unwrap();
    assert!(empty.priority(P0).unwrap().endpoints.is_empty());
}

#[test]
fn clicks_cycle_through_all_healths() {
    let mut health = CoarseHealth::Healthy;
    let mut seen = Vec::new();
    for _ in 0..3 {
        let choice = HealthChoice::after(health);
        seen.push(choice);
        health = Health::from_status(choice.status()).coarse();
    }
    assert_eq!(
        seen,
        [
            HealthChoice::Unhealthy,
            HealthChoice::Degraded,
            HealthChoice::Healthy
        ]
    );
}
