//! Clusters with hosts of their own.

use serde_json::{Value, json};

use super::maker::{Entry, Maker};

impl Maker<'_> {
    /// The cluster that the scenario is about, with all that it needs.
    pub(super) fn entry(&mut self) -> Entry {
        let entry = match () {
            () if self.uses("original_dst", 5) => self.original_dst(),
            () if self.uses("aggregate", 20) => self.aggregate(),
            () if self.uses("composite", 15) => self.composite(),
            () => self.plain("~a", 4, 10),
        };
        let refreshes = self.used.contains("refresh_cluster_on_retry");
        if self.uses("several_clusters", if refreshes { 100 } else { 35 }) {
            for name in ["~x", "~y"].iter().take(self.dice.between(1, 2)) {
                self.plain(name, 2, 4);
            }
        }
        entry
    }

    /// Adds a cluster with at most so many priorities of at most that many hosts.
    pub(super) fn plain(&mut self, name: &str, priorities: usize, hosts: usize) -> Entry {
        let policy = self.policy();
        // Each retry uses a turn: only short cycles get back to a uniform position.
        let in_turn = policy.name == "round_robin" && self.used.contains("retries");
        let hosts = if in_turn { hosts.min(4) } else { hosts };
        self.turns |= in_turn;
        let subsets = self.uses("subsets", 45);
        let assignment = self.assignment(name, &policy, subsets, priorities, hosts);
        let mut common = json!({});
        if self.uses("panic_threshold", 60) {
            let threshold = self
                .dice
                .one(&[0.0, 0.0, 1.0, 10.0, 33.4, 50.0, 66.7, 70.9, 99.5, 100.0]);
            common["healthy_panic_threshold"] = json!({"value": threshold});
        }
        let mut message = json!({
            "name": name,
            // Host names are not hashed in a STATIC cluster.
            "type": if policy.hostnames { "STRICT_DNS" } else { "STATIC" },
            "connect_timeout": "1s",
            "load_assignment": assignment,
            "circuit_breakers": {"thresholds": [{
                "max_connections": 1_000_000,
                "max_pending_requests": 1_000_000,
                "max_requests": 1_000_000,
                "max_retries": 1_000_000,
            }]},
        });
        if let Some(statuses) = self.override_statuses() {
            common["override_host_status"] = statuses;
        }
        let subset = subsets.then(|| self.subset_settings(policy.locality_weighted));
        let redundant_keys = subset
            .as_ref()
            .is_some_and(|subset| subset.get("allow_redundant_keys").is_some());
        let typed = match &subset {
            Some(_) => policy.only_typed || redundant_keys || self.uses("subset_typed", 50),
            None => policy.only_typed || self.uses("typed_policy", 40),
        };
        if typed {
            let mut list = json!({"policies": [policy.typed()]});
            if let Some(mut subset) = subset {
                subset["@type"] =
                    "type.googleapis.com/envoy.extensions.load_balancing_policies.subset.v3.Subset"
                        .into();
                subset["subset_lb_policy"] = list;
                list = json!({"policies": [{"typed_extension_config": {
                    "name": "envoy.load_balancing_policies.subset",
                    "typed_config": subset,
                }}]});
            }
            // The list is shared by the clusters of a request.
            let shared = self.used_any(&["refresh_cluster_on_retry", "composite"]);
            let outer = (!shared).then(|| self.override_host(&list)).flatten();
            message["load_balancing_policy"] = outer.unwrap_or(list);
        } else {
            policy.legacy(&mut message, &mut common);
            if let Some(subset) = subset {
                message["lb_subset_config"] = subset;
            }
        }
        if common != json!({}) {
            message["common_lb_config"] = common;
        }
        self.clusters.push(message);
        Entry {
            name: name.into(),
            subsets,
            hashes: policy.hashes(),
        }
    }

    /// A locality of a small world, so that names meet.
    pub(super) fn locality(&mut self) -> Value {
        let region = self.dice.one(&["r1", "r1", "r2"]);
        let zone = self.dice.one(&["a", "b", "c"]);
        if self.dice.chance(15) {
            json!({"region": region, "zone": zone, "sub_zone": "x"})
        } else {
            json!({"region": region, "zone": zone})
        }
    }
}
