//! Filters that set the metadata of requests: rules and values beyond the plain ones.

use serde_json::{Value, json};

use super::maker::Maker;

const FILTERS: &str = "type.googleapis.com/envoy.extensions.filters.http";
/// The cookie that one of the rules reads.
pub(super) const STAGE_COOKIE: &str = "stage";

impl Maker<'_> {
    /// Further filters for the criteria of requests.
    pub(super) fn metadata_filters(&mut self) -> Vec<Value> {
        let mut filters = Vec::new();
        if self.uses("header_to_metadata_rules", 40) {
            let lb = "envoy.lb";
            let all = [
                json!({
                    "header": "x-type",
                    "on_header_present": {
                        "metadata_namespace": lb, "key": "type",
                        "regex_value_rewrite": {
                            "pattern": {"regex": "^(std|big).*$"}, "substitution": "\\1",
                        },
                    },
                    "on_header_missing": {"metadata_namespace": lb, "key": "type", "value": "std"},
                    "remove": self.dice.chance(50),
                }),
                json!({
                    "cookie": STAGE_COOKIE,
                    "on_header_present": {"metadata_namespace": lb, "key": "stage"},
                }),
                json!({
                    "header": "x-version",
                    "on_header_present": {
                        "metadata_namespace": lb, "key": "version", "type": "NUMBER",
                    },
                }),
                json!({
                    "header": "x-other",
                    "on_header_present": {"metadata_namespace": lb, "key": "shard", "value": "3"},
                    "on_header_missing": {"metadata_namespace": lb, "key": "stage", "value": "dev"},
                }),
            ];
            let mut rules = self.dice.some(&all, 50);
            if rules.is_empty() {
                rules.push(all[0].clone());
            }
            filters.push(json!({
                "name": "rules",
                "typed_config": {
                    "@type": format!("{FILTERS}.header_to_metadata.v3.Config"),
                    "request_rules": rules,
                },
            }));
        }
        if self.uses("set_metadata_values", 30) {
            let mut values = Vec::new();
            for _ in 0..self.dice.between(1, 3) {
                let key = self.dice.one(&["stage", "version", "type"]);
                let value = self.metadata_value(key);
                values.push(json!({
                    "metadata_namespace": "envoy.lb",
                    "value": {key: value},
                    "allow_overwrite": self.dice.chance(50),
                }));
            }
            filters.push(json!({
                "name": "values",
                "typed_config": {
                    "@type": format!("{FILTERS}.set_metadata.v3.Config"),
                    "metadata": values,
                },
            }));
        }
        filters
    }
}
