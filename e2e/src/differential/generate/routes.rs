//! Routes: matches, target clusters, hash policies.

use serde_json::{Value, json};

use super::maker::{Entry, Maker};

/// A route and the requests that are meant for it.
#[derive(Debug, Clone)]
pub(super) struct MadeRoute {
    pub(super) message: Value,
    /// A path that it takes.
    pub(super) path: String,
    /// Headers without which it does not.
    pub(super) headers: Vec<(String, String)>,
    /// Whether the request hash means anything.
    pub(super) hashes: bool,
    /// Whether criteria do.
    pub(super) subsets: bool,
}

impl Maker<'_> {
    /// A few routes, the last of which takes everything.
    pub(super) fn routes(&mut self, entry: &Entry) -> Vec<MadeRoute> {
        let mut routes = Vec::new();
        if self.uses("several_routes", 40) {
            for number in 0..self.dice.between(1, 3) {
                routes.push(self.special_route(number, entry));
            }
        }
        let action = self.action(entry);
        let mut message = json!({"match": {"prefix": "/"}, "route": action});
        if let Some(overrides) = self.session_overrides() {
            message["typed_per_filter_config"] = overrides;
        }
        routes.push(MadeRoute {
            message,
            path: "/".into(),
            headers: Vec::new(),
            hashes: entry.hashes,
            subsets: entry.subsets,
        });
        routes
    }

    fn special_route(&mut self, number: usize, entry: &Entry) -> MadeRoute {
        let mut path = format!("/r{number}");
        let mut matcher = match self.dice.below(3) {
            0 if self.uses("route_path_separated", 60) => json!({"path_separated_prefix": path}),
            1 if self.uses("route_regex", 60) => {
                json!({"safe_regex": {"regex": format!("{path}/[a-c]+[0-9]?")}})
            }
            2 => json!({"path": path}),
            _ => json!({"prefix": path}),
        };
        if matcher.get("safe_regex").is_some() {
            path.push_str("/ab1");
        }
        let mut headers = Vec::new();
        if self.uses("route_headers", 30) {
            matcher["headers"] = self.header_match(number, &mut headers);
        }
        if self.uses("route_query", 25) {
            matcher["query_parameters"] =
                json!([{"name": "q", "string_match": {"exact": format!("v{number}")}}]);
            path.push_str(&format!("?q=v{number}"));
        }
        let mut message = match self.dice.chance(8) {
            true => json!({"match": matcher, "direct_response": {"status": 204}}),
            false => json!({"match": matcher, "route": self.action(entry)}),
        };
        if let Some(overrides) = self.session_overrides() {
            message["typed_per_filter_config"] = overrides;
        }
        MadeRoute {
            message,
            path,
            headers,
            hashes: entry.hashes,
            subsets: entry.subsets,
        }
    }

    fn header_match(&mut self, number: usize, headers: &mut Vec<(String, String)>) -> Value {
        let name = format!("x-route-{number}");
        if self.uses("route_headers_inverted", 25) {
            if self.dice.chance(50) {
                headers.push((name.clone(), "yes".into()));
            }
            return json!([{"name": name, "string_match": {"contains": "no"}, "invert_match": true}]);
        }
        let mut add = |value: &str| headers.push((name.clone(), value.to_owned()));
        match self.dice.below(3) {
            0 => {
                add("yes");
                json!([{"name": name, "string_match": {"exact": "yes"}}])
            }
            1 => {
                add("prefixed");
                json!([{"name": name, "string_match": {"prefix": "PRE", "ignore_case": true}}])
            }
            _ => {
                add("");
                json!([{"name": name, "present_match": true}])
            }
        }
    }

    fn action(&mut self, entry: &Entry) -> Value {
        let mut action = json!({});
        if self.uses("weighted_clusters", 15) {
            action["weighted_clusters"] = self.weighted(entry);
        } else if self.uses("cluster_header", 6) {
            action["cluster_header"] = "x-cluster".into();
        } else {
            action["cluster"] = entry.name.clone().into();
        }
        if entry.hashes || self.used.contains("weighted_hash") {
            let policies = self.hash_policies();
            if !policies.is_empty() {
                action["hash_policy"] = policies.into();
            }
        }
        if entry.subsets && self.dice.chance(75) {
            action["metadata_match"] = json!({"filter_metadata": {"envoy.lb": self.criteria()}});
        }
        action
    }

    fn weighted(&mut self, entry: &Entry) -> Value {
        let names: Vec<String> = self
            .clusters
            .iter()
            .filter_map(|cluster| cluster["name"].as_str().map(str::to_owned))
            .collect();
        let mut clusters = Vec::new();
        for _ in 0..self.dice.between(2, 3) {
            let name = self.dice.one(&names);
            let weight = self.dice.one(&[0, 1, 5, 30, 100]);
            let mut item = json!({"name": name, "weight": weight});
            if entry.subsets && self.uses("weighted_metadata", 50) {
                item["metadata_match"] = json!({"filter_metadata": {"envoy.lb": self.criteria()}});
            }
            if let Some(overrides) = self.session_overrides() {
                item["typed_per_filter_config"] = overrides;
            }
            clusters.push(item);
        }
        // All weights 0 are refused.
        clusters.push(json!({"name": entry.name, "weight": 10}));
        let mut weighted = json!({"clusters": clusters});
        if self.uses("weighted_header", 25) {
            weighted["header_name"] = "x-weight".into();
        } else if self.uses("weighted_hash", 25) {
            weighted["use_hash_policy"] = true.into();
        }
        weighted
    }

    fn hash_policies(&mut self) -> Vec<Value> {
        let mut policies = Vec::new();
        if self.uses("cookie_hash", 20) {
            let mut cookie = json!({"name": "user"});
            if self.uses("cookie_ttl", 30) {
                cookie["ttl"] = "3600s".into();
            }
            policies.push(json!({"cookie": cookie}));
        }
        if self.uses("query_hash", 20) {
            policies.push(json!({"query_parameter": {"name": "u"}}));
        }
        if self.uses("header_hash", 95) {
            policies.push(json!({"header": {"header_name": "x-key"}}));
        }
        if self.uses("source_ip_hash", 8) {
            policies.push(json!({"connection_properties": {"source_ip": true}}));
        }
        if self.uses("terminal", 15) {
            policies.push(json!({"header": {"header_name": "x-other"}}));
            let at = self.dice.below(policies.len());
            policies[at]["terminal"] = true.into();
        }
        policies
    }
}
