//! Clusters with hosts of their own.

use serde_json::{Value, json};

use super::maker::{Entry, Maker};

impl Maker<'_> {
    /// The cluster that the scenario is about, with all that it needs.
    pub(super) fn entry(&mut self) -> Entry {
        if self.uses("aggregate", 20) {
            return self.aggregate();
        }
        self.plain("~a", 4, 10)
    }

    /// Adds a cluster with at most so many priorities of at most that many hosts.
    pub(super) fn plain(&mut self, name: &str, priorities: usize, hosts: usize) -> Entry {
        let policy = self.policy();
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
            message["load_balancing_policy"] = self.override_host(&list).unwrap_or(list);
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
        match self.dice.chance(15) {
            true => json!({"region": region, "zone": zone, "sub_zone": "x"}),
            false => json!({"region": region, "zone": zone}),
        }
    }
}
