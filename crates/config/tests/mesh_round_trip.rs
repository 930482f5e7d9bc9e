//! The Envoy configuration of a mesh policy reads back as the same priority groups with the same
//! shares, for random policies, endpoints and points of view.

use std::{collections::BTreeMap, fmt::Write as _};

use spillgate_config::{
    envoy::{self, Format},
    mesh::{MeshKind, MeshOutbound, OutboundCluster, OutboundForm, PointOfView, read},
    write::envoy_yaml,
};
use spillgate_core::{
    model::{Metadata, Model},
    route::{ClientAddress, ConnectionManager, RouteTable},
    snapshot::Snapshot,
};
use spillgate_mesh::{Compat, MeshAssignment};
use spillgate_testkit::{amount, figure, models::Dice};

const ZONES: [&str; 4] = ["zone-1", "zone-2", "zone-3", "zone-4"];
const KEYS: [&str; 3] = ["k8s.io/node", "k8s.io/az", "rack"];

fn zones(dice: &mut Dice) -> String {
    let count = 1 + dice.below(2);
    let zones: Vec<&str> = (0..count).map(|_| ZONES[dice.below(ZONES.len())]).collect();
    zones.join(", ")
}

fn locality_awareness(dice: &mut Dice, out: &mut String) {
    if dice.below(12) == 0 {
        writeln!(out, "      localityAwareness: {{disabled: true}}").unwrap();
        return;
    }
    writeln!(out, "      localityAwareness:").unwrap();
    if dice.below(3) > 0 {
        writeln!(out, "        localZone:\n          affinityTags:").unwrap();
        let weighted = dice.below(2) == 0;
        for key in &KEYS[..1 + dice.below(3)] {
            let weight = if weighted {
                format!(", weight: {}", 1 + dice.below(99))
            } else {
                String::new()
            };
            writeln!(out, "          - {{key: {key}{weight}}}").unwrap();
        }
    } else {
        writeln!(out, "        localZone: {{}}").unwrap();
    }
    if dice.below(4) == 0 {
        return;
    }
    writeln!(out, "        crossZone:\n          failover:").unwrap();
    for _ in 0..1 + dice.below(3) {
        let to = match dice.below(5) {
            0 => "{type: Any}".to_owned(),
            1 => "{type: None}".to_owned(),
            2 => format!("{{type: AnyExcept, zones: [{}]}}", zones(dice)),
            _ => format!("{{type: Only, zones: [{}]}}", zones(dice)),
        };
        let from = match dice.below(3) {
            0 => format!("from: {{zones: [{}]}}, ", zones(dice)),
            _ => String::new(),
        };
        writeln!(out, "          - {{{from}to: {to}}}").unwrap();
    }
    if dice.below(2) == 0 {
        let percentage = [1, 25, 33, 50, 70, 100][dice.below(6)];
        writeln!(
            out,
            "          failoverThreshold: {{percentage: {percentage}}}"
        )
        .unwrap();
    }
}

/// A policy with its endpoints, as documents.
fn documents(dice: &mut Dice) -> String {
    let mut out = String::from(
        "type: MeshLoadBalancingStrategy\nname: p\nmesh: default\nspec:\n  to:\n  \
         - targetRef: {kind: Mesh}\n    default:\n",
    );
    locality_awareness(dice, &mut out);
    // Hash tables of many weights are slow to build, so they are rare.
    let balancer = [
        "RoundRobin",
        "LeastRequest",
        "Random",
        "RoundRobin",
        "Maglev",
    ];
    let balancer = match dice.below(10) {
        0 => "Maglev",
        _ => balancer[dice.below(4)],
    };
    match balancer {
        "Maglev" => out.push_str("      loadBalancer: {type: Maglev, maglev: {tableSize: 1009}}\n"),
        name => writeln!(out, "      loadBalancer: {{type: {name}}}").unwrap(),
    }
    let health = ["", ", health: UNHEALTHY", ", health: DEGRADED", ""];
    for number in 0..1 + dice.below(12) {
        let zone = ZONES[dice.below(ZONES.len())];
        let tags: Vec<String> = KEYS
            .iter()
            .map(|key| format!("{key}: v{}", dice.below(3)))
            .collect();
        let weight = 1 + dice.below(3);
        let health = health[dice.below(4)];
        writeln!(
            out,
            "---\naddress: 10.0.0.{number}:80\nservice: backend\nzone: {zone}\nweight: {weight}{}\n\
             tags: {{{}}}",
            health.replace(", ", "\n"),
            tags.join(", ")
        )
        .unwrap();
    }
    writeln!(
        out,
        "---\nname: caller\nzone: {}\ntags: {{k8s.io/node: v0, k8s.io/az: v1, rack: v2}}",
        ZONES[dice.below(ZONES.len())]
    )
    .unwrap();
    out
}

/// Priority, zone, sub-zone and address of each host.
type Placed = BTreeMap<String, (usize, String, String)>;

fn placed(cluster: &OutboundCluster, assignment: &MeshAssignment) -> Placed {
    let mut placed = Placed::new();
    for group in &assignment.groups {
        for &at in &group.endpoints {
            let place = (
                group.priority as usize,
                group.locality.zone.clone(),
                group.locality.sub_zone.clone(),
            );
            placed.insert(cluster.address(at).into(), place);
        }
    }
    placed
}

/// What a model has for a cluster: the place and the share of each host, and the requests without one.
fn found(model: &Model, name: &str) -> (Placed, BTreeMap<String, f64>, f64) {
    let mut placed = Placed::new();
    let mut shares = BTreeMap::new();
    let cluster = model.cluster(name).unwrap();
    let snapshot = Snapshot::build(model);
    let id = snapshot.cluster_id(name).unwrap();
    let split = snapshot.distribution_for(id, &Metadata::EMPTY, None);
    for (number, priority) in cluster.priorities().iter().enumerate() {
        for (index, host) in priority.endpoints.iter().enumerate() {
            let locality = &priority.localities[host.locality].locality;
            let place = (number, locality.zone.clone(), locality.sub_zone.clone());
            placed.insert(host.address.clone(), place);
            let share = split
                .shares
                .iter()
                .find(|share| (share.priority, share.host) == (number, index));
            shares.insert(host.address.clone(), share.map_or(0.0, |share| share.share));
        }
    }
    (placed, shares, split.no_host)
}

#[test]
fn a_written_configuration_has_the_same_groups_and_shares() {
    let policies = amount(300, 10_000);
    let mut repaired = 0;
    for seed in 0..policies {
        let mut dice = Dice::of(1, seed);
        let text = documents(&mut dice);
        let documents = read(&text, Format::Yaml, 0).unwrap_or_else(|f| panic!("{text}\n{f:#?}"));
        let compat = [Compat::Kuma, Compat::Madr][dice.below(2)];
        let form = [OutboundForm::Envoy, OutboundForm::Portable][dice.below(2)];
        let view = PointOfView::Name("caller".into());
        let outbound = MeshOutbound::new(&documents, MeshKind::Kuma, &view, compat).unwrap();
        let (model, listeners, _) = outbound.envoy(form).unwrap();
        let written = envoy_yaml(&model, &listeners).unwrap();
        let again = envoy::read(&written.text, Format::Yaml).unwrap();
        // The text needs a connection manager, which keeps the address of the connection.
        let client = ClientAddress::Connection {
            trusted_hops: 0,
            append: true,
        };
        let manager = ConnectionManager {
            client,
            ..ConnectionManager::default()
        };
        let routes = RouteTable {
            manager: Some(manager),
            ..listeners[0].routes.clone()
        };
        assert_eq!(again.listeners[0].routes, routes, "{seed}");
        for cluster in &outbound.clusters {
            let (assignment, weights) = cluster.written(form);
            let (places, shares, no_host) = found(&again.model, &cluster.name);
            assert_eq!(places, placed(cluster, &assignment), "{seed}\n{text}");
            let expected = cluster.shares_of(&assignment, &cluster.hosts);
            assert!((no_host - expected.no_host).abs() < 1e-9, "{seed}\n{text}");
            for (host, share) in cluster.hosts.iter().zip(&expected.endpoints) {
                let read = shares.get(&host.address).copied().unwrap_or_default();
                assert!((read - share).abs() < 1e-9, "{seed} {host:?}\n{text}");
            }
            // Only the form for Envoy keeps priorities; added weights keep shares while all hosts
            // are healthy, except for hash policies, which they repair.
            if form == OutboundForm::Envoy && weights.is_empty() {
                let own = cluster.shares();
                assert_eq!(own.endpoints, expected.endpoints, "{seed}\n{text}");
            } else if form == OutboundForm::Envoy && !cluster.settings.policy.hashes() {
                repaired += 1;
                let mut healthy = cluster.hosts.clone();
                for host in &mut healthy {
                    host.health = Default::default();
                }
                let own = cluster.shares_of(&cluster.assignment, &healthy);
                let with = cluster.shares_of(&assignment, &healthy);
                for (own, with) in own.endpoints.iter().zip(&with.endpoints) {
                    assert!((own - with).abs() < 1e-6, "{seed}\n{text}");
                }
            }
        }
    }
    assert!(repaired > 0);
    figure(format!(
        "{policies} policies, {repaired} with added weights"
    ));
}
