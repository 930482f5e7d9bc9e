//! Retries: policies, and requests that move the turn between them.

use serde_json::{Value, json};

use super::super::attempts::TURN;
use super::super::scenario::Asked;
use super::maker::Maker;
use super::routes::MadeRoute;

const HOST: &str = "type.googleapis.com/envoy.extensions.retry.host";
const PRIORITY: &str = "type.googleapis.com/envoy.extensions.retry.priority";

/// Requests of one kind that follow one with retries, at most. Every number from 0 is as likely, so
/// that the position in a cycle of up to four hosts is uniform again.
const BETWEEN: usize = 11;

impl Maker<'_> {
    /// What the virtual host has beyond its routes.
    pub(super) fn virtual_host(&mut self) {
        let mut host = json!({});
        self.change_headers("headers_virtual_host", 15, &mut host);
        if self.used.contains("retries") && self.uses("retries_virtual_host", 40) {
            host["retry_policy"] = self.retry_policy(false);
        }
        if let Value::Object(fields) = host {
            self.virtual_host.extend(fields);
        }
    }

    /// A `RetryPolicy`.
    pub(super) fn retry_policy(&mut self, weighted: bool) -> Value {
        let mut policy = json!({
            "retry_on": self.dice.one(&["connect-failure", "5xx", "reset,connect-failure"]),
            "num_retries": self.dice.between(1, 3),
            "retry_back_off": {"base_interval": "0.001s", "max_interval": "0.001s"},
        });
        let mut predicates = Vec::new();
        if self.uses("previous_hosts", 60) {
            predicates.push(json!({
                "name": "envoy.retry_host_predicates.previous_hosts",
                "typed_config": {"@type": format!("{HOST}.previous_hosts.v3.PreviousHostsPredicate")},
            }));
        }
        // Hosts in turn after a rejected one are chosen more often.
        let subsets = self.used.contains("subsets") && !self.turns;
        if subsets && self.uses("omit_host_metadata", 30) {
            predicates.push(json!({
                "name": "envoy.retry_host_predicates.omit_host_metadata",
                "typed_config": {
                    "@type": format!("{HOST}.omit_host_metadata.v3.OmitHostMetadataConfig"),
                    "metadata_match": {"filter_metadata": {"envoy.lb": {"stage": "dev"}}},
                },
            }));
        }
        if !predicates.is_empty() {
            policy["retry_host_predicate"] = predicates.into();
            if self.dice.chance(75) {
                policy["host_selection_retry_max_attempts"] = self.dice.between(1, 6).into();
            }
        }
        if weighted && !self.turns && self.used.contains("refresh_cluster_on_retry") {
            policy["refresh_cluster_on_retry"] = true.into();
        } else if !self.lists_hosts() && self.uses("previous_priorities", 45) {
            // Loads that are kept for a member with fewer priorities crash Envoy.
            let most = if self.used.contains("composite") {
                1
            } else {
                2
            };
            policy["retry_priority"] = json!({
                "name": "envoy.retry_priorities.previous_priorities",
                "typed_config": {
                    "@type": format!("{PRIORITY}.previous_priorities.v3.PreviousPrioritiesConfig"),
                    "update_frequency": self.dice.between(1, most),
                },
            });
        }
        policy
    }

    /// Whether a cluster reads an override host list: what previous_priorities then avoids is unknown.
    fn lists_hosts(&self) -> bool {
        let mut clusters = self.clusters.iter();
        clusters.any(|cluster| cluster.to_string().contains("v3.OverrideHost"))
    }

    /// The messages of the routes, each after those for requests that only move the turn.
    pub(super) fn with_turns(&self, routes: Vec<MadeRoute>) -> Vec<Value> {
        let mut messages = Vec::new();
        for MadeRoute { message, .. } in routes {
            if self.turns && message.get("route").is_some() {
                let own = message["route"].get("retry_policy");
                let policy = own.or_else(|| self.virtual_host.get("retry_policy"));
                for retries in self.turn_retries() {
                    let mut turn = message.clone();
                    turn["route"]["retry_policy"] = match policy {
                        Some(policy) if *retries > 0 => {
                            let mut policy = policy.clone();
                            policy["num_retries"] = (*retries).into();
                            policy
                        }
                        _ => json!({}),
                    };
                    let text = json!({"exact": retries.to_string()});
                    let condition = json!({"name": TURN, "string_match": text});
                    match turn["match"]["headers"].as_array_mut() {
                        Some(headers) => headers.push(condition),
                        None => turn["match"]["headers"] = json!([condition]),
                    }
                    messages.push(turn);
                }
            }
            messages.push(message);
        }
        messages
    }

    /// The numbers of retries of requests that only move the turn. Those with retries move that of
    /// priorities without load and of members, which only retries reach. Fewer retries come last: a
    /// request that chooses twice in a cluster leaves its turn where it was.
    fn turn_retries(&self) -> &'static [usize] {
        if self.used_any(&["previous_priorities", "composite"]) {
            &[3, 2, 1, 0]
        } else {
            &[0]
        }
    }

    /// The same requests, with others between them that move the turn.
    pub(super) fn turning(&mut self, requests: Vec<Asked>) -> Vec<Asked> {
        if !self.turns {
            return requests;
        }
        let mut turning = Vec::new();
        for asked in requests {
            for _ in 0..asked.count {
                turning.push(Asked {
                    count: 1,
                    ..asked.clone()
                });
                for retries in self.turn_retries() {
                    let mut between = asked.clone();
                    between.headers.push((TURN.into(), retries.to_string()));
                    between.count = self.dice.between(0, BETWEEN);
                    if between.count > 0 {
                        turning.push(between);
                    }
                }
            }
        }
        turning
    }
}
