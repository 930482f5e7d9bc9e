//! The same configuration in another order.

use serde_json::{Map, Value};
use spillgate_testkit::models::Dice;

use super::{groups, hosts_of, one};
use crate::differential::DifferentialScenario;

/// Reverses clusters, and the fields of all messages.
pub(super) fn of_text(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    if dice.chance(70) {
        scenario.clusters.reverse();
    }
    if dice.chance(70) {
        let messages = scenario.clusters.iter_mut().chain(&mut scenario.routes);
        messages.for_each(reverse);
    }
    Some(())
}

fn reverse(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let reversed = std::mem::take(fields).into_iter().rev();
            *fields = reversed
                .map(|(name, mut value)| {
                    reverse(&mut value);
                    (name, value)
                })
                .collect::<Map<String, Value>>();
        }
        Value::Array(items) => items.iter_mut().for_each(reverse),
        _ => {}
    }
}

/// Reverses the hosts of a locality, or the localities of a cluster.
pub(super) fn of_hosts(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    if dice.chance(60) {
        let group = one(groups(scenario, |group| hosts_of(group).len() > 1), dice)?;
        group["lb_endpoints"].as_array_mut()?.reverse();
        return Some(());
    }
    let clusters = scenario.clusters.iter_mut();
    let several = clusters.filter_map(|cluster| {
        let endpoints = cluster.pointer_mut("/load_assignment/endpoints")?;
        endpoints.as_array_mut().filter(|groups| groups.len() > 1)
    });
    one(several.collect(), dice)?.reverse();
    Some(())
}
