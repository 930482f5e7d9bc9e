//! Faults that people make, added to a sensible configuration.

use serde_json::{Value, json};
use spillgate_testkit::models::Dice;

/// A fault: how to add it, and the rule that must report it; [`READER`] if the reader refuses it.
pub(crate) struct Fault {
    pub(crate) rule: &'static str,
    /// Adds the fault. `None` if the configuration has no place for it.
    pub(crate) add: fn(&mut Value, &mut Dice) -> Option<()>,
}

/// The reader refuses the configuration.
pub(crate) const READER: &str = "reader";

const fn fault(rule: &'static str, add: fn(&mut Value, &mut Dice) -> Option<()>) -> Fault {
    Fault { rule, add }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("aggregate-member-missing", |config, _| {
        members(config)?.push(json!("gone"));
        Some(())
    }),
    fault("aggregate-member-duplicate", |config, dice| {
        let members = members(config)?;
        let again = dice.one(members);
        members.push(again);
        Some(())
    }),
    fault("aggregate-cycle", |config, _| {
        members(config)?.push(json!("all"));
        Some(())
    }),
    fault("aggregate-own-settings-ignored", |config, _| {
        let aggregate = find(config, |cluster| cluster["name"] == "all")?;
        aggregate["lb_subset_config"] = json!({
            "fallback_policy": "NO_FALLBACK", "subset_selectors": [{"keys": ["stage"]}],
        });
        Some(())
    }),
    fault("priority-gap", |config, _| {
        let cluster = find(config, |cluster| {
            places(cluster) > 1 && cluster["name"] != "proxies"
        })?;
        let mut moved = false;
        for locality in localities(cluster)? {
            if let Some(priority) = locality["priority"].as_u64() {
                locality["priority"] = json!(priority + 1);
                moved = true;
            }
        }
        moved.then_some(())
    }),
    fault("endpoint-duplicate", |config, dice| {
        let cluster = service(config, dice)?;
        let hosts = localities(cluster)?[0]["lb_endpoints"].as_array_mut()?;
        let again = dice.one(hosts);
        hosts.push(again);
        Some(())
    }),
    fault("endpoint-in-two-priorities", |config, _| {
        let cluster = find(config, |cluster| {
            let last = cluster.pointer("/load_assignment/endpoints");
            let last = last.and_then(Value::as_array).and_then(|all| all.last());
            last.is_some_and(|last| last["priority"].is_u64())
        })?;
        let localities = localities(cluster)?;
        let again = localities[0]["lb_endpoints"][0].clone();
        let last = localities.last_mut()?;
        last["lb_endpoints"].as_array_mut()?.push(again);
        Some(())
    }),
    fault("failover-no-health-signal", |config, _| {
        let cluster = find(config, |cluster| {
            let last = cluster.pointer("/load_assignment/endpoints");
            let last = last.and_then(Value::as_array).and_then(|all| all.last());
            cluster["type"] == "STATIC" && last.is_some_and(|last| last["priority"].is_u64())
        })?
        .as_object_mut()?;
        cluster.remove("health_checks");
        cluster.remove("outlier_detection");
        Some(())
    }),
    fault("outlier-cap-prevents-failover", |config, _| {
        let cluster = find(config, |cluster| {
            let last = cluster.pointer("/load_assignment/endpoints");
            let last = last.and_then(Value::as_array).and_then(|all| all.last());
            // Envoy ejects one host of any number.
            hosts_in_p0(cluster) > 4 && last.is_some_and(|last| last["priority"].is_u64())
        })?;
        cluster.as_object_mut()?.remove("health_checks");
        cluster["outlier_detection"] = json!({"max_ejection_percent": 1});
        Some(())
    }),
    fault("logical-dns-one-host", |config, dice| {
        let cluster = service(config, dice)?.as_object_mut()?;
        let address = json!({"socket_address": {"address": "shop.example", "port_value": 80}});
        let host = json!({"lb_endpoints": [{"endpoint": {"address": address}}]});
        cluster["load_assignment"]["endpoints"] = json!([host]);
        cluster.remove("eds_cluster_config");
        cluster.insert("type".into(), json!("LOGICAL_DNS"));
        cluster.insert("outlier_detection".into(), json!({"consecutive_5xx": 5}));
        Some(())
    }),
    fault("hash-lb-no-hash-policy", |config, _| {
        let mut removed = false;
        for route in routes(config)? {
            if let Some(action) = route["route"].as_object_mut() {
                removed |= action.remove("hash_policy").is_some();
            }
        }
        removed.then_some(())
    }),
    fault("hash-policy-unused", |config, dice| {
        let name = find(config, |cluster| cluster["lb_policy"] == "ROUND_ROBIN")?["name"].clone();
        let header = dice.one(&["x-user", "x-tenant", "cookie-id"]);
        for route in routes(config)? {
            if route["route"]["cluster"] == name {
                route["route"]["hash_policy"] = json!([{"header": {"header_name": header}}]);
                return Some(());
            }
        }
        None
    }),
    fault("maglev-table-small", |config, _| {
        let cluster = find(config, |cluster| {
            cluster["lb_policy"] == "MAGLEV" && hosts_in_p0(cluster) > 2
        })?;
        cluster["maglev_lb_config"] = json!({"table_size": 2});
        Some(())
    }),
    fault("random-ignores-weights", |config, dice| {
        let cluster = find(config, |cluster| cluster["lb_policy"] == "RANDOM")?;
        let weight = dice.between(2, 9);
        localities(cluster)?[0]["lb_endpoints"][0]["load_balancing_weight"] = json!(weight);
        Some(())
    }),
    fault("locality-weights-unused", |config, _| {
        let cluster = find(config, |cluster| {
            cluster["common_lb_config"]["locality_weighted_lb_config"].is_object()
                && differ(cluster)
        })?;
        cluster.as_object_mut()?.remove("common_lb_config");
        Some(())
    }),
    fault("locality-weight-missing", |config, dice| {
        let cluster = find(config, |cluster| {
            cluster["common_lb_config"]["locality_weighted_lb_config"].is_object()
        })?;
        let localities = localities(cluster)?;
        let at = dice.below(localities.len());
        localities[at]
            .as_object_mut()?
            .remove("load_balancing_weight");
        Some(())
    }),
    fault("zone-aware-no-local-cluster", |config, _| {
        find(config, |cluster| {
            cluster["common_lb_config"]["zone_aware_lb_config"].is_object()
        })?;
        config.as_object_mut()?.remove("cluster_manager").map(drop)
    }),
    fault("subset-route-keys-not-selectable", |config, dice| {
        let key = dice.one(&["tenant", "stagee", "Stage"]);
        *criteria(config)? = json!({key: "prod"});
        Some(())
    }),
    fault("subset-value-type-mismatch", |config, _| {
        let cluster = subset_cluster(config)?;
        for host in all_hosts(cluster)? {
            host["metadata"]["filter_metadata"]["envoy.lb"]["stage"] = json!(1);
        }
        *criteria(config)? = json!({"stage": "1"});
        Some(())
    }),
    fault("subset-selector-no-host", |config, dice| {
        let key = dice.one(&["tenant", "versions", "zone"]);
        let selectors = &mut subset_cluster(config)?["lb_subset_config"]["subset_selectors"];
        selectors.as_array_mut()?.push(json!({"keys": [key]}));
        Some(())
    }),
    fault("subset-selector-duplicate", |config, _| {
        let selectors = &mut subset_cluster(config)?["lb_subset_config"]["subset_selectors"];
        selectors.as_array_mut()?.push(json!({"keys": ["stage"]}));
        Some(())
    }),
    fault("subset-default-empty", |config, dice| {
        let stage = dice.one(&["Prod", "production", "dev"]);
        let subsets = &mut subset_cluster(config)?["lb_subset_config"];
        subsets["fallback_policy"] = json!("DEFAULT_SUBSET");
        subsets["default_subset"] = json!({"stage": stage});
        Some(())
    }),
    fault("subset-list-value", |config, _| {
        for host in all_hosts(subset_cluster(config)?)? {
            host["metadata"]["filter_metadata"]["envoy.lb"]["stage"] = json!(["prod", "canary"]);
        }
        Some(())
    }),
    fault("override-host-untrusted-header", |config, _| {
        let filters = manager(config)?["http_filters"].as_array_mut()?;
        let protected = |filter: &Value| {
            filter["name"] == "spillgate" || filter["name"] == "envoy.filters.http.header_mutation"
        };
        let at = filters.iter().position(protected)?;
        filters.remove(at);
        Some(())
    }),
    fault("steered-list-unread", |config, _| {
        let name = steered(config)?;
        let clusters = json!([{"name": name}]);
        let output = json!({"host_header": "x-other"});
        steer(
            config,
            &json!({"clusters": clusters, "target": name, "output": output}),
        )
    }),
    fault("steered-poll-blocked", |config, _| {
        let health = json!({"source": "admin", "cluster": "gone"});
        steer(
            config,
            &json!({"clusters": [], "target": "service-0", "health": health}),
        )
    }),
    fault("steered-cluster-ignored", |config, _| {
        let name = steered(config)?;
        let clusters = json!([{"name": name}, {"name": "other"}]);
        let weighted = json!([{"cluster": name, "weight": 1}, {"cluster": "other", "weight": 1}]);
        steer(config, &json!({"clusters": clusters, "weighted": weighted}))
    }),
    fault("steered-health-static", |config, _| {
        let name = steered(config)?;
        let cluster = find(config, |cluster| cluster["name"] == name)?;
        cluster["outlier_detection"] = json!({"max_ejection_percent": 50});
        steer(
            config,
            &json!({"clusters": [{"name": name}], "target": name}),
        )
    }),
    fault("steered-criteria-missing", |config, _| {
        let name = steered(config)?;
        for host in all_hosts(find(config, |cluster| cluster["name"] == name)?)? {
            host["metadata"] = json!({"filter_metadata": {"envoy.lb": {"tier": "gold"}}});
        }
        let mut routes = routes(config)?.iter_mut();
        let route = routes.find(|route| route["route"]["cluster"] == name)?;
        route["route"]["metadata_match"] =
            json!({"filter_metadata": {"envoy.lb": {"tier": "gold"}}});
        steer(
            config,
            &json!({"clusters": [{"name": name}], "target": name}),
        )
    }),
    fault("steered-chain-open", |config, _| {
        let settings = json!({
            "clusters": [],
            "target": "service-0",
            "criteria": [{"key": "tenant", "header": "x-tenant"}],
            "subset_chain": [{"keys": ["tenant"]}, {"any": true}],
            "health": {"source": "admin", "cluster": "admin", "on_unknown": "refuse"},
        });
        steer(config, &settings)
    }),
    fault("affinity-aggregate-ignored", |config, _| {
        find(config, |cluster| cluster["name"] == "all")?;
        with_session(config, |route| route["route"]["cluster"] == "all")
    }),
    fault("affinity-weighted-clusters", |config, _| {
        // A split by hash keeps a client at one cluster.
        with_session(config, |route| {
            let action = &route["route"];
            action["weighted_clusters"].is_object() && action["hash_policy"].is_null()
        })
    }),
    fault("route-unreachable", |config, dice| {
        let numerator = dice.one(&["30", "50"]).parse::<u32>().ok()?;
        let routes = routes(config)?;
        let mut route = routes.first()?.clone();
        route["match"]["runtime_fraction"] = json!({"default_value": {"numerator": numerator}});
        routes.insert(0, route.clone());
        routes.insert(0, route);
        Some(())
    }),
    fault("route-unreachable", |config, dice| {
        let first = dice.one(&["/", "/a", ""]);
        let target = |prefix| json!({"match": {"prefix": prefix}, "cluster": "service-0"});
        let settings = json!({
            "clusters": [{"name": "service-0"}],
            "targets": [target(first), target("/a/b")],
            "health": {"source": "admin", "cluster": "admin"},
        });
        steer(config, &settings)
    }),
    fault("hash-weighted-clusters", |config, _| {
        for route in routes(config)? {
            let split = &mut route["route"]["weighted_clusters"];
            if let Some(split) = split.as_object_mut() {
                return split.remove("use_hash_policy").map(drop);
            }
        }
        None
    }),
    fault("session-ttl-subsecond", |config, dice| {
        let ttl = dice.one(&["0.5s", "0.999s", "0.001s"]);
        let mut routes = routes(config)?.iter();
        routes.find(|route| route["typed_per_filter_config"].is_null())?;
        let filters = manager(config)?["http_filters"].as_array_mut()?;
        let mut sessions = filters.iter_mut();
        let session = sessions.find(|f| f["name"] == "envoy.filters.http.stateful_session")?;
        let cookie = session.pointer_mut("/typed_config/session_state/typed_config/cookie")?;
        cookie["ttl"] = json!(ttl);
        Some(())
    }),
    fault("affinity-status-unlisted", |config, dice| {
        let cluster = service(config, dice)?;
        let name = cluster["name"].clone();
        let statuses = dice.one(&[json!(["HEALTHY"]), json!(["HEALTHY", "DEGRADED"])]);
        cluster["common_lb_config"]["override_host_status"] = json!({"statuses": statuses});
        with_session(config, |route| route["route"]["cluster"] == name)
    }),
    fault("retries-repeat-failed-host", |config, _| {
        let sessions = manager(config)?["http_filters"].as_array()?.iter();
        if sessions.count() > 1 {
            return None;
        }
        let cluster = find(config, |cluster| {
            let hashes = cluster["lb_policy"] == "MAGLEV" || cluster["lb_policy"] == "RING_HASH";
            hashes && cluster["lb_subset_config"].is_null() && hosts_in_p0(cluster) > 1
        })?;
        cluster.as_object_mut()?.remove("outlier_detection");
        cluster["health_checks"] = checks(2, 1);
        let name = cluster["name"].clone();
        let mut routes = routes(config)?.iter_mut();
        let route = routes.find(|route| route["route"]["cluster"] == name)?;
        route["route"]["retry_policy"] = json!({"retry_on": "reset,connect-failure"});
        Some(())
    }),
    fault("health-check-standby-slow", |config, _| {
        let name = members(config)?.last()?.clone();
        let cluster = find(config, |cluster| cluster["name"] == name)?;
        cluster["health_checks"] = checks(2, 1);
        let name = name.as_str()?;
        routes(config)?.retain(|route| !route["route"].to_string().contains(name));
        Some(())
    }),
    fault("health-check-threshold-zero", |config, dice| {
        let (unhealthy, healthy) = dice.one(&[(0, 1), (2, 0)]);
        service(config, dice)?["health_checks"] = checks(unhealthy, healthy);
        Some(())
    }),
    fault("health-check-single-result", |config, _| {
        let cluster = find(config, |cluster| hosts_in_p0(cluster) > 1)?;
        cluster["health_checks"] = checks(1, 1);
        Some(())
    }),
    fault("outlier-ejection-cut-short", |config, dice| {
        let cluster = service(config, dice)?;
        cluster["health_checks"] = checks(2, 1);
        cluster["outlier_detection"] =
            json!({"base_ejection_time": "60s", "max_ejection_percent": 100});
        Some(())
    }),
    fault("outlier-ejection-until-sweep", |config, dice| {
        let cluster = service(config, dice)?;
        cluster.as_object_mut()?.remove("health_checks");
        cluster["outlier_detection"] =
            json!({"base_ejection_time": "5s", "max_ejection_percent": 100});
        Some(())
    }),
    fault("outlier-threshold-unused", |config, dice| {
        let field = dice.one(&[
            "consecutive_gateway_failure",
            "failure_percentage_threshold",
        ]);
        service(config, dice)?["outlier_detection"] = json!({field: 3});
        Some(())
    }),
    fault("outlier-too-few-hosts", |config, dice| {
        service(config, dice)?["outlier_detection"] =
            json!({"success_rate_minimum_hosts": 1000, "max_ejection_percent": 100});
        Some(())
    }),
    fault(READER, |config, dice| {
        let policy = dice.one(&["ROUNDROBIN", "ring_hash", "LEAST_CONN"]);
        let cluster = find(config, |cluster| cluster["lb_policy"].is_string())?;
        cluster["lb_policy"] = json!(policy);
        Some(())
    }),
    fault(READER, |config, dice| {
        let field = dice.one(&["lb_polciy", "outlier_detections", "priority"]);
        service(config, dice)?[field] = json!("ROUND_ROBIN");
        Some(())
    }),
    fault(READER, |config, dice| {
        let port = dice.one(&[json!(70_000), json!(-1), json!("http")]);
        let host = &mut localities(service(config, dice)?)?[0]["lb_endpoints"][0];
        host["endpoint"]["address"]["socket_address"]["port_value"] = port;
        Some(())
    }),
    fault(READER, |config, dice| {
        let weight = dice.one(&[json!(-3), json!("three"), json!(1.5)]);
        let host = &mut localities(service(config, dice)?)?[0]["lb_endpoints"][0];
        host["load_balancing_weight"] = weight;
        Some(())
    }),
    fault(READER, |config, dice| {
        let again = service(config, dice)?.clone();
        clusters(config)?.push(again);
        Some(())
    }),
    fault(READER, |config, dice| {
        let cluster = service(config, dice)?;
        cluster["common_lb_config"]["healthy_panic_threshold"] = json!({"value": 150});
        Some(())
    }),
];

/// Health checks with these thresholds.
fn checks(unhealthy: u32, healthy: u32) -> Value {
    json!([{"timeout": "1s", "interval": "5s", "unhealthy_threshold": unhealthy,
        "healthy_threshold": healthy, "tcp_health_check": {}}])
}

fn clusters(config: &mut Value) -> Option<&mut Vec<Value>> {
    config["static_resources"]["clusters"].as_array_mut()
}

fn find(config: &mut Value, wanted: impl Fn(&Value) -> bool) -> Option<&mut Value> {
    clusters(config)?.iter_mut().find(|cluster| wanted(cluster))
}

/// A cluster with hosts that requests reach.
fn service<'a>(config: &'a mut Value, dice: &mut Dice) -> Option<&'a mut Value> {
    let name = |cluster: &Value| {
        let name = cluster["name"].as_str().map(str::to_owned);
        name.filter(|name| name.starts_with("service-"))
    };
    let names: Vec<String> = clusters(config)?.iter().filter_map(name).collect();
    let chosen = dice.one(&names);
    find(config, |cluster| cluster["name"] == chosen)
}

/// A cluster with subsets that is the target of a route with criteria.
fn subset_cluster(config: &mut Value) -> Option<&mut Value> {
    let mut targets = routes(config)?.iter();
    let target = targets.find(|route| route["route"]["metadata_match"].is_object())?;
    let name = target["route"]["cluster"].clone();
    find(config, |cluster| {
        cluster["name"] == name && cluster["lb_subset_config"].is_object()
    })
}

fn criteria(config: &mut Value) -> Option<&mut Value> {
    let subsets: Vec<Value> = clusters(config)?
        .iter()
        .filter(|cluster| cluster["lb_subset_config"].is_object())
        .map(|cluster| cluster["name"].clone())
        .collect();
    let mut routes = routes(config)?.iter_mut();
    let route = routes.find(|route| {
        route["route"]["metadata_match"].is_object() && subsets.contains(&route["route"]["cluster"])
    })?;
    Some(&mut route["route"]["metadata_match"]["filter_metadata"]["envoy.lb"])
}

fn members(config: &mut Value) -> Option<&mut Vec<Value>> {
    let aggregate = find(config, |cluster| cluster["name"] == "all")?;
    aggregate["cluster_type"]["typed_config"]["clusters"].as_array_mut()
}

fn localities(cluster: &mut Value) -> Option<&mut Vec<Value>> {
    cluster["load_assignment"]["endpoints"].as_array_mut()
}

fn places(cluster: &Value) -> usize {
    let endpoints = cluster.pointer("/load_assignment/endpoints");
    endpoints.and_then(Value::as_array).map_or(0, Vec::len)
}

fn hosts_in_p0(cluster: &Value) -> usize {
    let endpoints = cluster.pointer("/load_assignment/endpoints");
    let first = endpoints
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|locality| locality["priority"].is_null());
    first
        .map(|locality| locality["lb_endpoints"].as_array().map_or(0, Vec::len))
        .sum()
}

/// Whether the localities of P0 have different weights.
fn differ(cluster: &Value) -> bool {
    let endpoints = cluster.pointer("/load_assignment/endpoints");
    let mut weights: Vec<u64> = endpoints
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|locality| locality["priority"].is_null())
        .filter_map(|locality| locality["load_balancing_weight"].as_u64())
        .collect();
    weights.sort_unstable();
    weights.dedup();
    weights.len() > 1
}

fn all_hosts(cluster: &mut Value) -> Option<impl Iterator<Item = &mut Value>> {
    let localities = localities(cluster)?.iter_mut();
    Some(localities.flat_map(|locality| {
        locality["lb_endpoints"]
            .as_array_mut()
            .into_iter()
            .flatten()
    }))
}

fn manager(config: &mut Value) -> Option<&mut Value> {
    config.pointer_mut("/static_resources/listeners/0/filter_chains/0/filters/0/typed_config")
}

fn routes(config: &mut Value) -> Option<&mut Vec<Value>> {
    manager(config)?["route_config"]["virtual_hosts"][0]["routes"].as_array_mut()
}

/// Adds a session filter and enables it on a route.
fn with_session(config: &mut Value, wanted: impl Fn(&Value) -> bool) -> Option<()> {
    let route = routes(config)?.iter_mut().find(|route| wanted(route))?;
    route.as_object_mut()?.remove("typed_per_filter_config");
    let filters = manager(config)?["http_filters"].as_array_mut()?;
    let name = "envoy.filters.http.stateful_session";
    if filters.iter().all(|filter| filter["name"] != name) {
        filters.insert(0, crate::sensible::session("3600s"));
    }
    Some(())
}

/// Configures the Spillgate filter.
fn steer(config: &mut Value, settings: &Value) -> Option<()> {
    let mut filters = manager(config)?["http_filters"].as_array_mut()?.iter_mut();
    let ours = filters.find(|filter| filter["name"] == "spillgate")?;
    ours["typed_config"]["config"]["configuration"]["value"] = json!(settings.to_string());
    Some(())
}

/// The name of a cluster that reads a host list and has a route of its own.
fn steered(config: &mut Value) -> Option<String> {
    let policy = "/load_balancing_policy/policies/0/typed_extension_config/name";
    let reads =
        |cluster: &Value| cluster.pointer(policy).and_then(Value::as_str) == Some("override_host");
    let name = find(config, |cluster| reads(cluster))?["name"].clone();
    let mut routes = routes(config)?.iter();
    routes.find(|route| route["route"]["cluster"] == name)?;
    Some(name.as_str()?.to_owned())
}
