//! `spillgate split --client grpc` compared with gRPC's own client: generated clusters, endpoints and
//! aggregates, with the shares of hosts and the errors of rejected resources.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_conformance::chi_square::SIGNIFICANCE;
use spillgate_e2e::{CalledHosts, GrpcPeer, Workdir, chi_square_p, eventually, spillgate};

const CONFIGURATIONS: u64 = 20;
/// Hosts of each configuration, at most.
const HOSTS: usize = 14;
/// Requests of each measurement.
const REQUESTS: u64 = 1_000;
/// Requests between two looks at the hosts that have answered.
const BATCH: u64 = 50;
/// Requests with a hash.
const KEYS: u64 = 40;
const LIMIT: Duration = Duration::from_secs(30);
const TYPES: &str = "type.googleapis.com/envoy";
const POLICIES: &str = "type.googleapis.com/envoy.extensions.load_balancing_policies";

#[test]
fn grpc_serves_generated_resources_as_predicted() -> Result<()> {
    let workdir = Workdir::new("grpc_shares")?;
    let mut misfits = Vec::new();
    let (mut rejected, mut failing, mut not_known) = (0, 0, 0);
    for seed in 0..CONFIGURATIONS {
        let mut peer = GrpcPeer::start(&workdir)?;
        let hosts = peer.hosts(HOSTS)?;
        let resources = Generator::new(seed).resources(hosts);
        let cluster = predicted(&workdir, &resources)?;
        if cluster["unknown"].is_string() {
            not_known += 1;
            continue;
        }
        let with_listener: Vec<Value> = [listener()].into_iter().chain(resources).collect();
        let misfit = match cluster["rejected"].as_str() {
            Some(why) => {
                rejected += 1;
                refused(&mut peer, &with_listener, why)?
            }
            None => {
                let shares = Shares::of(&cluster)?;
                failing += u64::from(shares.no_host > 0.0);
                let is_aggregate = cluster["kind"] == "aggregate";
                shares.misfit(&mut peer, &with_listener, is_aggregate)?
            }
        };
        misfits.extend(misfit.map(|misfit| format!("seed {seed}: {misfit}\n{with_listener:#?}")));
    }
    ensure!(misfits.is_empty(), "{misfits:#?}");
    // Generated configurations of only one kind would prove little.
    ensure!(rejected > 1 && failing > 1, "{rejected}, {failing}");
    ensure!(
        rejected + failing + not_known < CONFIGURATIONS / 2,
        "{rejected}, {failing}, {not_known}"
    );
    Ok(())
}

/// The cluster `shop` of `split --client grpc`.
fn predicted(workdir: &Workdir, resources: &[Value]) -> Result<Value> {
    let path = workdir.write("xds.json", &json!({"resources": resources}).to_string())?;
    let path = path.to_str().context("a path in UTF-8")?;
    let options = ["--client", "grpc", "--cluster", "shop", "--format", "json"];
    let done = spillgate(["split", path].into_iter().chain(options))?;
    let mut answer: Value = serde_json::from_str(&done.output)?;
    Ok(answer["clusters"][0].take())
}

/// Predicted shares in percent.
struct Shares {
    hosts: BTreeMap<String, f64>,
    no_host: f64,
}

impl Shares {
    fn of(cluster: &Value) -> Result<Self> {
        let endpoints = cluster["endpoints"].as_array().context("no shares")?;
        let mut hosts = BTreeMap::new();
        for endpoint in endpoints {
            let address = endpoint["address"].as_str().context("no address")?;
            let share = endpoint["share"].as_f64().context("no share")?;
            *hosts.entry(address.to_owned()).or_default() += share;
        }
        let no_host = cluster["no_host"].as_f64().context("no figure")?;
        Ok(Self { hosts, no_host })
    }

    /// How the client differs from the prediction. An aggregate passes over rejected members.
    fn misfit(
        &self,
        peer: &mut GrpcPeer,
        resources: &[Value],
        is_aggregate: bool,
    ) -> Result<Option<String>> {
        // The client asks for resources with its first request.
        let _ = peer.serve(resources);
        if self.no_host >= 100.0 {
            let called = peer.calls(3)?;
            return Ok((!called.hosts.is_empty()).then(|| format!("served: {called:?}")));
        }
        let with_share = self.hosts.iter().filter(|(_, share)| **share > 0.0);
        let mut missing: BTreeSet<&String> = with_share.map(|(host, _)| host).collect();
        eventually("every host to answer", LIMIT, || {
            let called = peer.calls(BATCH)?;
            missing.retain(|host| !called.hosts.contains_key(*host));
            Ok(missing.is_empty().then_some(()))
        })?;
        if !is_aggregate {
            peer.serve(resources)?;
        }
        let called = peer.calls(REQUESTS)?;
        let probability = self.probability(&called)?;
        let fits = probability >= SIGNIFICANCE;
        let misfit = || {
            format!(
                "p = {probability:.1e}, expected {:?}, {called:?}",
                self.hosts
            )
        };
        Ok((!fits).then(misfit))
    }

    fn probability(&self, called: &CalledHosts) -> Result<f64> {
        let addresses: BTreeSet<&String> = self.hosts.keys().chain(called.hosts.keys()).collect();
        let cells = addresses.into_iter().map(|address| {
            let count = called.hosts.get(address).copied().unwrap_or(0);
            (count, self.hosts.get(address).copied().unwrap_or(0.0))
        });
        let errors = (called.errors.values().sum(), self.no_host);
        let cells: Vec<(u64, f64)> = cells.chain([errors]).collect();
        chi_square_p(&cells)
    }
}

/// Whether gRPC refuses the resources for another reason, or serves a request.
fn refused(peer: &mut GrpcPeer, resources: &[Value], why: &str) -> Result<Option<String>> {
    let _ = peer.serve(resources);
    let first = peer.call(None)?;
    if let Ok(called) = first {
        return Ok(Some(format!("served by {called:?} instead of {why}")));
    }
    let error = peer.serve(resources).err();
    let error = error.map_or_else(String::new, |error| error.to_string());
    // The answer quotes the text of the client.
    let escaped = serde_json::to_string(why)?;
    let known = error.replace("INVALID_ARGUMENT: ", "");
    let found = known.contains(escaped.trim_matches('"'));
    Ok((!found).then(|| format!("expected {why}, found {error}")))
}

/// A request with a hash has the host that `explain --client grpc` names (A42).
#[test]
fn grpc_hashes_requests_to_the_predicted_hosts() -> Result<()> {
    let workdir = Workdir::new("grpc_hash")?;
    let mut peer = GrpcPeer::start(&workdir)?;
    let hosts = peer.hosts(6)?;
    let mut cluster = Generator::new(0).cluster("shop");
    cluster["lb_policy"] = json!("RING_HASH");
    let zones = hosts.chunks(3).enumerate().map(|(number, hosts)| {
        json!({
            "locality": {"zone": format!("z{number}")},
            "load_balancing_weight": number + 1,
            "lb_endpoints": hosts.iter().map(|host| endpoint(host)).collect::<Vec<Value>>(),
        })
    });
    let assignment = json!({
        "@type": format!("{TYPES}.config.endpoint.v3.ClusterLoadAssignment"),
        "cluster_name": "shop",
        "endpoints": zones.collect::<Vec<Value>>(),
    });
    let mut listener = listener();
    let connections = &mut listener["api_listener"]["api_listener"];
    connections["route_config"]["virtual_hosts"][0]["routes"][0]["route"]["hash_policy"] =
        json!([{"header": {"header_name": "cookie"}}]);
    let resources = [listener, cluster, assignment];
    let path = workdir.write("xds.json", &json!({"resources": resources}).to_string())?;
    let path = path.to_str().context("a path in UTF-8")?;
    // The client asks for resources with its first request.
    let _ = peer.serve(&resources);
    let mut used = BTreeSet::new();
    for number in 0..KEYS {
        let key = format!("user={number}");
        let options = ["--cluster", "shop", "--client", "grpc", "--format", "json"]
            .into_iter()
            .chain(["--hash-key", &key]);
        let done = spillgate(["explain", path].into_iter().chain(options))?;
        let answer: Value = serde_json::from_str(&done.output)?;
        let predicted = &answer["grpc"][0]["distribution"];
        let expected = predicted[0]["endpoint"].as_str().context("no host")?;
        let called = eventually("a request to succeed", LIMIT, || {
            Ok(peer.call(Some(&key))?.ok())
        })?;
        ensure!(
            called.host == expected,
            "{key}: {called:?}, expected {predicted}"
        );
        used.insert(called.host);
    }
    ensure!(used.len() > 2, "{used:?}");
    Ok(())
}

fn endpoint(host: &str) -> Value {
    let (address, port) = host.rsplit_once(':').unwrap_or((host, "0"));
    let port: u16 = port.parse().unwrap_or(0);
    json!({"endpoint": {"address": {"socket_address": {"address": address, "port_value": port}}}})
}

fn listener() -> Value {
    let router = json!({"@type": format!("{TYPES}.extensions.filters.http.router.v3.Router")});
    let route = json!({"match": {"prefix": ""}, "route": {"cluster": "shop"}});
    json!({
        "@type": format!("{TYPES}.config.listener.v3.Listener"),
        "name": "shop",
        "api_listener": {"api_listener": {
            "@type": format!("{TYPES}.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"),
            "route_config": {
                "name": "routes",
                "virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [route]}],
            },
            "http_filters": [{"name": "router", "typed_config": router}],
        }},
    })
}

/// Generates resources from a seed.
struct Generator {
    seed: u64,
    state: u64,
}

impl Generator {
    const fn new(seed: u64) -> Self {
        Self {
            seed,
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1),
        }
    }

    /// A number below `limit`.
    const fn below(&mut self, limit: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % limit
    }

    const fn one_of(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// A cluster `shop` with its endpoints; every fifth one is an aggregate with an aggregate in it.
    fn resources(&mut self, mut hosts: Vec<String>) -> Vec<Value> {
        let faulty = self.seed % 4 == 3;
        if self.seed % 5 != 4 {
            let cluster = self.cluster("shop");
            return vec![cluster, self.assignment("shop", &mut hosts, faulty)];
        }
        vec![
            aggregate("shop", &["inner", "second"]),
            aggregate("inner", &["first"]),
            self.cluster("first"),
            self.cluster("second"),
            self.assignment("first", &mut hosts, faulty),
            self.assignment("second", &mut hosts, false),
        ]
    }

    fn cluster(&mut self, name: &str) -> Value {
        let mut cluster = json!({
            "@type": format!("{TYPES}.config.cluster.v3.Cluster"),
            "name": name,
            "type": "EDS",
            "eds_cluster_config": {"eds_config": {"ads": {}}},
        });
        let round_robin = policies(vec![policy("round_robin.v3.RoundRobin", json!({}))]);
        let weighted = "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
        let weighted = policies(vec![policy(weighted, json!({}))]);
        match self.below(7) {
            0 | 1 => cluster["lb_policy"] = json!("RING_HASH"),
            2 => {
                let picking = json!({"endpoint_picking_policy": weighted});
                let wrapped = policies(vec![policy("wrr_locality.v3.WrrLocality", picking)]);
                cluster["load_balancing_policy"] = wrapped;
            }
            3 => cluster["load_balancing_policy"] = round_robin,
            4 if self.one_of(2) => cluster["lb_policy"] = json!("MAGLEV"),
            _ => {}
        }
        cluster
    }

    fn assignment(&mut self, name: &str, hosts: &mut Vec<String>, faulty: bool) -> Value {
        let mut endpoints = Vec::new();
        for number in 0..=self.below(3) {
            let gap = u64::from(faulty && self.one_of(3));
            for _ in 0..=self.below(3) {
                let zone = if faulty && self.one_of(5) {
                    0
                } else {
                    endpoints.len()
                };
                let mut locality = json!({
                    "locality": {"zone": format!("zone-{zone}")},
                    "priority": number + gap,
                    "lb_endpoints": self.hosts(number, hosts, faulty),
                });
                if !self.one_of(8) {
                    locality["load_balancing_weight"] = (self.below(5) + 1).into();
                }
                if faulty && self.one_of(20) {
                    locality["locality"] = Value::Null;
                }
                endpoints.push(locality);
            }
        }
        json!({
            "@type": format!("{TYPES}.config.endpoint.v3.ClusterLoadAssignment"),
            "cluster_name": name,
            "endpoints": endpoints,
        })
    }

    /// Up to three hosts, with any health and weight.
    fn hosts(&mut self, priority: u64, free: &mut Vec<String>, faulty: bool) -> Vec<Value> {
        let number = self.below(4);
        let mut endpoints = Vec::new();
        for _ in 0..number {
            let Some(address) = free.pop() else { break };
            if faulty && self.one_of(7) {
                // The next host has the same address.
                free.push(address.clone());
            }
            let serves = self.below(4) < 2 + priority.min(1);
            let statuses = if serves {
                ["HEALTHY", "UNKNOWN", "HEALTHY", "UNKNOWN"]
            } else {
                ["UNHEALTHY", "DRAINING", "TIMEOUT", "DEGRADED"]
            };
            let status = statuses[self.below(4) as usize];
            let (ip, port) = address.rsplit_once(':').unwrap_or((&address, "0"));
            let port: u16 = port.parse().unwrap_or(0);
            endpoints.push(json!({
                "health_status": status,
                "load_balancing_weight": self.below(4) + 1,
                "endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}},
            }));
        }
        endpoints
    }
}

fn policy(name: &str, settings: Value) -> Value {
    let mut config = settings;
    config["@type"] = format!("{POLICIES}.{name}").into();
    json!({"typed_extension_config": {"name": name, "typed_config": config}})
}

fn policies(list: Vec<Value>) -> Value {
    json!({"policies": list})
}

/// An aggregate in the form that Envoy and gRPC accept.
fn aggregate(name: &str, members: &[&str]) -> Value {
    json!({
        "@type": format!("{TYPES}.config.cluster.v3.Cluster"),
        "name": name,
        "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": format!("{TYPES}.extensions.clusters.aggregate.v3.ClusterConfig"),
                "clusters": members,
            },
        },
        "load_balancing_policy": policies(vec![
            policy("cluster_provided.v3.ClusterProvided", json!({})),
            policy("round_robin.v3.RoundRobin", json!({})),
        ]),
    })
}
