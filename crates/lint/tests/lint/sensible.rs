//! Random sensible configurations: no rule reports them.

use serde_json::{Map, Value, json};
use spillgate_testkit::models::Dice;

const TYPES: &str = "type.googleapis.com/envoy.extensions.";
const POLICIES: [&str; 5] = [
    "ROUND_ROBIN",
    "LEAST_REQUEST",
    "RANDOM",
    "RING_HASH",
    "MAGLEV",
];
const ZONES: [&str; 3] = ["a", "b", "c"];

/// What routes need to know of a cluster.
struct Made {
    name: String,
    hashes: bool,
    subsets: bool,
    aggregate: bool,
    override_host: bool,
}

struct Author {
    dice: Dice,
    clusters: Vec<Value>,
    made: Vec<Made>,
    hosts: usize,
    /// Whether the proxies' own cluster is known, so that zones mean something.
    local: bool,
}

/// The configuration of a seed: a bootstrap.
pub(crate) fn sensible(seed: u64) -> Value {
    let mut author = Author {
        dice: Dice::new(seed),
        clusters: Vec::new(),
        made: Vec::new(),
        hosts: 0,
        local: false,
    };
    author.local = author.dice.chance(30);
    for number in 0..author.dice.between(1, 4) {
        author.cluster(&format!("service-{number}"));
    }
    author.maybe_aggregate();
    let routes = author.routes();
    let listener = author.listener(routes);
    let mut bootstrap = json!({
        "static_resources": {"listeners": [listener], "clusters": author.clusters},
    });
    if author.local {
        let endpoints: Vec<Value> = ZONES
            .iter()
            .map(|zone| {
                let endpoint = author.endpoint(Map::new(), None);
                json!({"locality": {"region": "r", "zone": zone}, "lb_endpoints": [endpoint]})
            })
            .collect();
        let own = json!({
            "name": "proxies", "type": "STATIC", "connect_timeout": "1s",
            "load_assignment": {"cluster_name": "proxies", "endpoints": endpoints},
        });
        let clusters = &mut bootstrap["static_resources"]["clusters"];
        clusters.as_array_mut().unwrap().push(own);
        bootstrap["cluster_manager"] = json!({"local_cluster_name": "proxies"});
        bootstrap["node"] =
            json!({"id": "n", "cluster": "proxies", "locality": {"region": "r", "zone": "a"}});
    }
    bootstrap
}

impl Author {
    fn endpoint(&mut self, metadata: Map<String, Value>, weight: Option<usize>) -> Value {
        self.hosts += 1;
        let address = format!("10.0.{}.{}", self.hosts / 250, self.hosts % 250 + 1);
        let mut endpoint = json!({
            "endpoint": {"address": {"socket_address": {"address": address, "port_value": 8080}}},
        });
        if !metadata.is_empty() {
            endpoint["metadata"] = json!({"filter_metadata": {"envoy.lb": metadata}});
        }
        if let Some(weight) = weight {
            endpoint["load_balancing_weight"] = json!(weight);
        }
        endpoint
    }

    fn cluster(&mut self, name: &str) {
        let policy = self.dice.one(&POLICIES);
        let hashes = matches!(policy, "RING_HASH" | "MAGLEV");
        let priorities = self.dice.between(1, 3);
        let subsets = self.dice.chance(25);
        let zones = self.dice.chance(40);
        let weighted_zones = zones && self.dice.chance(50);
        let zone_aware = zones && !weighted_zones && !hashes && self.local;
        let weights = policy != "RANDOM" && self.dice.chance(30);
        let mut localities = Vec::new();
        for priority in 0..priorities {
            let count = if zones { 3 } else { 1 };
            for zone in ZONES.iter().take(count) {
                let hosts = self.dice.between(2, 5);
                let endpoints: Vec<Value> = (0..hosts)
                    .map(|host| {
                        let mut metadata = Map::new();
                        if subsets {
                            // Each subset has a host in every locality.
                            let stage = if host % 2 == 0 { "prod" } else { "canary" };
                            metadata.insert("stage".into(), json!(stage));
                            metadata.insert("version".into(), json!(format!("v{}", host % 2)));
                        }
                        let weight = weights.then(|| self.dice.between(1, 9));
                        self.endpoint(metadata, weight)
                    })
                    .collect();
                let mut locality = json!({"lb_endpoints": endpoints});
                if priority > 0 {
                    locality["priority"] = json!(priority);
                }
                if zones {
                    locality["locality"] = json!({"region": "r", "zone": zone});
                }
                if weighted_zones {
                    locality["load_balancing_weight"] = json!(self.dice.between(1, 9));
                }
                localities.push(locality);
            }
        }
        let eds = self.dice.chance(20);
        let mut cluster = json!({
            "name": name,
            "type": if eds { "EDS" } else { "STATIC" },
            "connect_timeout": "1s",
            "lb_policy": policy,
            "load_assignment": {"cluster_name": name, "endpoints": localities},
        });
        if eds {
            cluster["eds_cluster_config"] =
                json!({"eds_config": {"ads": {}, "resource_api_version": "V3"}});
        }
        if weighted_zones {
            cluster["common_lb_config"] = json!({"locality_weighted_lb_config": {}});
        }
        if zone_aware {
            let least = self.dice.between(1, 6);
            cluster["common_lb_config"] =
                json!({"zone_aware_lb_config": {"min_cluster_size": least}});
        }
        if policy == "MAGLEV" && self.dice.chance(50) {
            cluster["maglev_lb_config"] = json!({"table_size": 5003});
        }
        if policy == "RING_HASH" && self.dice.chance(50) {
            cluster["ring_hash_lb_config"] = json!({"minimum_ring_size": 4096});
        }
        if self.dice.chance(50) {
            cluster["circuit_breakers"] = json!({"thresholds": [{"max_requests": 1000}]});
        }
        self.health(&mut cluster, priorities > 1);
        if subsets {
            self.subsets(&mut cluster);
        }
        let override_host = !subsets && self.dice.chance(10);
        if self.dice.chance(50) || override_host {
            make_typed(&mut cluster, override_host);
        }
        self.clusters.push(cluster);
        self.made.push(Made {
            name: name.into(),
            hashes,
            subsets,
            aggregate: false,
            override_host,
        });
    }

    fn health(&mut self, cluster: &mut Value, needed: bool) {
        if needed || self.dice.chance(40) {
            if self.dice.chance(50) {
                cluster["health_checks"] = json!([{
                    "timeout": "1s", "interval": "5s", "unhealthy_threshold": 2,
                    "healthy_threshold": 1, "http_health_check": {"path": "/health"},
                }]);
            } else {
                cluster["outlier_detection"] = json!({"max_ejection_percent": 100});
            }
        }
    }

    fn subsets(&mut self, cluster: &mut Value) {
        let mut subsets = json!({
            "fallback_policy": self.dice.one(&["NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"]),
            "subset_selectors": [{"keys": ["stage"]}, {"keys": ["stage", "version"]}],
        });
        if subsets["fallback_policy"] == "DEFAULT_SUBSET" {
            subsets["default_subset"] = json!({"stage": "prod"});
        }
        if self.dice.chance(30) {
            subsets["subset_selectors"][1]["fallback_policy"] = json!("KEYS_SUBSET");
            subsets["subset_selectors"][1]["fallback_keys_subset"] = json!(["stage"]);
        }
        cluster["lb_subset_config"] = subsets;
    }

    fn maybe_aggregate(&mut self) {
        let plain = self.made.iter().filter(|made| !made.override_host);
        let members: Vec<String> = plain.map(|made| made.name.clone()).collect();
        if members.len() < 2 || !self.dice.chance(40) {
            return;
        }
        let hashes = self
            .made
            .iter()
            .any(|m| members.contains(&m.name) && m.hashes);
        let subsets = self
            .made
            .iter()
            .any(|m| members.contains(&m.name) && m.subsets);
        // A member without a health signal would keep its requests forever.
        for cluster in &mut self.clusters {
            let name = cluster["name"].as_str().unwrap();
            let silent = cluster["type"] != "EDS"
                && cluster.get("health_checks").is_none()
                && cluster.get("outlier_detection").is_none();
            if silent
                && members[..members.len() - 1]
                    .iter()
                    .any(|member| member == name)
            {
                cluster["outlier_detection"] = json!({"max_ejection_percent": 100});
            }
        }
        self.clusters.push(json!({
            "name": "all", "connect_timeout": "1s", "lb_policy": "CLUSTER_PROVIDED",
            "cluster_type": {
                "name": "envoy.clusters.aggregate",
                "typed_config": {
                    "@type": format!("{TYPES}clusters.aggregate.v3.ClusterConfig"),
                    "clusters": members,
                },
            },
        }));
        self.made.push(Made {
            name: "all".into(),
            hashes,
            subsets,
            aggregate: true,
            override_host: false,
        });
    }

    fn routes(&mut self) -> Vec<Value> {
        let mut routes = Vec::new();
        for at in 0..self.made.len() {
            let Made {
                name,
                hashes,
                subsets,
                aggregate,
                ..
            } = &self.made[at];
            let mut action = json!({"cluster": name});
            if *hashes {
                action["hash_policy"] = self.dice.one(&[
                    r#"[{"header":{"header_name":"x-user"}}]"#,
                    r#"[{"cookie":{"name":"user","ttl":"3600s"}}]"#,
                    r#"[{"cookie":{"name":"user","ttl":"0s"},"terminal":true},{"connection_properties":{"source_ip":true}}]"#,
                ]).parse().unwrap();
            }
            if *subsets && !aggregate && self.dice.chance(70) {
                let asked = self.dice.one(&[
                    r#"{"stage":"prod"}"#,
                    r#"{"stage":"canary"}"#,
                    r#"{"stage":"prod","version":"v0"}"#,
                ]);
                let asked: Value = asked.parse().unwrap();
                action["metadata_match"] = json!({"filter_metadata": {"envoy.lb": asked}});
            }
            let mut route = json!({"match": {"prefix": format!("/{name}/")}, "route": action});
            if *subsets || *aggregate {
                // Where sessions cannot be kept, they are not asked for.
                route["typed_per_filter_config"] = json!({
                    "envoy.filters.http.stateful_session": {
                        "@type": format!("{TYPES}filters.http.stateful_session.v3.StatefulSessionPerRoute"),
                        "disabled": true,
                    },
                });
            }
            routes.push(route);
        }
        if let Some(canary) = self.split() {
            routes.push(canary);
        }
        routes
    }

    /// A weighted split, without sessions and with the hash where it counts.
    fn split(&mut self) -> Option<Value> {
        let usable: Vec<&Made> = self
            .made
            .iter()
            .filter(|m| !m.subsets && !m.aggregate)
            .collect();
        let (first, second) = (usable.first()?, usable.get(1)?);
        let hashes = first.hashes || second.hashes;
        let mut action = json!({"weighted_clusters": {"clusters": [
            {"name": first.name, "weight": 95}, {"name": second.name, "weight": 5},
        ]}});
        if hashes {
            action["hash_policy"] = json!([{"header": {"header_name": "x-user"}}]);
            action["weighted_clusters"]["use_hash_policy"] = json!(true);
        }
        Some(json!({
            "match": {"prefix": "/canary/"},
            "route": action,
            "typed_per_filter_config": {
                "envoy.filters.http.stateful_session": {
                    "@type": format!("{TYPES}filters.http.stateful_session.v3.StatefulSessionPerRoute"),
                    "disabled": true,
                },
            },
        }))
    }

    fn listener(&mut self, routes: Vec<Value>) -> Value {
        let mut filters = Vec::new();
        if self.made.iter().any(|made| made.override_host) {
            filters.push(self.protection());
        }
        if self.dice.chance(30) {
            let ttl = self.dice.one(&["0s", "1s", "3600s"]);
            filters.push(session(ttl));
        }
        filters.push(json!({
            "name": "envoy.filters.http.router",
            "typed_config": {"@type": format!("{TYPES}filters.http.router.v3.Router")},
        }));
        json!({
            "name": "main",
            "address": {"socket_address": {"address": "0.0.0.0", "port_value": 8000}},
            "filter_chains": [{"filters": [{
                "name": "envoy.filters.network.http_connection_manager",
                "typed_config": {
                    "@type": format!("{TYPES}filters.network.http_connection_manager.v3.HttpConnectionManager"),
                    "stat_prefix": "main",
                    "route_config": {"name": "main", "virtual_hosts": [
                        {"name": "main", "domains": ["*"], "routes": routes},
                    ]},
                    "http_filters": filters,
                },
            }]}],
        })
    }

    /// What keeps clients from naming hosts: a mutation, or our filter, which names them itself.
    fn protection(&mut self) -> Value {
        if self.dice.chance(50) {
            return json!({
                "name": "envoy.filters.http.header_mutation",
                "typed_config": {
                    "@type": format!("{TYPES}filters.http.header_mutation.v3.HeaderMutation"),
                    "mutations": {"request_mutations": [{"remove": "x-spillgate-host"}]},
                },
            });
        }
        json!({
            "name": "spillgate",
            "typed_config": {
                "@type": format!("{TYPES}filters.http.wasm.v3.Wasm"),
                "config": {
                    "vm_config": {
                        "runtime": "envoy.wasm.runtime.null",
                        "code": {"local": {"inline_string": "spillgate"}},
                    },
                    "configuration": {
                        "@type": "type.googleapis.com/google.protobuf.StringValue",
                        "value": r#"{"clusters":[],"target":"service-0","output":{"mode":"override_host"}}"#,
                    },
                },
            },
        })
    }
}

/// Envoy's sessions in a cookie.
pub(crate) fn session(ttl: &str) -> Value {
    json!({
        "name": "envoy.filters.http.stateful_session",
        "typed_config": {
            "@type": format!("{TYPES}filters.http.stateful_session.v3.StatefulSession"),
            "session_state": {
                "name": "envoy.http.stateful_session.cookie",
                "typed_config": {
                    "@type": format!("{TYPES}http.stateful_session.cookie.v3.CookieBasedSessionState"),
                    "cookie": {"name": "session", "path": "/", "ttl": ttl},
                },
            },
        },
    })
}

/// Moves the classic policy into `load_balancing_policy`, under an `override_host` if asked to.
fn make_typed(cluster: &mut Value, override_host: bool) {
    let bootstrap = json!({"static_resources": {"clusters": [cluster.clone()]}});
    let moved = crate::common::typed(&bootstrap).unwrap();
    *cluster = moved["static_resources"]["clusters"][0].clone();
    if override_host {
        let fallback = cluster["load_balancing_policy"].clone();
        cluster["load_balancing_policy"] = json!({"policies": [{"typed_extension_config": {
            "name": "override_host",
            "typed_config": {
                "@type": format!("{TYPES}load_balancing_policies.override_host.v3.OverrideHost"),
                "override_host_sources": [{"header": "x-spillgate-host"}],
                "fallback_policy": fallback,
            },
        }}]});
    }
}
