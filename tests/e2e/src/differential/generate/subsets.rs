//! Subsets: metadata of hosts, selectors, fallbacks, criteria of requests.

use serde_json::{Map, Value, json};

use super::maker::{KEYS, Maker};

impl Maker<'_> {
    /// A value from a few, so that hosts and criteria meet.
    pub(super) fn metadata_value(&mut self, key: &str) -> Value {
        match key {
            "stage" => json!(self.dice.one(&["prod", "prod", "dev"])),
            // Numbers and texts that look like them are different values.
            "version" => self
                .dice
                .one(&[json!("1.0"), json!("1.1"), json!(1.0), json!(1)]),
            "type" => {
                if self.may("subset_list_as_any") && self.dice.chance(40) {
                    json!(self.dice.some(&["std", "big", "odd"], 60))
                } else {
                    json!(self.dice.one(&["std", "big"]))
                }
            }
            _ => self
                .dice
                .one(&[json!(true), json!(false), json!(3), json!("3"), json!(null)]),
        }
    }

    /// The criteria of a request.
    pub(super) fn criteria(&mut self) -> Value {
        let mut criteria = Map::new();
        for key in self.dice.some(&KEYS, 45) {
            criteria.insert(key.into(), self.metadata_value(key));
        }
        if self.uses("subset_fallback_list", 15) {
            let mut list = Vec::new();
            for _ in 0..self.dice.between(0, 3) {
                let mut item = Map::new();
                for key in self.dice.some(&KEYS, 35) {
                    item.insert(key.into(), self.metadata_value(key));
                }
                list.push(Value::Object(item));
            }
            criteria.insert("fallback_list".into(), list.into());
        }
        Value::Object(criteria)
    }

    /// The fields that `lb_subset_config` and the extension share.
    pub(super) fn subset_settings(&mut self, locality_weighted: bool) -> Value {
        let mut settings = json!({});
        let fallbacks = [
            "NO_FALLBACK",
            "ANY_ENDPOINT",
            "ANY_ENDPOINT",
            "DEFAULT_SUBSET",
        ];
        let fallback = self.dice.one(&fallbacks);
        settings["fallback_policy"] = fallback.into();
        if fallback == "DEFAULT_SUBSET" || self.dice.chance(30) {
            let mut default = Map::new();
            for key in self.dice.some(&KEYS, 40) {
                default.insert(key.into(), self.metadata_value(key));
            }
            settings["default_subset"] = Value::Object(default);
        }
        let mut selectors = Vec::new();
        for _ in 0..self.dice.between(1, 4) {
            selectors.push(self.selector());
        }
        settings["subset_selectors"] = selectors.into();
        if locality_weighted && self.uses("subset_locality_weight", 60) {
            settings["locality_weight_aware"] = true.into();
            if self.uses("subset_scale_locality_weight", 50) {
                settings["scale_locality_weight"] = true.into();
            }
        }
        if self.uses("subset_panic_mode_any", 20) {
            settings["panic_mode_any"] = true.into();
        }
        if self.uses("subset_list_as_any", 35) {
            settings["list_as_any"] = true.into();
        }
        if self.uses("subset_fallback_list", 25) {
            settings["metadata_fallback_policy"] = "FALLBACK_LIST".into();
        }
        if self.uses("subset_redundant_keys", 15) {
            settings["allow_redundant_keys"] = true.into();
        }
        settings
    }

    fn selector(&mut self) -> Value {
        let mut keys = self.dice.some(&KEYS, 45);
        if keys.is_empty() {
            keys.push("stage");
        }
        let mut selector = json!({"keys": keys});
        if keys.len() == 1 && self.uses("subset_single_host", 12) {
            selector["single_host_per_subset"] = true.into();
        }
        if self.uses("subset_selector_fallback", 40) {
            let policies = ["NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"];
            selector["fallback_policy"] = self.dice.one(&policies).into();
        }
        if keys.len() > 1 && self.uses("subset_keys_subset", 25) {
            let mut fewer = keys.clone();
            fewer.remove(self.dice.below(keys.len()));
            selector["fallback_policy"] = "KEYS_SUBSET".into();
            selector["fallback_keys_subset"] = json!(fewer);
        }
        selector
    }
}
