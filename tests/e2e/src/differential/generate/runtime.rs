//! Runtime values: those that all clusters read, and those under the scenario's own keys.

use serde_json::{Value, json};

use super::super::runtime::StaticValue;
use super::maker::Maker;

impl Maker<'_> {
    /// The values that all clusters of a process read.
    pub(super) fn shared_runtime(&mut self) -> Vec<StaticValue> {
        let mut entries = Vec::new();
        if self.uses("runtime_panic_threshold", 35) {
            let value = self.number(&[0, 1, 33, 34, 50, 67, 100, 200]);
            entries.push(self.entry_of(&["upstream", "healthy_panic_threshold"], value));
        }
        if self.uses("runtime_zone_routing", 45) {
            let zone = ["upstream", "zone_routing"];
            let enabled = self.number(&[0, 40, 90, 100]);
            let keys: [(&[&str], Value); 3] = [
                (&["enabled"], enabled),
                (&["min_cluster_size"], self.number(&[0, 1, 2, 4])),
                (&["force_local_zone", "min_size"], self.number(&[0, 1, 2])),
            ];
            for (key, value) in self.dice.some(&keys, 60) {
                let key = [&zone[..], key].concat();
                entries.push(self.entry_of(&key, value));
            }
        }
        if self.uses("runtime_drop_limit", 35) {
            let value = self.number(&[0, 20, 60, 100]);
            entries.push(self.entry_of(&["load_balancing_policy", "drop_overload_limit"], value));
        }
        entries
    }

    /// A `RuntimeFractionalPercent`.
    pub(super) fn fraction(&mut self) -> Value {
        let default = match self.dice.below(3) {
            0 => {
                json!({"numerator": self.dice.one(&[0, 1, 5_000, 10_000]), "denominator": "TEN_THOUSAND"})
            }
            1 => json!({"numerator": self.dice.one(&[250_000, 700_000]), "denominator": "MILLION"}),
            _ => json!({"numerator": self.dice.one(&[0, 10, 35, 50, 90, 100])}),
        };
        let mut fraction = json!({"default_value": default});
        if self.uses("runtime_fraction", 50) {
            let key = format!("~fraction{}", self.runtime.len());
            fraction["runtime_key"] = key.clone().into();
            let value = if self.dice.chance(35) {
                json!({"numerator": self.dice.one(&[1, 30, 80]), "denominator": "HUNDRED"})
            } else {
                self.number(&[0, 20, 50, 75, 100, 150])
            };
            let entry = self.entry_of(&[&key], value);
            self.runtime.push(entry);
        }
        fraction
    }

    /// Sets weights of clusters, and returns the prefix of their keys. The weight of `last` is
    /// not 0: Envoy divides by the sum.
    pub(super) fn runtime_weights(&mut self, names: &[String], last: &str) -> String {
        let prefix = format!("~weights{}", self.runtime.len());
        for name in names {
            if self.dice.chance(60) {
                let value = if name == last {
                    self.number(&[1, 20, 70])
                } else {
                    self.number(&[0, 3, 15, 60])
                };
                let entry = self.entry_of(&[&prefix, name], value);
                self.runtime.push(entry);
            }
        }
        prefix
    }

    /// A `RuntimeDouble`.
    pub(super) fn tuned(&mut self, name: &str, values: &[f64]) -> Value {
        let key = format!("~{name}{}", self.runtime.len());
        if self.dice.chance(60) {
            let value = self.dice.one(values);
            let entry = self.entry_of(&[&key], json!(value));
            self.runtime.push(entry);
        }
        json!({"default_value": self.dice.one(values), "runtime_key": key})
    }

    fn entry_of(&mut self, key: &[&str], value: Value) -> StaticValue {
        StaticValue {
            nested: self.dice.chance(40),
            replaced: self.dice.chance(30).then(|| json!(77)),
            ..StaticValue::new(key, value)
        }
    }

    /// One of the numbers, in a form that Envoy reads as an integer.
    fn number(&mut self, of: &[u32]) -> Value {
        let number = self.dice.one(of);
        match self.dice.below(5) {
            0 => json!(number.to_string()),
            1 => json!(f64::from(number) + 0.4),
            _ => json!(number),
        }
    }
}
