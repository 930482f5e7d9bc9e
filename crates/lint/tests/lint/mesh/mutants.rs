//! Meshes with one added fault: the expected rule reports it.

use serde_json::Value;
use spillgate_testkit::{figure, models::Dice};

use super::{faults::FAULTS, lint_value, rules, site::site};

/// Meshes with each fault.
const EACH: u64 = 15;

/// A mesh with a place for a fault, before and after it.
fn mutant(add: fn(&mut Vec<Value>, &mut Dice) -> Option<()>, start: u64) -> (Value, Value) {
    let mut seeds = start..start + 1_000;
    let found = seeds.find_map(|seed| {
        let before = site(seed);
        let mut after = before.clone();
        add(&mut after, &mut Dice::new(seed))?;
        Some((Value::Array(before), Value::Array(after)))
    });
    found.expect("a mesh with a place for the fault")
}

#[test]
fn added_mesh_faults_are_detected() {
    let mut detected = 0;
    for (number, fault) in FAULTS.iter().enumerate() {
        for round in 0..EACH {
            let start = 10_000 * (EACH * number as u64 + round);
            let (before, after) = mutant(fault.add, start);
            let found = rules(&lint_value(&after));
            assert!(
                found.contains(&fault.rule),
                "{}: {found:?}\n{after:#}",
                fault.rule
            );
            let found = rules(&lint_value(&before));
            assert!(!found.contains(&fault.rule), "{}: {before:#}", fault.rule);
            detected += 1;
        }
    }
    figure(format_args!(
        "{detected} of {detected} added mesh faults detected, of {} kinds",
        FAULTS.len()
    ));
}

#[test]
fn every_mesh_rule_has_a_mutant() {
    for rule in spillgate_lint::MESH_RULES {
        assert!(
            FAULTS.iter().any(|fault| fault.rule == rule.id),
            "{}",
            rule.id
        );
    }
}
