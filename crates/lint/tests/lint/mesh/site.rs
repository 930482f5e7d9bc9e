//! Random meshes without faults.

use serde_json::{Value, json};
use spillgate_testkit::models::Dice;

/// The documents of a mesh of Kuma or Istio. The policy or DestinationRule is the first one.
pub(super) fn site(seed: u64) -> Vec<Value> {
    let mut dice = Dice::new(seed);
    match seed % 2 {
        0 => kuma(&mut dice),
        _ => istio(&mut dice),
    }
}

/// The name of a zone of Kuma.
pub(super) fn zone(number: usize) -> String {
    format!("zone-{number}")
}

fn kuma(dice: &mut Dice) -> Vec<Value> {
    let zones = dice.between(2, 5);
    let mut rules = Vec::new();
    for number in 1..zones {
        // Each rule takes another zone; all of them are for all proxies.
        rules.push(json!({"to": {"type": "Only", "zones": [zone(number)]}}));
    }
    if dice.below(2) == 0 {
        rules.push(json!({"to": {"type": "Any"}}));
    }
    let percentage = dice.one(&[json!(100), json!(50), json!("12.5"), json!(25)]);
    let tags = match dice.below(3) {
        0 => json!([]),
        1 => json!([{"key": "k8s.io/node"}, {"key": "k8s.io/az"}]),
        _ => json!([{"key": "k8s.io/node", "weight": 90}, {"key": "k8s.io/az", "weight": 9}]),
    };
    let balancer = if tags.as_array().unwrap().is_empty() {
        dice.one(&["RoundRobin", "Maglev", "RingHash"])
    } else {
        dice.one(&["RoundRobin", "LeastRequest", "Random"])
    };
    let mut documents = vec![json!({
        "type": "MeshLoadBalancingStrategy", "name": "policy", "mesh": "default",
        "spec": {"to": [{
            "targetRef": {"kind": "Mesh"},
            "default": {
                "localityAwareness": {
                    "localZone": {"affinityTags": tags},
                    "crossZone": {"failover": rules, "failoverThreshold": {"percentage": percentage}},
                },
                "loadBalancer": {"type": balancer},
            },
        }]},
    })];
    for number in 1..=zones {
        for host in 0..dice.between(1, 4) {
            documents.push(json!({
                "type": "Dataplane", "name": format!("shop-{number}-{host}"), "mesh": "default",
                "networking": {"address": format!("10.{number}.0.{host}"), "inbound": [{
                    "port": 8080,
                    "tags": {
                        "kuma.io/service": "shop", "kuma.io/zone": zone(number),
                        "k8s.io/node": format!("node-{host}"), "k8s.io/az": format!("az-{}", host % 2),
                    },
                }]},
            }));
        }
    }
    documents.push(json!({"type": "MeshHealthCheck", "name": "health", "mesh": "default"}));
    documents
}

fn istio(dice: &mut Dice) -> Vec<Value> {
    let setting = match dice.below(4) {
        0 => json!({"failover": [{"from": "eu", "to": "us"}, {"from": "us", "to": "asia"}]}),
        1 => json!({"failoverPriority": ["topology.kubernetes.io/region", "version"]}),
        2 => json!({"distribute": [
            {"from": "eu/*", "to": {"eu/a": 60, "eu/b": 30, "us/*": 10}},
            {"from": "us/*", "to": {"us/*": 80, "asia/*": 20}},
            {"from": "asia/*", "to": {"asia/*": 80, "us/*": 20}},
        ]}),
        _ => json!({"enabled": true}),
    };
    let simple = dice.one(&["ROUND_ROBIN", "LEAST_REQUEST"]);
    let mut endpoints = Vec::new();
    for (number, locality) in ["eu/a", "eu/b", "us/a", "asia/a"].iter().enumerate() {
        for host in 0..dice.between(1, 4) {
            endpoints.push(json!({
                "address": format!("10.{number}.0.{host}"), "locality": locality,
                "weight": dice.between(1, 5), "labels": {"version": format!("v{}", host % 2)},
            }));
        }
    }
    vec![
        json!({
            "apiVersion": "networking.istio.io/v1", "kind": "DestinationRule",
            "metadata": {"name": "shop", "namespace": "default"},
            "spec": {"host": "shop.example.com", "trafficPolicy": {
                "loadBalancer": {"simple": simple, "localityLbSetting": setting},
                "outlierDetection": {
                    "consecutive5xxErrors": dice.between(2, 9), "maxEjectionPercent": 100,
                },
            }},
        }),
        json!({
            "apiVersion": "networking.istio.io/v1", "kind": "ServiceEntry",
            "metadata": {"name": "shop", "namespace": "default"},
            "spec": {
                "hosts": ["shop.example.com"], "resolution": "STATIC", "location": "MESH_INTERNAL",
                "ports": [{"number": 80, "name": "http", "protocol": "HTTP"}],
                "endpoints": endpoints,
            },
        }),
    ]
}
