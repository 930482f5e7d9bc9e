//! Changes of hosts and localities.

use serde_json::Value;
use spillgate_testkit::models::Dice;

use super::{groups, hosts_of, one};
use crate::differential::DifferentialScenario;

/// An address that no scenario has: their parts are below 251.
const NEW_ADDRESS: &str = "127.251.0.1";

/// Adds a host that resembles another one.
pub(super) fn add(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let group = one(groups(scenario, |group| !hosts_of(group).is_empty()), dice)?;
    let mut host = dice.one(hosts_of(group));
    *host.pointer_mut("/endpoint/address/socket_address/address")? = NEW_ADDRESS.into();
    if let Some(key) = host.pointer_mut("/metadata/filter_metadata/envoy.lb/hash_key") {
        *key = format!("key-{NEW_ADDRESS}").into();
    }
    let hosts = group["lb_endpoints"].as_array_mut()?;
    hosts.insert(dice.between(0, hosts.len()), host);
    Some(())
}

/// Removes a host, and its locality with the last one.
pub(super) fn remove(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let group = one(groups(scenario, |group| !hosts_of(group).is_empty()), dice)?;
    let hosts = group["lb_endpoints"].as_array_mut()?;
    hosts.remove(dice.below(hosts.len()));
    without_empty(scenario);
    Some(())
}

/// Gives a host or a locality another weight.
pub(super) fn weigh(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    const FIELD: &str = "load_balancing_weight";
    let weighted = |group: &Value| group.get(FIELD).is_some();
    let message = if dice.chance(40) && !groups(scenario, weighted).is_empty() {
        one(groups(scenario, weighted), dice)?
    } else {
        one_host(scenario, dice)?
    };
    let before = message[FIELD].as_u64().unwrap_or(1);
    let others = [1, 2, 3, 5, 10, 100].into_iter();
    let others: Vec<u64> = others.filter(|weight| *weight != before).collect();
    message[FIELD] = dice.one(&others).into();
    Some(())
}

/// Gives a host another health.
pub(super) fn fail(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    const FIELD: &str = "health_status";
    let host = one_host(scenario, dice)?;
    let before = host[FIELD].as_str().unwrap_or("HEALTHY").to_owned();
    let all = [
        "HEALTHY",
        "HEALTHY",
        "UNHEALTHY",
        "DRAINING",
        "TIMEOUT",
        "DEGRADED",
    ];
    let others: Vec<&str> = all
        .into_iter()
        .filter(|status| **status != before)
        .collect();
    host[FIELD] = dice.one(&others).into();
    Some(())
}

/// Moves a host, or all hosts of a locality, to another priority.
pub(super) fn lift(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let clusters = scenario.clusters.iter_mut();
    let assignments = clusters.filter_map(|cluster| {
        let endpoints = cluster.pointer_mut("/load_assignment/endpoints")?;
        endpoints.as_array_mut().filter(|groups| !groups.is_empty())
    });
    let groups = one(assignments.collect(), dice)?;
    let filled: Vec<usize> = (0..groups.len())
        .filter(|at| !hosts_of(&groups[*at]).is_empty())
        .collect();
    let from = one(filled, dice)?;
    let priority = |group: &Value| group["priority"].as_u64().unwrap_or(0);
    let others = (0..=3).filter(|other| *other != priority(&groups[from]));
    let to = dice.one(&others.collect::<Vec<u64>>());
    let mut moved = groups[from].clone();
    let hosts = groups[from]["lb_endpoints"].as_array_mut()?;
    let taken = if dice.chance(50) {
        std::mem::take(hosts)
    } else {
        vec![hosts.remove(dice.below(hosts.len()))]
    };
    moved["priority"] = to.into();
    let locality = &moved["locality"];
    let there = groups
        .iter_mut()
        .find(|group| priority(group) == to && group["locality"] == *locality);
    match there {
        Some(group) => group["lb_endpoints"].as_array_mut()?.extend(taken),
        None => {
            moved["lb_endpoints"] = taken.into();
            groups.push(moved);
        }
    }
    without_empty(scenario);
    Some(())
}

fn one_host<'s>(scenario: &'s mut DifferentialScenario, dice: &mut Dice) -> Option<&'s mut Value> {
    let group = one(groups(scenario, |group| !hosts_of(group).is_empty()), dice)?;
    one(
        group["lb_endpoints"].as_array_mut()?.iter_mut().collect(),
        dice,
    )
}

/// Removes localities that have lost their last host; those with a weight may be empty.
fn without_empty(scenario: &mut DifferentialScenario) {
    for cluster in &mut scenario.clusters {
        if let Some(Value::Array(groups)) = cluster.pointer_mut("/load_assignment/endpoints") {
            groups.retain(|group| {
                !hosts_of(group).is_empty() || group.get("load_balancing_weight").is_some()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn scenario() -> DifferentialScenario {
        let host = |ip: &str| json!({"endpoint": {"address": {"socket_address": {"address": ip, "port_value": 1}}}});
        DifferentialScenario {
            clusters: vec![json!({"name": "~a", "load_assignment": {"endpoints": [
                {"lb_endpoints": [host("127.1.1.1"), host("127.1.1.2")]},
            ]}})],
            ..DifferentialScenario::default()
        }
    }

    fn addresses(scenario: &DifferentialScenario) -> usize {
        scenario.clusters[0]
            .to_string()
            .matches("socket_address")
            .count()
    }

    #[test]
    fn hosts_come_go_and_move() {
        let mut dice = Dice::new(1);
        let (mut more, mut fewer, mut lifted) = (scenario(), scenario(), scenario());
        add(&mut more, &mut dice);
        remove(&mut fewer, &mut dice);
        lift(&mut lifted, &mut dice);
        assert_eq!(
            (addresses(&more), addresses(&fewer), addresses(&lifted)),
            (3, 1, 2)
        );
        assert!(more.clusters[0].to_string().contains(NEW_ADDRESS));
        assert!(lifted.clusters[0].to_string().contains("\"priority\":"));
    }

    #[test]
    fn weight_and_health_differ_afterwards() {
        for seed in 0..20 {
            let mut dice = Dice::new(seed);
            let (mut weighed, mut failed) = (scenario(), scenario());
            weigh(&mut weighed, &mut dice);
            fail(&mut failed, &mut dice);
            let text = |of: &DifferentialScenario| of.clusters[0].to_string();
            assert!(text(&weighed).contains("load_balancing_weight"));
            assert!(
                !text(&failed).contains("\"HEALTHY\"") && text(&failed).contains("health_status")
            );
        }
    }
}
