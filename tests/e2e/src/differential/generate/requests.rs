//! Requests: keys, and what decides between routes and subsets.

use super::super::scenario::Asked;
use super::maker::{KEYS, Maker};
use super::metadata_filters::STAGE_COOKIE;
use super::original_dst::DESTINATION;
use super::routes::MadeRoute;

impl Maker<'_> {
    /// About that many requests, spread over the routes.
    pub(super) fn requests(&mut self, routes: &[MadeRoute], count: usize) -> Vec<Asked> {
        let mut requests = Vec::new();
        let each = count.div_ceil(routes.len().max(1));
        for route in routes {
            // Random picks need many equal requests, hashed ones many different requests.
            let keyless = if route.hashes { each / 6 } else { each };
            if !route.hashes || self.uses("no_hash", 40) {
                requests.extend(self.keyless(route, keyless));
            }
            if route.hashes {
                for _ in 0..each - keyless {
                    requests.push(self.keyed(route));
                }
            }
        }
        self.turning(requests)
    }

    fn keyless(&mut self, route: &MadeRoute, count: usize) -> Vec<Asked> {
        let each_names = self.names_hosts() || self.used.contains("original_dst");
        let kinds = match (each_names, self.varied(route)) {
            (true, _) => 12,
            (false, true) => 4,
            (false, false) => 1,
        };
        let count = (count / kinds).max(1);
        let mut requests = Vec::new();
        for _ in 0..kinds {
            let mut asked = self.asked(route);
            asked.count = count;
            requests.push(asked);
        }
        requests
    }

    /// Whether requests differ in more than their keys.
    fn varied(&self, route: &MadeRoute) -> bool {
        (route.subsets && self.surroundings.features.contains("header_to_metadata"))
            || self.used_any(&["weighted_header", "cluster_header", "cookie_hash"])
            || self.used_any(&[
                "header_to_metadata_rules",
                "host_rewrite",
                "cluster_matcher",
            ])
            || self.used_any(&["normalize_path", "merge_slashes", "escaped_slashes"])
            || self.used_any(&["strip_port"])
    }

    fn keyed(&mut self, route: &MadeRoute) -> Asked {
        let mut asked = self.asked(route);
        let key = self.key();
        asked.headers.push(("x-key".into(), key));
        if self.dice.chance(8) {
            let key = self.key();
            asked.headers.push(("x-key".into(), key));
        }
        if self.used_any(&["terminal", "policy_hash"]) || self.dice.chance(25) {
            let key = self.key();
            asked.headers.push(("x-other".into(), key));
        }
        if self.used.contains("query_hash") {
            let joint = if asked.path.contains('?') { '&' } else { '?' };
            let key = self.dice.below(1000);
            asked.path.push_str(&format!("{joint}u={key}"));
        }
        asked
    }

    fn asked(&mut self, route: &MadeRoute) -> Asked {
        let mut headers = route.headers.clone();
        // Now and then a request misses its route and goes on to the next.
        if self.dice.chance(5) {
            headers.clear();
        }
        if self.used.contains("cluster_header") {
            let names = ["~a", "~a", "~all", "~unknown"];
            headers.push(("x-cluster".into(), self.dice.one(&names).into()));
        }
        if self.used.contains("original_dst") {
            headers.push((DESTINATION.into(), self.destination()));
        }
        if self.used.contains("header_to_metadata_rules") && self.dice.chance(40) {
            let stage = self.dice.one(&["prod", "dev", "\"prod\""]);
            headers.push(("cookie".into(), format!("{STAGE_COOKIE}={stage}")));
        }
        if self.used.contains("weighted_header") && self.dice.chance(80) {
            headers.push(("x-weight".into(), self.dice.below(200).to_string()));
        }
        // Envoy generates a missing cookie with a ttl, from input that is unknown here.
        let cookies = if self.used.contains("cookie_ttl") {
            100
        } else {
            70
        };
        if self.used.contains("cookie_hash") && self.dice.chance(cookies) {
            let user = self.dice.below(100);
            headers.push(("cookie".into(), format!("other=1; user=u{user}")));
        }
        let criteria = route.subsets && self.surroundings.features.contains("header_to_metadata");
        if criteria || self.used.contains("cluster_matcher") {
            for key in self.dice.some(&KEYS, 35) {
                let value = self.metadata_value(key);
                if let Some(text) = value.as_str() {
                    headers.push((format!("x-{key}"), text.into()));
                }
            }
        }
        // A cluster of type ORIGINAL_DST knows the hosts of earlier requests. A named host is not the
        // next one in turn.
        let refreshes = self.used.contains("refresh_cluster_on_retry");
        let other = self.used.contains("original_dst") || self.turns || refreshes;
        let names_hosts = self.names_hosts() && !other;
        if names_hosts && self.dice.chance(80) {
            self.named(&mut headers);
        }
        let mut asked = Asked {
            path: route.path.clone(),
            host_end: "",
            headers,
            count: 1,
            tried: Vec::new(),
        };
        self.change_for_manager(&mut asked);
        asked
    }

    fn key(&mut self) -> String {
        match self.dice.below(20) {
            0 => String::new(),
            1 => "k".repeat(self.dice.between(1, 100)),
            2..8 => self.dice.bits().to_string(),
            _ => format!("user-{}@example.org", self.dice.below(1_000_000)),
        }
    }
}
