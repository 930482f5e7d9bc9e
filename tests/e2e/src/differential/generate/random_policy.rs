//! Policies, in the legacy form and as an extension.

use serde_json::{Value, json};

use super::maker::Maker;

/// The policy whose weights come from reports.
const REPORTED: &str = "client_side_weighted_round_robin";

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
    /// `hash_balance_factor`, in percent.
    hash_balance_factor: Option<u32>,
    /// Whether only the typed form can express it.
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
            REPORTED,
        ];
        let retries = self.used.contains("retries");
        let names: Vec<&'static str> = names
            .into_iter()
            .filter(|name| self.may(name) && !(retries && *name == REPORTED))
            .collect();
        let name = if names.is_empty() {
            "random"
        } else {
            self.dice.one(&names)
        };
        self.used.insert(name);
        let mut choice = PolicyChoice {
            name,
            settings: json!({}),
            locality_weighted: false,
            zone_aware: None,
            hostnames: false,
            hash_policy: None,
            hash_balance_factor: None,
            only_typed: name == REPORTED,
        };
        // Zones route where no locality weight applies; runtime keys for that are a limit.
        let zones_change = self.surroundings.features.contains("runtime_zone_routing");
        self.settings(&mut choice);
        if choice.hashes() {
            choice.locality_weighted = self.uses("locality_weighted_hash", 35);
            choice.hostnames = self.uses("hostname_hashing", 25);
            if self.uses("policy_hash", 20) {
                choice.hash_policy = Some(json!([{"header": {"header_name": "x-other"}}]));
                choice.only_typed = true;
            }
            if self.uses("bounded_load", 15) {
                // So high that a single request never passes over a host.
                choice.hash_balance_factor = Some(100_000);
            }
        } else if !retries && !zones_change && self.uses("locality_weighted", 35) {
            choice.locality_weighted = true;
        } else if !choice.reports() {
            self.zone_aware(&mut choice);
        }
        choice
    }

    fn settings(&mut self, choice: &mut PolicyChoice) {
        choice.settings = match choice.name {
            "ring_hash" => {
                let minimum = self.dice.one(&[1, 3, 10, 64, 100, 1024]);
                let mut settings = json!({"minimum_ring_size": minimum});
                if self.dice.chance(40) {
                    let more = self.dice.one(&[0, 1, 30, 700]);
                    settings["maximum_ring_size"] = (minimum + more).into();
                }
                if self.dice.chance(30) {
                    settings["hash_function"] = "MURMUR_HASH_2".into();
                }
                settings
            }
            "maglev" => {
                if self.dice.chance(10) {
                    json!({})
                } else {
                    json!({"table_size": self.dice.one(&[2, 5, 7, 31, 251, 1021, 4099])})
                }
            }
            "least_request" if self.uses("full_scan", 25) => {
                choice.only_typed = true;
                json!({"selection_method": "FULL_SCAN"})
            }
            "least_request" if self.dice.chance(25) => {
                json!({"choice_count": self.dice.between(2, 5)})
            }
            _ => json!({}),
        };
        if choice.name == "least_request" && self.uses("runtime_tuning", 20) {
            choice.settings["active_request_bias"] = self.tuned("bias", &[0.0, 0.5, 1.0, 3.0]);
        }
        let slow = ["round_robin", "least_request"].contains(&choice.name)
            && !self.used.contains("retries");
        if slow && self.uses("slow_start", 15) {
            // Over before the first request, and yet weights are scheduled because of it.
            choice.settings["slow_start_config"] = json!({"slow_start_window": "0.001s"});
            if self.uses("runtime_tuning", 40) {
                choice.settings["slow_start_config"]["aggression"] =
                    self.tuned("aggression", &[0.5, 1.0, 2.0]);
            }
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
            settings["min_cluster_size"] = self.dice.one(&[0, 1, 2, 3, 6]).into();
        }
        if self.dice.chance(30) {
            let enabled = self.dice.one(&[0.0, 10.5, 50.0, 99.9]);
            settings["routing_enabled"] = json!({"value": enabled});
        }
        if self.uses("fail_traffic_on_panic", 20) {
            settings["fail_traffic_on_panic"] = true.into();
        }
        if self.dice.chance(30) {
            settings["force_local_zone"] = if self.dice.chance(50) {
                json!({"min_size": self.dice.between(1, 4)})
            } else {
                json!({})
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

    /// Whether hosts report their weights.
    pub(super) fn reports(&self) -> bool {
        self.name == REPORTED
    }

    /// The entry of `load_balancing_policy.policies`.
    pub(super) fn typed(&self) -> Value {
        let message = match self.name {
            "round_robin" => "RoundRobin",
            "random" => "Random",
            "ring_hash" => "RingHash",
            "maglev" => "Maglev",
            "least_request" => "LeastRequest",
            _ => "ClientSideWeightedRoundRobin",
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
            if let Some(factor) = self.hash_balance_factor {
                hashing["hash_balance_factor"] = factor.into();
            }
            if hashing != json!({}) {
                config["consistent_hashing_lb_config"] = hashing;
            }
        } else if self.locality_weighted && self.reports() {
            let policies = json!({"policies": [entry(self.name, config)]});
            let wrapper = json!({
                "@type": format!("{TYPES}.wrr_locality.v3.WrrLocality"),
                "endpoint_picking_policy": policies,
            });
            return entry("wrr_locality", wrapper);
        } else if self.locality_weighted {
            config["locality_lb_config"] = json!({"locality_weighted_lb_config": {}});
        } else if let Some(zone_aware) = &self.zone_aware {
            config["locality_lb_config"] = json!({"zone_aware_lb_config": zone_aware});
        }
        entry(self.name, config)
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
        let mut hashing = json!({});
        if self.hostnames {
            hashing["use_hostname_for_hashing"] = true.into();
        }
        if let Some(factor) = self.hash_balance_factor {
            hashing["hash_balance_factor"] = factor.into();
        }
        if hashing != json!({}) {
            common["consistent_hashing_lb_config"] = hashing;
        }
    }
}

/// An entry of `load_balancing_policy.policies`.
fn entry(name: &str, config: Value) -> Value {
    json!({"typed_extension_config": {
        "name": format!("envoy.load_balancing_policies.{name}"),
        "typed_config": config,
    }})
}
