//! Istio documents of any seed: a service in several localities, with a DestinationRule and a
//! VirtualService as operators write them, and which of its hosts are unhealthy.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use spillgate_core::draw::{Draw as _, SplitMix64};

/// How many seeds the test measures.
pub const ISTIO_CONVERSIONS: u64 = 50;

/// The header of the hash policies; every request has another value.
const HASH_HEADER: &str = crate::config::KEY_HEADER;

const LOCALITIES: [&str; 5] = ["eu/a/1", "eu/a/2", "eu/b/1", "us/c/1", "ap/d/1"];
const HOST: &str = "shop.example";
const API: &str = "networking.istio.io/v1";

/// The documents of a seed.
#[derive(Debug, Clone)]
pub struct RandomIstioMesh {
    /// All documents: ServiceEntries, a DestinationRule, perhaps a VirtualService.
    pub documents: Vec<Value>,
    /// The proxy that sends the requests, in the short form.
    pub proxy: Value,
    /// Address and locality of each host.
    pub hosts: Vec<(String, String)>,
    /// The hosts that are unhealthy, by address.
    pub lost: BTreeSet<String>,
}

impl RandomIstioMesh {
    /// The documents of this seed, with hosts at this port of addresses of this machine.
    #[must_use]
    pub fn new(seed: u64, port: u16) -> Self {
        let mut draw = SplitMix64::new(seed);
        let mut drawn = Drawn(&mut draw);
        let mut made = Self {
            documents: Vec::new(),
            proxy: json!({
                "locality": drawn.one_of(&LOCALITIES),
                "labels": {"node": drawn.one_of(&["n1", "n2"]), "tier": "web"},
                "namespace": "default",
            }),
            hosts: Vec::new(),
            lost: BTreeSet::new(),
        };
        for entry in 0..1 + drawn.below(2) {
            let service = made.service_entry(&mut drawn, entry, port);
            made.documents.push(service);
        }
        made.documents.push(destination_rule(&mut drawn));
        made.documents.extend(virtual_service(&mut drawn));
        // A third of the cases has all hosts, the others lose each one with the same probability.
        let of_ten = [0, 3, 6][drawn.below(3)];
        for (address, _) in &made.hosts {
            if drawn.below(10) < of_ten {
                made.lost.insert(address.clone());
            }
        }
        made
    }

    /// A ServiceEntry of the host with one to six endpoints; a second one adds its endpoints.
    fn service_entry(&mut self, drawn: &mut Drawn<'_>, entry: usize, port: u16) -> Value {
        let endpoints = (0..1 + drawn.below(6)).map(|number| {
            let address = format!("127.{}.7.{}", 40 + entry, 1 + number);
            let locality = drawn.one_of(&LOCALITIES);
            self.hosts
                .push((format!("{address}:{port}"), locality.to_owned()));
            let mut endpoint = json!({
                "address": address,
                "locality": locality,
                "labels": {
                    "version": drawn.one_of(&["v1", "v2"]),
                    "node": drawn.one_of(&["n1", "n2"]),
                    "tier": drawn.one_of(&["web", "batch"]),
                },
            });
            if drawn.below(3) == 0 {
                endpoint["weight"] = (1 + drawn.below(4)).into();
            }
            endpoint
        });
        let endpoints: Vec<Value> = endpoints.collect();
        json!({
            "apiVersion": API,
            "kind": "ServiceEntry",
            "metadata": {"name": format!("shop-{entry}"), "namespace": "default"},
            "spec": {
                "hosts": [HOST],
                "ports": [{"number": port, "name": "http", "protocol": "HTTP"}],
                "resolution": "STATIC",
                "location": "MESH_INTERNAL",
                "endpoints": endpoints,
            },
        })
    }
}

/// A DestinationRule with two subsets; the second one may have its own balancing.
fn destination_rule(drawn: &mut Drawn<'_>) -> Value {
    let mut second = json!({"name": "v2", "labels": {"version": "v2"}});
    if drawn.below(3) == 0 {
        second["trafficPolicy"] = traffic_policy(drawn);
    }
    json!({
        "apiVersion": API,
        "kind": "DestinationRule",
        "metadata": {"name": "shop", "namespace": "default"},
        "spec": {
            "host": HOST,
            "trafficPolicy": traffic_policy(drawn),
            "subsets": [{"name": "v1", "labels": {"version": "v1"}}, second],
        },
    })
}

fn traffic_policy(drawn: &mut Drawn<'_>) -> Value {
    let mut balancer = match drawn.below(6) {
        0 => json!({"simple": "ROUND_ROBIN"}),
        1 => json!({"simple": "RANDOM"}),
        2 => json!({"consistentHash": {"httpHeaderName": HASH_HEADER}}),
        3 => json!({"consistentHash": {"httpHeaderName": HASH_HEADER, "maglev": {}}}),
        _ => json!({"simple": "LEAST_REQUEST"}),
    };
    if let Some(locality) = locality_setting(drawn) {
        balancer["localityLbSetting"] = locality;
    }
    let mut policy = json!({"loadBalancer": balancer});
    match drawn.below(4) {
        0 => {}
        1 => policy["outlierDetection"] = json!({"minHealthPercent": 50}),
        _ => policy["outlierDetection"] = json!({"consecutive5xxErrors": 7}),
    }
    policy
}

fn locality_setting(drawn: &mut Drawn<'_>) -> Option<Value> {
    match drawn.below(6) {
        0 => None,
        1 => Some(json!({"enabled": false})),
        2 => {
            let first = 10 + drawn.below(81);
            let to = json!({"eu/*": first, "us/*": 100 - first});
            Some(json!({"distribute": [{"from": "*", "to": to}]}))
        }
        3 => Some(json!({"distribute": [
            {"from": "eu/a/*", "to": {"eu/a/1": 60, "eu/a/2": 30, "eu/b/*": 10}},
            {"from": "us/*", "to": {"us/c/1": 100}},
        ]})),
        4 => Some(json!({"failover": [{"from": "eu", "to": "us"}, {"from": "us", "to": "ap"}]})),
        _ => Some(json!({"failoverPriority": ["node", "tier"]})),
    }
}

fn virtual_service(drawn: &mut Drawn<'_>) -> Option<Value> {
    // A tenth of the splits names a subset that no DestinationRule defines.
    let second = match drawn.below(10) {
        0 => "v3",
        _ => "v2",
    };
    let weight = 5 + drawn.below(91);
    let route = match drawn.below(4) {
        0 => return None,
        1 => json!([{"destination": {"host": HOST}}]),
        2 => json!([{"destination": {"host": HOST, "subset": second}}]),
        _ => json!([
            {"destination": {"host": HOST, "subset": "v1"}, "weight": weight},
            {"destination": {"host": HOST, "subset": second}, "weight": 100 - weight},
        ]),
    };
    Some(json!({
        "apiVersion": API,
        "kind": "VirtualService",
        "metadata": {"name": "shop", "namespace": "default"},
        "spec": {"hosts": [HOST], "http": [{"route": route}]},
    }))
}

/// Draws of one seed.
struct Drawn<'a>(&'a mut SplitMix64);

impl Drawn<'_> {
    fn below(&mut self, limit: usize) -> usize {
        (self.0.draw() % limit as u64) as usize
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

#[cfg(test)]
mod tests {
    use anyhow::{Result, ensure};

    use super::*;

    #[test]
    fn the_seeds_have_every_setting() -> Result<()> {
        let all: Vec<String> = (0..ISTIO_CONVERSIONS)
            .flat_map(|seed| RandomIstioMesh::new(seed, 8080).documents)
            .map(|document| document.to_string())
            .collect();
        for part in [
            "ROUND_ROBIN",
            "RANDOM",
            "LEAST_REQUEST",
            "maglev",
            "\"enabled\":false",
            "\"eu/*\"",
            "\"eu/a/*\"",
            "\"failover\"",
            "failoverPriority",
            "minHealthPercent",
            "consecutive5xxErrors",
            "\"subset\":\"v3\"",
            "shop-1",
        ] {
            ensure!(all.iter().any(|text| text.contains(part)), "no {part}");
        }
        Ok(())
    }
}
