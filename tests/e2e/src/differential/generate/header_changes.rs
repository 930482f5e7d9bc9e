//! Header changes of route configurations, virtual hosts, routes, weighted clusters and filters.

use serde_json::{Map, Value, json};

use super::maker::{KEYS, Maker};
use super::original_dst::DESTINATION;
use super::sessions::LISTS;

const FILTER: &str = "type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3";

const ACTIONS: [&str; 4] = [
    "APPEND_IF_EXISTS_OR_ADD",
    "ADD_IF_ABSENT",
    "OVERWRITE_IF_EXISTS_OR_ADD",
    "OVERWRITE_IF_EXISTS",
];

impl Maker<'_> {
    /// Gives a message `request_headers_to_add` and `request_headers_to_remove`.
    pub(super) fn change_headers(
        &mut self,
        feature: &'static str,
        percent: usize,
        message: &mut Value,
    ) {
        if !self.uses(feature, percent) {
            return;
        }
        let mut added = Vec::new();
        for _ in 0..self.dice.between(1, 2) {
            added.push(self.added_header());
        }
        message["request_headers_to_add"] = added.into();
        if self.dice.chance(40) {
            let removed = self.dice.some(&["x-key", "X-Other", "x-host"], 40);
            if !removed.is_empty() {
                message["request_headers_to_remove"] = json!(removed);
            }
        }
    }

    /// The filter `header_mutation`.
    pub(super) fn header_mutation_filter(&mut self) -> Option<Value> {
        if !self.uses("header_mutation", 45) {
            return None;
        }
        let mut config = json!({
            "@type": format!("{FILTER}.HeaderMutation"),
            "mutations": {"request_mutations": self.mutations()},
        });
        if self.dice.chance(50) {
            config["most_specific_header_mutations_wins"] = true.into();
        }
        Some(json!({"name": "header_mutation", "typed_config": config}))
    }

    /// What routes and weighted clusters change about filters.
    pub(super) fn filter_overrides(&mut self) -> Option<Value> {
        let overrides = self.session_overrides();
        let there = self.surroundings.features.contains("header_mutation");
        if !there || !self.uses("header_mutation_route", 30) {
            return overrides;
        }
        let mut overrides = overrides.unwrap_or_else(|| Value::Object(Map::new()));
        overrides["header_mutation"] = json!({
            "@type": format!("{FILTER}.HeaderMutationPerRoute"),
            "mutations": {"request_mutations": self.mutations()},
        });
        Some(overrides)
    }

    /// A list of `HeaderMutation`.
    pub(super) fn mutations(&mut self) -> Vec<Value> {
        let mut mutations = Vec::new();
        for _ in 0..self.dice.between(1, 3) {
            mutations.push(if self.dice.chance(30) {
                json!({"remove": self.dice.one(&["x-other", "x-key", "x-stage", "x-host"])})
            } else {
                json!({"append": self.added_header()})
            });
        }
        mutations
    }

    /// A `HeaderValueOption` for a header that something reads.
    fn added_header(&mut self) -> Value {
        let mut names = vec!["x-key", "x-key", "X-Other", "x-weight"];
        if self.used.contains("header_to_metadata") {
            names.extend(["x-stage", "x-version"]);
        }
        if self.used.contains("override_host_policy") && !self.turns {
            names.push(LISTS[0]);
        }
        if self.used.contains("original_dst") {
            names.push(DESTINATION);
        }
        let name = self.dice.one(&names);
        let mut action = self.dice.one(&ACTIONS);
        let value = match name {
            "x-weight" => self.dice.below(200).to_string(),
            "x-stage" => "prod".into(),
            "x-version" => self.dice.one(&["1.0", "1.1"]).into(),
            DESTINATION => {
                // Two addresses in one header are not an address.
                action = ACTIONS[self.dice.between(1, 3)];
                self.known_address()
            }
            name if name == LISTS[0] => self.known_address(),
            _ => self.header_value(),
        };
        let mut added = json!({"header": {"key": name, "value": value}, "append_action": action});
        if self.dice.chance(20) {
            added["keep_empty_value"] = true.into();
        }
        added
    }

    /// A text with or without commands.
    fn header_value(&mut self) -> String {
        let texts = [
            "fixed",
            "100%%",
            "",
            "%REQ(X-OTHER)%",
            "k-%REQ(x-key)%",
            "%REQ(x-absent?x-key)%",
            "%REQ(X-KEY):3%",
            "%REQ(:path)%",
            "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%",
        ];
        if self.dice.chance(15) {
            format!("%REQ(x-{})%", self.dice.one(&KEYS))
        } else {
            self.dice.one(&texts).into()
        }
    }
}
