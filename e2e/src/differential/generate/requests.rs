//! Requests: keys, and what decides between routes and subsets.

use super::super::scenario::Asked;
use super::maker::{KEYS, Maker};
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
        requests
    }

    fn keyless(&mut self, route: &MadeRoute, count: usize) -> Vec<Asked> {
        let kinds = match (self.names_hosts(), self.varied(route)) {
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
            || ["weighted_header", "cluster_header", "cookie_hash"]
                .iter()
                .any(|name| self.used.contains(name))
    }

    fn keyed(&mut self, route: &MadeRoute) -> Asked {
        let mut asked = self.asked(route);
        let key = self.key();
        asked.headers.push(("x-key".into(), key));
        if self.dice.chance(8) {
            let key = self.key();
            asked.headers.push(("x-key".into(), key));
        }
        if self.used.contains("terminal") || self.used.contains("policy_hash") {
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
        if route.subsets && self.surroundings.features.contains("header_to_metadata") {
            for key in self.dice.some(&KEYS, 35) {
                let value = self.metadata_value(key);
                if let Some(text) = value.as_str() {
                    headers.push((format!("x-{key}"), text.into()));
                }
            }
        }
        if self.names_hosts() && self.dice.chance(80) {
            self.named(&mut headers);
        }
        Asked {
            path: route.path.clone(),
            headers,
            count: 1,
        }
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
