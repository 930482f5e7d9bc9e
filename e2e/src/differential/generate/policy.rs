//! Policies, in the legacy form and as an extension.

use serde_json::{Value, json};

use super::maker::Maker;

const TYPES: &str = "type.googleapis.com/envoy.extensions.load_balancing_policies";

/// A policy and what goes with it.
#[derive(Debug, Clone)]
pub(super) struct PolicyChoice {
    /// The feature that it is.
    pub(super) name: &'static str,
    /// Its own settings, whose names are the same in both forms.
    settings: Value,
    /// Whether locality weights decide.
    pub(super) locality_weighted: bool,
    /// The settings of zone-aware routing.
    zone_aware: Option<Value>,
    /// Whether host names are hashed.
    pub(super) hostnames: bool,
    /// The policy's own hash policies.
    hash_policy: Option<Value>,
    /// Whether the legacy form cannot say it.
    pub(super) only_typed: bool,
}

impl Maker<'_> {
    pub(super) fn policy(&mut self) -> PolicyChoice {
        let names = [
            "round_robin",
            "random",
            "ring_hash",
            "ring_hash",
            "maglev",
            "maglev",
            "least_request",
        ];
        let names: Vec<&'static str> = names.into_iter().filter(|name| self.may(name)).collect();
        let name = match names.is_empty() {
            true => "random",
            false => *self.dice.one(&names),
        };
        self.used.insert(name);
        let mut choice = PolicyChoice {
            name,
            settings: self.settings(name),
            locality_weighted: false,
            zone_aware: None,
            hostnames: false,
            hash_policy: None,
            only_typed: false,
        };
        if choice.hashes() {
            choice.locality_weighted = self.uses("locality_weighted_hash", 35);
            choice.hostnames = self.uses("hostname_hashing", 25);
            if self.uses("policy_hash", 20) {
                choice.hash_policy = Some(json!([{"header": {"header_name": "x-other"}}]));
                choice.only_typed = true;
            }
        } else if self.uses("locality_weighted", 35) {
            choice.locality_weighted = true;
        } else {
            self.zone_aware(&mut choice);
        }
        choice
    }

    fn settings(&mut self, name: &str) -> Value {
        match name {
            "ring_hash" => {
                let minimum = *self.dice.one(&[1, 3, 10, 64, 100, 1024]);
                let mut settings = json!({"minimum_ring_size": minimum});
                if self.dice.chance(40) {
                    let more = *self.dice.one(&[0, 1, 30, 700]);
                    settings["maximum_ring_size"] = (minimum + more).into();
                }
                if self.dice.chance(30) {
                    settings["hash_function"] = "MURMUR_HASH_2".into();
                }
                settings
            }
            "maglev" => match self.dice.chance(10) {
                true => json!({}),
                false => json!({"table_size": self.dice.one(&[2, 5, 7, 31, 251, 1021, 4099])}),
            },
            "least_request" => match self.dice.between(0, 3) {
                0 => json!({}),
                1 => json!({"choice_count": self.dice.between(2, 5)}),
                _ => json!({}),
            },
            _ => json!({}),
        }
    }

    fn zone_aware(&mut self, choice: &mut PolicyChoice) {
        if self.surroundings.local_cluster.is_none() {
            if self.uses("fail_traffic_on_panic", 15) {
                choice.zone_aware = Some(json!({"fail_traffic_on_panic": true}));
            }
            return;
        }
        let mut settings = json!({});
        if self.dice.chance(80) {
            settings["min_cluster_size"] = (*self.dice.one(&[0, 1, 2, 3, 6])).into();
        }
        if self.dice.chance(30) {
            let enabled = *self.dice.one(&[0.0, 10.5, 50.0, 99.9]);
            settings["routing_enabled"] = json!({"value": enabled});
        }
        if self.uses("fail_traffic_on_panic", 20) {
            settings["fail_traffic_on_panic"] = true.into();
        }
        if self.dice.chance(30) {
            settings["force_local_zone"] = match self.dice.chance(50) {
                true => json!({"min_size": self.dice.between(1, 4)}),
                false => json!({}),
            };
            choice.only_typed = true;
        }
        if self.dice.chance(30) {
            settings["locality_basis"] = "HEALTHY_HOSTS_WEIGHT".into();
            choice.only_typed = true;
        }
        choice.zone_aware = Some(settings);
    }
}

impl PolicyChoice {
    /// Whether it chooses by the request hash.
    pub(super) fn hashes(&self) -> bool {
        matches!(self.name, "ring_hash" | "maglev")
    }

    /// The entry of `load_balancing_policy.policies`.
    pub(super) fn typed(&self) -> Value {
        let message = match self.name {
            "round_robin" => "RoundRobin",
            "random" => "Random",
            "ring_hash" => "RingHash",
            "maglev" => "Maglev",
            _ => "LeastRequest",
        };
        let mut config = self.settings.clone();
        config["@type"] = format!("{TYPES}.{}.v3.{message}", self.name).into();
        if self.hashes() {
            if self.locality_weighted {
                config["locality_weighted_lb_config"] = json!({});
            }
            let mut hashing = json!({});
            if self.hostnames {
                hashing["use_hostname_for_hashing"] = true.into();
            }
            if let Some(policies) = &self.hash_policy {
                hashing["hash_policy"] = policies.clone();
            }
            if hashing != json!({}) {
                config["consistent_hashing_lb_config"] = hashing;
            }
        } else if self.locality_weighted {
            config["locality_lb_config"] = json!({"locality_weighted_lb_config": {}});
        } else if let Some(zone_aware) = &self.zone_aware {
            config["locality_lb_config"] = json!({"zone_aware_lb_config": zone_aware});
        }
        json!({"typed_extension_config": {
            "name": format!("envoy.load_balancing_policies.{}", self.name),
            "typed_config": config,
        }})
    }

    /// Fills the fields of the cluster and of its `common_lb_config`.
    pub(super) fn legacy(&self, cluster: &mut Value, common: &mut Value) {
        cluster["lb_policy"] = self.name.to_uppercase().into();
        if self.settings != json!({}) {
            cluster[format!("{}_lb_config", self.name)] = self.settings.clone();
        }
        if self.locality_weighted {
            common["locality_weighted_lb_config"] = json!({});
        } else if let Some(zone_aware) = &self.zone_aware {
            common["zone_aware_lb_config"] = zone_aware.clone();
        }
        if self.hostnames {
            common["consistent_hashing_lb_config"] = json!({"use_hostname_for_hashing": true});
        }
    }
}
