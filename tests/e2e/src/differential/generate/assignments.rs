//! Assignments: priorities, localities, hosts, their weights and health.

use serde_json::{Value, json};

use super::maker::{KEYS, Maker};
use super::random_policy::PolicyChoice;

/// What the hosts of a cluster have in common.
struct Manner {
    /// The healthy ones of a hundred; others draw from all statuses.
    healthy: usize,
    /// The greatest weight; 0 for none stated.
    weights: usize,
    hash_keys: bool,
    hostnames: bool,
    metadata: bool,
    locality_weights: bool,
}

impl Maker<'_> {
    /// A `ClusterLoadAssignment` of at most so many priorities of at most that many hosts.
    pub(super) fn assignment(
        &mut self,
        name: &str,
        policy: &PolicyChoice,
        metadata: bool,
        most_priorities: usize,
        most_hosts: usize,
    ) -> Value {
        let priorities = if self.uses("priorities", 65) {
            self.dice.between(2, most_priorities.max(2))
        } else {
            1
        };
        let weights = self.dice.one(&[2, 5, 100, 10_000]);
        let manner = Manner {
            healthy: 100,
            // Reported weights replace those that are configured after a second.
            // A schedule of weights gives the next attempt of a request another host than chance.
            weights: if !policy.reports()
                && (policy.hashes() || !self.used.contains("retries"))
                && self.uses("weights", 40)
            {
                weights
            } else {
                0
            },
            hash_keys: policy.hashes() && self.uses("hash_key", 20),
            hostnames: policy.hostnames,
            metadata,
            locality_weights: policy.locality_weighted,
        };
        let spread = (policy.locality_weighted || self.surroundings.locality.is_some())
            || self.uses("localities", 30);
        let mut endpoints = Vec::new();
        for priority in 0..priorities {
            if priorities > 1 && self.uses("empty_priority", 8) {
                continue;
            }
            let healthy = if self.uses("health", 75) {
                self.dice.one(&[0, 20, 50, 70, 90])
            } else {
                100
            };
            let hosts = self.dice.between(1, most_hosts);
            let manner = Manner { healthy, ..manner };
            endpoints.extend(self.priority(priority, hosts, spread, &manner));
        }
        let mut message = json!({"cluster_name": name, "endpoints": endpoints});
        let mut settings = json!({});
        // DNS gives hosts one after another. Where nothing is available in the end, loads stay
        // what they were on the way; so something must be.
        let at_once = !policy.hostnames;
        if self.uses("overprovisioning_factor", 30) {
            let factors = [1, 50, 100, 101, 140, 167, 200, 1000];
            let factors = if at_once { &factors[..] } else { &factors[1..] };
            settings["overprovisioning_factor"] = self.dice.one(factors).into();
        }
        if (at_once || manner.weights <= 5) && self.uses("weighted_priority_health", 20) {
            settings["weighted_priority_health"] = true.into();
        }
        if self.uses("drop_overloads", 8) {
            let percent = self.dice.one(&[10, 50, 95]);
            settings["drop_overloads"] = json!([{
                "category": "any",
                "drop_percentage": {"numerator": percent, "denominator": "HUNDRED"},
            }]);
        }
        if settings != json!({}) {
            message["policy"] = settings;
        }
        message
    }

    /// The `LocalityLbEndpoints` of one priority.
    fn priority(
        &mut self,
        priority: usize,
        hosts: usize,
        spread: bool,
        manner: &Manner,
    ) -> Vec<Value> {
        let count = if spread { self.dice.between(1, 4) } else { 1 };
        let mut localities: Vec<Value> = Vec::new();
        while localities.len() < count {
            let locality = self.locality();
            if !localities.contains(&locality) {
                localities.push(locality);
            }
        }
        let mut groups: Vec<Vec<Value>> = vec![Vec::new(); count];
        for _ in 0..hosts {
            let group = self.dice.below(count);
            let host = self.host(manner);
            groups[group].push(host);
        }
        let keep_empty = manner.locality_weights && self.uses("empty_localities", 50);
        // Attempts name hosts by their addresses.
        let distinct = manner.hostnames || self.used.contains("retries");
        if !distinct && self.uses("duplicate_addresses", 8) {
            let group = self.dice.below(count);
            if let Some(host) = groups[group].first().cloned() {
                groups[group].push(host);
            }
        }
        let mut list = Vec::new();
        for (locality, hosts) in localities.into_iter().zip(groups) {
            if hosts.is_empty() && !keep_empty {
                continue;
            }
            let mut group = json!({"lb_endpoints": hosts});
            if spread {
                group["locality"] = locality;
            }
            if priority > 0 {
                group["priority"] = priority.into();
            }
            // A weight that is missing counts as none.
            if manner.locality_weights && !self.uses("unweighted_localities", 10) {
                let weight = self.dice.one(&[1, 1, 2, 3, 10, 97]);
                group["load_balancing_weight"] = weight.into();
            }
            list.push(group);
        }
        list
    }

    fn host(&mut self, manner: &Manner) -> Value {
        let (ip, port) = self.address();
        let mut endpoint = json!({
            "address": {"socket_address": {"address": ip, "port_value": port}},
        });
        if manner.hostnames && !self.uses("dns_names", 15) {
            // Not shared: Envoy leaves the order of equal keys to an unstable sort.
            let name = format!("h-{ip}.example.org");
            endpoint["hostname"] = name.into();
        }
        let mut host = json!({"endpoint": endpoint});
        if !self.dice.chance(manner.healthy) {
            let status = ["UNHEALTHY", "UNHEALTHY", "TIMEOUT", "DRAINING", "DEGRADED"];
            host["health_status"] = self.dice.one(&status).into();
        } else if self.dice.chance(20) {
            host["health_status"] = "HEALTHY".into();
        }
        if manner.weights > 0 && self.dice.chance(70) {
            host["load_balancing_weight"] = self.dice.between(1, manner.weights).into();
        }
        let mut metadata = json!({});
        if manner.hash_keys && self.dice.chance(70) {
            metadata["hash_key"] = if self.dice.chance(8) {
                "".into()
            } else {
                format!("key-{ip}").into()
            };
        }
        if manner.metadata {
            for key in KEYS {
                if self.dice.chance(75) {
                    metadata[key] = self.metadata_value(key);
                }
            }
        }
        if metadata != json!({}) {
            host["metadata"] = json!({"filter_metadata": {"envoy.lb": metadata}});
        }
        host
    }
}
