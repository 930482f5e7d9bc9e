//! Changes of routes, and of the runtime values that routes and clusters read.

use serde_json::{Value, json};
use spillgate_testkit::models::Dice;

use super::one;
use crate::differential::DifferentialScenario;

/// Lets two routes change places.
pub(super) fn swap(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let count = scenario.routes.len();
    let first = dice.below(count);
    let second = one((0..count).filter(|at| *at != first).collect(), dice)?;
    scenario.routes.swap(first, second);
    Some(())
}

/// Gives a key another value.
pub(super) fn tune(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let entry = one(scenario.runtime.iter_mut().collect(), dice)?;
    // Envoy divides by the sum of weights, so that none becomes 0.
    let numbers: Vec<Value> = [1, 5, 20, 45, 70, 100].map(Value::from).into();
    let is_other = |value: &&Value| **value != entry.value;
    let others: Vec<Value> = numbers.iter().filter(is_other).cloned().collect();
    let number = dice.one(&others);
    entry.value = if entry.value.is_object() {
        json!({"numerator": number, "denominator": "HUNDRED"})
    } else {
        number
    };
    Some(())
}
