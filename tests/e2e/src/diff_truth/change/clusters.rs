//! Clusters that come, go or get another name.

use std::sync::Arc;

use serde_json::Value;
use spillgate_testkit::models::Dice;

use super::one;
use crate::differential::{DifferentialScenario, renamed};

/// The name of the new cluster, and the new name of a cluster.
const NEW: &str = "~came";

/// Adds a cluster like another one, to which no route leads.
pub(super) fn add(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let mut cluster = one(scenario.clusters.iter().collect(), dice)?.clone();
    cluster["name"] = NEW.into();
    let at = dice.between(0, scenario.clusters.len());
    scenario.clusters.insert(at, cluster);
    Some(())
}

/// Removes a cluster, to which routes and aggregates still lead.
pub(super) fn remove(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let at = one((0..scenario.clusters.len()).collect(), dice)?;
    scenario.clusters.remove(at);
    // Otherwise Envoy refuses routes that lead nowhere.
    let surroundings = Arc::make_mut(&mut scenario.surroundings);
    let field = ("validate_clusters".into(), false.into());
    surroundings.route_config.extend([field]);
    Some(())
}

/// Gives a cluster another name, wherever the configuration names it.
pub(super) fn rename(scenario: &mut DifferentialScenario, dice: &mut Dice) -> Option<()> {
    let cluster = one(scenario.clusters.iter().collect(), dice)?;
    let before = cluster["name"].as_str()?.to_owned();
    let mut headers = scenario.requests.iter().flat_map(|asked| &asked.headers);
    if headers.any(|(_, value)| *value == before) {
        // Requests that name their cluster would find none.
        return None;
    }
    let name = |text: &str| if text == before { NEW } else { text }.to_owned();
    let messages = scenario.clusters.iter_mut().chain(&mut scenario.routes);
    messages.for_each(|message| *message = renamed(message, &name));
    if let Value::Object(fields) = renamed(&Value::Object(scenario.virtual_host.clone()), &name) {
        scenario.virtual_host = fields;
    }
    for entry in &mut scenario.runtime {
        *entry = entry.renamed(&name);
    }
    Some(())
}

/// The cluster that only one of two sides has.
pub(in crate::diff_truth) fn only_in<'s>(
    side: &'s DifferentialScenario,
    other: &DifferentialScenario,
) -> Option<&'s str> {
    let mut names = side.clusters.iter().filter_map(name);
    names.find(|own| !other.clusters.iter().any(|of| name(of) == Some(own)))
}

fn name(cluster: &Value) -> Option<&str> {
    cluster["name"].as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::differential::Asked;

    fn scenario() -> DifferentialScenario {
        DifferentialScenario {
            clusters: vec![json!({"name": "~a"})],
            routes: vec![json!({"route": {"cluster": "~a"}})],
            ..DifferentialScenario::default()
        }
    }

    #[test]
    fn clusters_come_go_and_get_other_names() {
        let mut dice = Dice::new(1);
        let (old, mut more, mut fewer, mut other) =
            (scenario(), scenario(), scenario(), scenario());
        add(&mut more, &mut dice);
        remove(&mut fewer, &mut dice);
        rename(&mut other, &mut dice);
        assert_eq!(
            (only_in(&old, &more), only_in(&more, &old)),
            (None, Some(NEW))
        );
        assert_eq!(
            (only_in(&old, &fewer), only_in(&fewer, &old)),
            (Some("~a"), None)
        );
        assert_eq!(
            (only_in(&old, &other), only_in(&other, &old)),
            (Some("~a"), Some(NEW))
        );
        assert_eq!(other.routes[0]["route"]["cluster"], NEW);
    }

    #[test]
    fn a_cluster_that_requests_name_keeps_its_name() {
        let mut named = scenario();
        named.requests = vec![Asked {
            path: "/".into(),
            host_end: "",
            headers: vec![("x-cluster".into(), "~a".into())],
            count: 1,
            tried: Vec::new(),
        }];
        assert_eq!(rename(&mut named, &mut Dice::new(1)), None);
    }
}
