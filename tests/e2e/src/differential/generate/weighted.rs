//! Several clusters of a route: weighted ones, groups by the number of the attempt, and a matcher.

use serde_json::{Value, json};

use super::maker::{Entry, Maker};

impl Maker<'_> {
    /// Weighted clusters, among them that of the scenario.
    pub(super) fn weighted(&mut self, entry: &Entry) -> Value {
        let mut names = self.cluster_names();
        let refreshes = self.used.contains("refresh_cluster_on_retry");
        // Choices that depend on each other are counted number by number.
        let weights: &[usize] = if refreshes {
            &[0, 1, 2, 5, 10]
        } else {
            &[0, 1, 5, 30, 100]
        };
        if refreshes {
            // The hosts that were tried tell the clusters that were.
            names.retain(|name| *name != entry.name);
        }
        let mut clusters = Vec::new();
        for _ in 0..self.dice.between(2, 3) {
            if names.is_empty() {
                break;
            }
            let at = self.dice.below(names.len());
            let name = if refreshes {
                names.remove(at)
            } else {
                names[at].clone()
            };
            let weight = self.dice.one(weights);
            let mut item = json!({"name": name, "weight": weight});
            // A retry would keep those of another weighted cluster.
            if !refreshes {
                if entry.subsets && self.uses("weighted_metadata", 50) {
                    let criteria = self.criteria();
                    item["metadata_match"] = json!({"filter_metadata": {"envoy.lb": criteria}});
                }
                self.change_headers("headers_weighted_cluster", 30, &mut item);
                if let Some(overrides) = self.filter_overrides() {
                    item["typed_per_filter_config"] = overrides;
                }
            }
            clusters.push(item);
        }
        // All weights 0 are refused.
        clusters.push(json!({"name": entry.name, "weight": 10}));
        let mut weighted = json!({"clusters": clusters});
        if !refreshes && self.uses("runtime_weights", 35) {
            weighted["runtime_key_prefix"] = self.runtime_weights(&names, &entry.name).into();
        }
        if self.uses("weighted_header", 25) {
            weighted["header_name"] = "x-weight".into();
        } else if !refreshes && self.uses("weighted_hash", 25) {
            weighted["use_hash_policy"] = true.into();
        }
        weighted
    }

    /// The specifier of priority groups; the first group has the clusters of the first attempt.
    pub(super) fn priority_groups(&mut self, entry: &Entry) -> Value {
        let names = self.cluster_names();
        let mut groups = Vec::new();
        for _ in 0..self.dice.between(1, 2) {
            let mut clusters = vec![json!({"cluster_name": entry.name, "weight": 10})];
            for _ in 0..self.dice.between(0, 2) {
                let at = self.dice.between(0, clusters.len());
                let weight = self.dice.one(&[1, 7, 50]);
                clusters.insert(
                    at,
                    json!({"cluster_name": self.dice.one(&names), "weight": weight}),
                );
            }
            groups.push(json!({"name": format!("group-{}", groups.len()), "clusters": clusters}));
        }
        json!({"extension": {
            "name": "groups",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.router.cluster_specifiers.priority_group.v3.PriorityGroupClusterSpecifier",
                "priority_groups": groups,
            },
        }})
    }

    /// The specifier that matches the header `x-stage`, then `x-version`.
    pub(super) fn cluster_matcher(&mut self, entry: &Entry) -> Value {
        const CLUSTERS: &str =
            "type.googleapis.com/envoy.extensions.router.cluster_specifiers.matcher.v3";
        let names = self.cluster_names();
        let to = |name: &str| {
            json!({"action": {"name": "to", "typed_config": {
                "@type": format!("{CLUSTERS}.ClusterAction"), "cluster": name,
            }}})
        };
        let when = |header: &str, value: Value, then: Value| {
            json!({
                "predicate": {"single_predicate": {
                    "input": {"name": "header", "typed_config": {
                        "@type": "type.googleapis.com/envoy.type.matcher.v3.HttpRequestHeaderMatchInput",
                        "header_name": header,
                    }},
                    "value_match": value,
                }},
                "on_match": then,
            })
        };
        let stage = self.dice.one(&["prod", "dev"]);
        let mut matchers = vec![when(
            "x-stage",
            json!({"exact": stage}),
            to(&self.dice.one(&names)),
        )];
        if self.dice.chance(60) {
            let inner = json!({"matcher_list": {"matchers": [
                when("x-type", json!({"prefix": "b"}), to(&self.dice.one(&names))),
            ]}});
            matchers.push(when(
                "x-version",
                json!({"prefix": "1"}),
                json!({"matcher": inner}),
            ));
        }
        let mut matcher = json!({"matcher_list": {"matchers": matchers}});
        if self.dice.chance(85) {
            matcher["on_no_match"] = to(&entry.name);
        }
        json!({"extension": {"name": "matcher", "typed_config": {
            "@type": format!("{CLUSTERS}.MatcherClusterSpecifier"), "cluster_matcher": matcher,
        }}})
    }

    fn cluster_names(&self) -> Vec<String> {
        let names = self.clusters.iter();
        names
            .filter_map(|cluster| cluster["name"].as_str().map(str::to_owned))
            .collect()
    }
}
