//! Routes: matches, actions, hash policies.

use serde_json::{Value, json};

use super::connection_manager::FORWARDING;
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
        // Which of the routes a retry keeps is not known when its cluster changes.
        let refreshes = self.used.contains("refresh_cluster_on_retry");
        if !refreshes && self.uses("dependent_fractions", 20) {
            for _ in 0..self.dice.between(2, 3) {
                let at = self.dice.between(0, routes.len());
                let matcher = json!({"prefix": "/", "runtime_fraction": self.fraction()});
                routes.insert(at, self.route(matcher, "/", entry));
            }
        }
        routes.push(self.route(json!({"prefix": "/"}), "/", entry));
        routes
    }

    /// A route to the cluster, or now and then one that responds itself if it is not the last.
    fn route(&mut self, matcher: Value, path: &str, entry: &Entry) -> MadeRoute {
        let responds = matcher != json!({"prefix": "/"}) && self.dice.chance(8);
        let mut message = if responds {
            json!({"match": matcher, "direct_response": {"status": 204}})
        } else {
            json!({"route": self.action(&matcher, entry), "match": matcher})
        };
        if !responds {
            self.change_headers("headers_route", 20, &mut message);
        }
        if let Some(overrides) = self.filter_overrides() {
            message["typed_per_filter_config"] = overrides;
        }
        MadeRoute {
            message,
            path: path.into(),
            headers: Vec::new(),
            hashes: entry.hashes,
            subsets: entry.subsets,
        }
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
        let refreshes = self.used.contains("refresh_cluster_on_retry");
        if !refreshes && self.uses("route_fraction", 25) {
            matcher["runtime_fraction"] = self.fraction();
        }
        MadeRoute {
            headers,
            ..self.route(matcher, &path, entry)
        }
    }

    fn header_match(&mut self, number: usize, headers: &mut Vec<(String, String)>) -> Value {
        if self.used_any(&["strip_port"]) && self.uses("route_authority", 40) {
            let end = self.dice.one(&[".test", ":8080", "."]);
            return json!([{"name": ":authority", "string_match": {"suffix": end}}]);
        }
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

    fn action(&mut self, matcher: &Value, entry: &Entry) -> Value {
        let mut action = json!({});
        let refreshes = self.used.contains("refresh_cluster_on_retry");
        if self.uses("weighted_clusters", if refreshes { 70 } else { 20 }) {
            action["weighted_clusters"] = self.weighted(entry);
        } else if self.uses("cluster_header", 6) {
            action["cluster_header"] = "x-cluster".into();
        } else if self.uses("priority_group", 6) {
            action["inline_cluster_specifier_plugin"] = self.priority_groups(entry);
        } else if !refreshes && self.uses("cluster_matcher", 6) {
            action["inline_cluster_specifier_plugin"] = self.cluster_matcher(entry);
        } else {
            action["cluster"] = entry.name.clone().into();
        }
        self.rewrite(matcher, &mut action);
        if entry.hashes || self.used.contains("weighted_hash") {
            let policies = self.hash_policies(&action);
            if !policies.is_empty() {
                action["hash_policy"] = policies.into();
            }
        }
        if entry.subsets && self.dice.chance(75) {
            action["metadata_match"] = json!({"filter_metadata": {"envoy.lb": self.criteria()}});
        }
        if self.used.contains("retries") && self.dice.chance(80) {
            action["retry_policy"] = self.retry_policy(action.get("weighted_clusters").is_some());
        }
        action
    }

    fn hash_policies(&mut self, action: &Value) -> Vec<Value> {
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
            let mut header = json!({"header_name": "x-key"});
            if self.uses("regex_hash", 10) {
                header["regex_rewrite"] = json!({
                    "pattern": {"regex": "^(user|k+)-?([0-9]?)[0-9]*"}, "substitution": "\\2\\1",
                });
            }
            policies.push(json!({"header": header}));
        }
        let paths = self.used_any(&["path_rewrite", "normalize_path", "merge_slashes"]);
        if self.uses("path_hash", if paths { 50 } else { 5 }) {
            policies.push(json!({"header": {"header_name": ":path"}}));
        }
        let same_host = ["host_rewrite_literal", "host_rewrite_path_regex"];
        // Weighted clusters are chosen by the hash of the host before.
        let by_hash = action["weighted_clusters"].get("use_hash_policy").is_some();
        if !by_hash && same_host.iter().any(|field| action.get(field).is_some()) {
            policies.push(json!({"header": {"header_name": ":authority"}}));
        }
        let forwards = self.used_any(&FORWARDING);
        let named = self.address_is_named();
        if !named && self.uses("forwarded_hash", if forwards { 40 } else { 3 }) {
            let headers = ["x-envoy-external-address", "x-forwarded-for"];
            let known = if self.appends_own_address() { 1 } else { 2 };
            let header = self.dice.one(&headers[..known]);
            policies.push(json!({"header": {"header_name": header}}));
        }
        if !named && self.uses("source_ip_hash", if forwards { 40 } else { 8 }) {
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
