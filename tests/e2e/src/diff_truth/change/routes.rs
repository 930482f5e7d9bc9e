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

/// Writes a route in another way: hidden by itself once more, before itself with a condition more, or with its conditions
/// and weighted clusters in another order.
pub(super) fn respell(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let at = dice.below(scenario.routes.len());
    let mut route = scenario.routes.get(at)?.clone();
    match dice.below(3) {
        0 => scenario.routes.push(route),
        1 => {
            let condition = json!({"name": ":method", "string_match": {"exact": "GET"}});
            let matches = route.get_mut("match")?.as_object_mut()?;
            let headers = matches.entry("headers").or_insert_with(|| json!([]));
            headers.as_array_mut()?.insert(0, condition);
            scenario.routes.insert(at, route);
        }
        _ => {
            for list in [
                "/match/headers",
                "/match/query_parameters",
                "/match/cookies",
                "/route/weighted_clusters/clusters",
            ] {
                if let Some(list) = route.pointer_mut(list).and_then(Value::as_array_mut) {
                    list.reverse();
                }
            }
            if route == *scenario.routes.get(at)? {
                return None;
            }
            *scenario.routes.get_mut(at)? = route;
        }
    }
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
