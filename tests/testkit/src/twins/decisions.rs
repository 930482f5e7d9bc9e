//! From a seed to a configuration of the filter, and to the decisions of a gateway with it.

use serde_json::{Value, json};
use spillgate_config::{filter, write::clusters_json};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::{Draw as _, SplitMix64},
    model::{
        AggregateCluster, Cluster, ClusterKind, Metadata, Model, PanicThreshold, PlainCluster,
        Policy, SelectionMethod, Value as Label,
    },
    route::HeaderList,
    snapshot::Snapshot,
};
use spillgate_explain::decision::decision_json;

use crate::models::{Dice, Extent, plain};

/// Requests of each scenario.
pub const REQUESTS: usize = 5;
/// The header that is hashed.
pub const USER_HEADER: &str = "x-user";
/// The response header with the decision.
pub const TRACE_HEADER: &str = "x-trace";
/// The request header and its value that ask for the decision.
pub const TRACE_WHEN: [&str; 2] = ["x-debug", "decision-please!"];

/// The user of a request of a scenario.
#[must_use]
pub fn user(seed: u64, number: usize) -> String {
    format!("user-{seed}-{number}")
}

/// A random configuration of the filter: two clusters and an aggregate of both, one of which is the
/// target, and subset criteria.
///
/// # Panics
/// When no configuration of the seed is accepted.
#[must_use]
pub fn scenario(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    // Some settings are for Envoy alone.
    let mut candidates = (0..100).map(|_| configuration(&mut dice));
    let accepted = candidates.find(|text| filter::read(text).is_ok());
    accepted.expect("a configuration that the filter accepts")
}

fn configuration(dice: &mut Dice) -> String {
    let extent = Extent {
        any_number: false,
        any_text: false,
        any_address: false,
        // An interpreter is slow with larger tables, and larger ones test nothing else.
        largest_table: 1_024,
        ..Extent::all(4)
    };
    let mut clusters: Vec<Cluster> = ["a", "b"]
        .map(|name| Cluster {
            name: name.into(),
            kind: ClusterKind::Plain(for_filter(plain(dice, 3, extent))),
        })
        .into();
    clusters.push(Cluster {
        name: "both".into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members: vec!["a".into(), "b".into()],
            panic_threshold: PanicThreshold::DEFAULT,
            flatten: false,
        }),
    });
    let labels = labels(dice, extent);
    let chain = chain(dice, &labels);
    if !chain.is_empty() {
        // A chain takes their place.
        for cluster in &mut clusters {
            if let ClusterKind::Plain(plain) = &mut cluster.kind {
                plain.subsets = None;
            }
        }
    }
    let model = Model::new(clusters).expect("the names differ");
    let written = clusters_json(&model).expect("the model can be written");
    let mut bootstrap: Value = serde_json::from_str(&written.text).expect("JSON");
    if !chain.is_empty() {
        label_hosts(dice, &mut bootstrap, &labels);
    }
    let criteria: Vec<Value> = labels
        .into_iter()
        .map(|(key, value)| json!({"key": key, "value": value}))
        .collect();
    let [header, value] = TRACE_WHEN;
    json!({
        "clusters": bootstrap["static_resources"]["clusters"],
        "target": dice.one(&["a", "b", "both", "both"]),
        "hash_policy": [{"header": {"header_name": USER_HEADER}}],
        "criteria": criteria,
        "subset_chain": chain,
        "trace": {
            "header": TRACE_HEADER,
            "when": {"header": header, "value": value},
            "steps": true,
        },
    })
    .to_string()
}

/// Gives half of the hosts all labels, so that the steps of a chain have hosts.
fn label_hosts(dice: &mut Dice, value: &mut Value, labels: &[(String, String)]) {
    if let Some(host) = value
        .as_object_mut()
        .filter(|host| host.contains_key("endpoint"))
    {
        if dice.chance(50) {
            let labels = labels
                .iter()
                .map(|(key, value)| (key.clone(), value.as_str().into()));
            let labels: serde_json::Map<_, _> = labels.collect();
            let metadata = json!({"filter_metadata": {"envoy.lb": labels}});
            host.insert("metadata".into(), metadata);
        }
        return;
    }
    match value {
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| label_hosts(dice, field, labels)),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| label_hosts(dice, item, labels)),
        _ => {}
    }
}

/// The steps of a chain with all keys, with the first one, and with any host; often none.
fn chain(dice: &mut Dice, labels: &[(String, String)]) -> Vec<Value> {
    let Some((first, _)) = labels.first().filter(|_| dice.chance(60)) else {
        return Vec::new();
    };
    let all: Vec<&str> = labels.iter().map(|(key, _)| key.as_str()).collect();
    let mut steps = vec![json!({"keys": all})];
    if all.len() > 1 {
        steps.push(json!({"keys": [first]}));
    }
    for step in &mut steps {
        if dice.chance(80) {
            step["retry"] = json!("next_step");
        }
    }
    steps.push(json!({"any": true}));
    steps
}

/// The cluster without settings that the filter refuses, and with few random choices: least request
/// draws as often as the configuration says, even a billion times.
fn for_filter(mut plain: PlainCluster) -> PlainCluster {
    plain.slow_start = None;
    match &mut plain.policy {
        Policy::ClientSideWeightedRoundRobin => plain.policy = Policy::RoundRobin,
        Policy::LeastRequest(config) => {
            if let SelectionMethod::Choices(choices) = &mut config.selection {
                *choices = (*choices).min(100);
            }
        }
        _ => {}
    }
    plain
}

/// Criteria whose values are texts, as hosts may have them.
fn labels(dice: &mut Dice, extent: Extent) -> Vec<(String, String)> {
    let metadata = dice.metadata(extent);
    let text = |value: &Label| match value {
        Label::Text(text) => Some(text.to_string()),
        _ => None,
    };
    let fields = metadata.fields().iter();
    fields
        .filter_map(|field| Some((field.key.to_string(), text(&field.value)?)))
        .collect()
}

/// The decisions of a worker for the requests of a scenario, as the trace header prints them, one a
/// line. `random` is the seed of the host's random bytes.
///
/// # Panics
/// When the configuration is not that of a scenario.
#[must_use]
pub fn decisions(seed: u64, random: u64) -> String {
    let text = scenario(seed);
    let config = filter::read(&text).expect("a configuration that the filter accepts");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let target = json["target"].as_str().unwrap_or_default();
    let criteria = json["criteria"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| {
            let value = Label::Text(one["value"].as_str()?.into());
            Some((one["key"].as_str()?.to_owned(), value))
        });
    let criteria = Metadata::new(criteria);
    let snapshot = Snapshot::build(&config.model);
    // A worker's seed is the first eight random bytes of its host.
    let mut draws = SplitMix64::new(SplitMix64::new(random).draw());
    let mut state = BalancerState::new(&snapshot, &mut draws);
    let cluster = snapshot.cluster_id(target).expect("the target");
    let mut lines = String::new();
    for number in 0..REQUESTS {
        let headers = [(USER_HEADER, user(seed, number))];
        let headers = HeaderList(&headers);
        let request = Request {
            hash_policies: &config.hash_policies,
            criteria: &criteria,
            ..Request::new(cluster, &headers)
        };
        let mut steps = Vec::new();
        let decision = decide(&snapshot, &mut state, &request, &mut draws, &mut steps);
        let candidates = decision.candidates(&snapshot, config.output.candidates);
        lines += &decision_json(&snapshot, &decision, &candidates, Some(&steps));
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decisions of few kinds would compare little.
    #[test]
    fn decisions_differ_and_repeat() {
        let all: Vec<String> = (0..100).map(|seed| decisions(seed, seed)).collect();
        let having = |text: &str| all.iter().filter(|lines| lines.contains(text)).count();
        let counts = [
            "\"endpoint\":\"",
            "retries go on to the next step",
            "\"subset\"",
            "\"cluster\":\"both\"",
            "\"panic\":true",
        ]
        .map(having);
        assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
        assert_eq!(decisions(7, 1), decisions(7, 1));
    }
}
