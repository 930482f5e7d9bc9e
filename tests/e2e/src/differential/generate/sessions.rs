//! Hosts that requests name: sessions, and the policy that takes addresses from requests.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use serde_json::{Value, json};

use super::maker::Maker;

const FILTER: &str = "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3";
const STATE: &str = "type.googleapis.com/envoy.extensions.http.stateful_session";

/// The cookies and headers that filters and routes may look at.
const COOKIES: [&str; 2] = ["sess", "own"];
const HEADERS: [&str; 2] = ["x-sess", "x-own"];
/// The headers that name hosts for the policy, the last of them by way of metadata.
pub(super) const LISTS: [&str; 3] = ["x-host", "x-host-too", "x-named"];
/// Where that metadata is.
const NAMESPACE: &str = "named";

/// The statuses of hosts, and of a session.
const STATUSES: [&str; 6] = [
    "UNKNOWN",
    "HEALTHY",
    "UNHEALTHY",
    "DRAINING",
    "TIMEOUT",
    "DEGRADED",
];

impl Maker<'_> {
    /// The filters that keep sessions, and the one that moves a header for the policy.
    pub(super) fn session_filters(&mut self) -> Vec<Value> {
        let mut filters = Vec::new();
        if self.uses("override_host_policy", 60) {
            let remove = self.dice.chance(50);
            filters.push(json!({
                "name": "named",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
                    "request_rules": [{
                        "header": LISTS[2],
                        "on_header_present": {"metadata_namespace": NAMESPACE, "key": "hosts"},
                        "remove": remove,
                    }],
                },
            }));
        }
        for (feature, cookie) in [
            ("stateful_session_cookie", true),
            ("stateful_session_header", false),
        ] {
            if self.uses(feature, 60) {
                let mut config = self.session(cookie, 0);
                config["@type"] = format!("{FILTER}.StatefulSession").into();
                filters.push(json!({"name": feature, "typed_config": config}));
            }
        }
        filters
    }

    /// A `StatefulSession` with the first or second name.
    fn session(&mut self, cookie: bool, at: usize) -> Value {
        let mut session = json!({});
        // Now and then a filter does nothing but on some routes.
        if at == 1 || self.dice.chance(85) {
            session["session_state"] = if cookie {
                let mut cookie = json!({"name": COOKIES[at]});
                if self.dice.chance(50) {
                    cookie["path"] = self.dice.one(&["/", "/r0", "/r1", "/r0/"]).into();
                }
                if self.dice.chance(40) {
                    cookie["ttl"] = self.dice.one(&["0s", "0.5s", "3600s"]).into();
                }
                json!({
                    "name": "envoy.http.stateful_session.cookie",
                    "typed_config": {
                        "@type": format!("{STATE}.cookie.v3.CookieBasedSessionState"),
                        "cookie": cookie,
                    },
                })
            } else {
                json!({
                    "name": "envoy.http.stateful_session.header",
                    "typed_config": {
                        "@type": format!("{STATE}.header.v3.HeaderBasedSessionState"),
                        "name": HEADERS[at],
                    },
                })
            };
        }
        if self.dice.chance(40) {
            session["strict"] = true.into();
        }
        if self.dice.chance(30) {
            session["status_on_strict_destination_not_found"] =
                self.dice.one(&[404, 410, 0]).into();
        }
        session
    }

    /// What a route or a weighted cluster changes about sessions.
    pub(super) fn session_overrides(&mut self) -> Option<Value> {
        let mut overrides = json!({});
        for (feature, cookie) in [
            ("stateful_session_cookie", true),
            ("stateful_session_header", false),
        ] {
            let there = self.surroundings.features.contains(feature);
            if !there || !self.uses("stateful_session_route", 40) {
                continue;
            }
            let own = |session: Value| json!({"@type": format!("{FILTER}.StatefulSessionPerRoute"), "stateful_session": session});
            overrides[feature] = match self.dice.below(5) {
                0 => {
                    json!({"@type": format!("{FILTER}.StatefulSessionPerRoute"), "disabled": true})
                }
                1 => {
                    json!({"@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "disabled": true})
                }
                2 => json!({
                    "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig",
                    "config": own(self.session(cookie, 1)),
                }),
                3 => own(json!({})),
                _ => own(self.session(cookie, 1)),
            };
        }
        (overrides != json!({})).then_some(overrides)
    }

    /// `override_host_status` of a cluster.
    pub(super) fn override_statuses(&mut self) -> Option<Value> {
        if !self.uses("override_host_status", 45) {
            return None;
        }
        let statuses = self.dice.some(&STATUSES, 40);
        Some(json!({"statuses": statuses}))
    }

    /// The `override_host` policy around another one.
    pub(super) fn override_host(&mut self, inner: &Value) -> Option<Value> {
        if !self.uses("override_host_policy", 35) {
            return None;
        }
        let all = [
            json!({"header": LISTS[0]}),
            json!({"header": LISTS[1].to_uppercase()}),
            json!({"metadata": {"key": NAMESPACE, "path": [{"key": "hosts"}]}}),
        ];
        let mut sources = self.dice.some(&all, 50);
        if sources.is_empty() {
            sources.push(all[0].clone());
        }
        Some(json!({"policies": [{"typed_extension_config": {
            "name": "envoy.load_balancing_policies.override_host",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost",
                "override_host_sources": sources,
                "fallback_policy": inner,
            },
        }}]}))
    }

    /// Whether requests of this scenario may name hosts.
    pub(super) fn names_hosts(&self) -> bool {
        let names = [
            "stateful_session_cookie",
            "stateful_session_header",
            "override_host_policy",
        ];
        names.iter().any(|name| self.used.contains(name))
    }

    /// The headers of a request that name its host.
    pub(super) fn named(&mut self, headers: &mut Vec<(String, String)>) {
        if self.used.contains("stateful_session_cookie") {
            for name in COOKIES {
                if self.dice.chance(60) {
                    let value = self.cookie_value();
                    let quote = if self.dice.chance(30) { "\"" } else { "" };
                    headers.push(("cookie".into(), format!("{name}={quote}{value}{quote}")));
                }
            }
        }
        if self.used.contains("stateful_session_header") {
            for name in HEADERS {
                if self.dice.chance(60) {
                    let address = self.some_address();
                    headers.push((name.into(), self.encoded(address.as_bytes())));
                }
            }
        }
        if self.used.contains("override_host_policy") {
            for name in LISTS {
                if self.dice.chance(50) {
                    let count = self.dice.between(1, 3);
                    let list: Vec<String> = (0..count).map(|_| self.some_address()).collect();
                    let comma = self.dice.one(&[",", ", ", " ,, "]);
                    headers.push((name.into(), list.join(comma)));
                }
            }
        }
    }

    /// Envoy's message, or another that Envoy accepts as one.
    fn cookie_value(&mut self) -> String {
        let address = self.some_address();
        let mut message = Vec::new();
        match self.dice.below(12) {
            // The address alone, as in old cookies.
            0 | 1 => message.extend(address.as_bytes()),
            // No address, and bytes that are no message.
            2 => message.extend([16, 1]),
            3 => message.extend([0x0a, 50, b'x']),
            _ => {
                message.extend([0x0a, address.len() as u8]);
                message.extend(address.as_bytes());
                match self.dice.below(6) {
                    0 => message.extend([0x10, 1]),
                    1 => message.extend([0x10, 0]),
                    // In the year 2286, and before 1970.
                    2 => message.extend([0x10, 0x80, 0xc8, 0xaf, 0xa0, 0x25]),
                    3 => message.extend([0x10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
                    // Another field, and a group around one.
                    4 => message.extend([0x38, 7, 0x3b, 0x08, 1, 0x3c]),
                    _ => {}
                }
            }
        }
        self.encoded(&message)
    }

    fn encoded(&mut self, bytes: &[u8]) -> String {
        if self.dice.chance(6) {
            STANDARD_NO_PAD.encode(bytes)
        } else {
            STANDARD.encode(bytes)
        }
    }

    /// Mostly a host of the scenario.
    fn some_address(&mut self) -> String {
        match self.dice.below(20) {
            0 => "127.1.1.1:9".into(),
            1 => String::new(),
            _ => self.known_address(),
        }
    }
}
