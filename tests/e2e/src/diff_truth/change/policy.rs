//! Changes of load-balancing policies and their settings.

use serde_json::{Value, json};
use spillgate_testkit::models::Dice;

use super::one;
use crate::differential::DifferentialScenario;

const TYPES: &str = "type.googleapis.com/envoy.extensions.load_balancing_policies";

/// The policies that a change chooses from, by their names in both forms.
const POLICIES: [PolicyNames; 5] = [
    PolicyNames::new("round_robin", "RoundRobin"),
    PolicyNames::new("random", "Random"),
    PolicyNames::new("least_request", "LeastRequest"),
    PolicyNames::new("ring_hash", "RingHash"),
    PolicyNames::new("maglev", "Maglev"),
];

/// The names of a policy.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PolicyNames {
    /// Of the extension, and of the fields of a cluster.
    snake: &'static str,
    /// Of the message.
    message: &'static str,
}

impl PolicyNames {
    const fn new(snake: &'static str, message: &'static str) -> Self {
        Self { snake, message }
    }

    fn typed(self) -> String {
        format!("{TYPES}.{}.v3.{}", self.snake, self.message)
    }
}

/// Gives a cluster another policy, panic threshold or overprovisioning factor.
pub(super) fn replace(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let cluster = one(scenario.clusters.iter_mut().collect(), dice)?;
    match dice.below(5) {
        0 => {
            let thresholds = [0.0, 10.0, 34.0, 50.0, 67.0, 100.0];
            let field = &mut cluster["common_lb_config"]["healthy_panic_threshold"];
            let before = field["value"].as_f64().unwrap_or(50.0);
            let others = thresholds.into_iter().filter(|other| *other != before);
            *field = json!({"value": dice.one(&others.collect::<Vec<f64>>())});
            Some(())
        }
        1 => {
            let assignment = cluster.get_mut("load_assignment")?;
            let field = &mut assignment["policy"]["overprovisioning_factor"];
            let before = field.as_u64().unwrap_or(140);
            let others = [100, 120, 140, 170, 250].into_iter();
            let others: Vec<u64> = others.filter(|other| *other != before).collect();
            *field = dice.one(&others).into();
            Some(())
        }
        _ => other_policy(cluster, dice),
    }
}

fn other_policy(cluster: &mut Value, dice: &mut Dice) -> Option<()> {
    // These subsets need localities with weights from their policy.
    if cluster.to_string().contains("locality_weight_aware") {
        return None;
    }
    let others = |before: &dyn Fn(&PolicyNames) -> bool| -> Vec<PolicyNames> {
        POLICIES
            .into_iter()
            .filter(|names| !before(names))
            .collect()
    };
    if let Some(list) = cluster.get_mut("load_balancing_policy") {
        let entry = innermost(list)?;
        let before = entry["typed_config"]["@type"].as_str()?.to_owned();
        if !POLICIES.iter().any(|names| names.typed() == before) {
            return None;
        }
        let after = dice.one(&others(&|names| names.typed() == before));
        *entry = json!({
            "name": format!("envoy.load_balancing_policies.{}", after.snake),
            "typed_config": {"@type": after.typed()},
        });
    } else {
        cluster.get("load_assignment")?;
        let before = cluster["lb_policy"]
            .as_str()
            .unwrap_or("ROUND_ROBIN")
            .to_lowercase();
        let after = dice.one(&others(&|names| names.snake == before));
        cluster["lb_policy"] = after.snake.to_uppercase().into();
        cluster
            .as_object_mut()?
            .shift_remove(&format!("{before}_lb_config"));
    }
    Some(())
}

/// The extension that chooses hosts, inside of those that only narrow the choice.
fn innermost(list: &mut Value) -> Option<&mut Value> {
    let entry = list.pointer_mut("/policies/0/typed_extension_config")?;
    let nested = [
        "subset_lb_policy",
        "endpoint_picking_policy",
        "fallback_policy",
    ];
    let config = &entry["typed_config"];
    match nested.into_iter().find(|field| config.get(field).is_some()) {
        Some(field) => innermost(&mut entry["typed_config"][field]),
        None => Some(entry),
    }
}

/// Gives a hash table another size.
pub(super) fn resize(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    // Asking for settings creates the message of a cluster that has none.
    let has_table = |cluster: &&mut Value| table(&mut (**cluster).clone()).is_some();
    let clusters = scenario.clusters.iter_mut().filter(has_table);
    let (is_ring, settings) = table(one(clusters.collect(), dice)?)?;
    let (field, sizes, default) = if is_ring {
        ("minimum_ring_size", [1, 16, 100, 1024, 3000], 1024)
    } else {
        ("table_size", [2, 7, 251, 1021, 4099], 65_537)
    };
    let before = settings[field].as_u64().unwrap_or(default);
    let others = sizes.into_iter().filter(|size| *size != before);
    let after = dice.one(&others.collect::<Vec<u64>>());
    settings[field] = after.into();
    if settings["maximum_ring_size"]
        .as_u64()
        .is_some_and(|most| most < after)
    {
        settings["maximum_ring_size"] = after.into();
    }
    Some(())
}

/// The settings of the hash table of a cluster, and whether it is a ring.
fn table(cluster: &mut Value) -> Option<(bool, &mut Value)> {
    if cluster.get("load_balancing_policy").is_some() {
        let config = &mut innermost(&mut cluster["load_balancing_policy"])?["typed_config"];
        let message = config["@type"].as_str()?.rsplit('.').next()?.to_owned();
        let is_ring = message == "RingHash";
        return (is_ring || message == "Maglev").then_some((is_ring, config));
    }
    let is_ring = match cluster["lb_policy"].as_str()? {
        "RING_HASH" => true,
        "MAGLEV" => false,
        _ => return None,
    };
    let field = if is_ring {
        "ring_hash_lb_config"
    } else {
        "maglev_lb_config"
    };
    Some((is_ring, &mut cluster[field]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(cluster: Value) -> DifferentialScenario {
        DifferentialScenario {
            clusters: vec![cluster],
            ..DifferentialScenario::default()
        }
    }

    #[test]
    fn a_table_gets_another_size_in_both_forms() {
        let ring = POLICIES[3].typed();
        let forms = [
            json!({"lb_policy": "RING_HASH"}),
            json!({"load_balancing_policy": {"policies": [{"typed_extension_config": {
                "typed_config": {"@type": ring, "maximum_ring_size": 1},
            }}]}}),
        ];
        for form in forms {
            let mut scenario = with(form.clone());
            assert_eq!(resize(&mut scenario, &mut Dice::new(3)), Some(()));
            assert!(
                scenario.clusters[0]
                    .to_string()
                    .contains("minimum_ring_size")
            );
            assert_ne!(scenario.clusters[0], form);
        }
        assert_eq!(
            resize(&mut with(json!({"lb_policy": "RANDOM"})), &mut Dice::new(3)),
            None
        );
    }

    #[test]
    fn another_policy_takes_the_place_of_the_old_one_inside_of_subsets() {
        let inner = json!({"policies": [{"typed_extension_config": {
            "typed_config": {"@type": POLICIES[4].typed()},
        }}]});
        let mut cluster = json!({"load_balancing_policy": {"policies": [{"typed_extension_config": {
            "typed_config": {"@type": format!("{TYPES}.subset.v3.Subset"), "subset_lb_policy": inner},
        }}]}});
        assert_eq!(other_policy(&mut cluster, &mut Dice::new(1)), Some(()));
        let text = cluster.to_string();
        assert!(
            text.contains("v3.Subset") && !text.contains("v3.Maglev"),
            "{text}"
        );
    }
}
