//! Clusters with the names of real control planes, for tests of the playground.

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Endpoint, Health, HealthStatus, Locality,
    PanicThreshold, PlainCluster, Priority, PriorityLocality,
};

use super::Dice;

const SERVICES: [&str; 7] = [
    "reviews",
    "ratings",
    "productpage",
    "details",
    "payments-gateway-v2",
    "a",
    "inventory_synchronization_worker",
];
const SPACES: [&str; 4] = ["default", "bookinfo", "team-payments-production", "x"];
/// Names of other scripts, also from right to left, and with marks and pictures.
const SCRIPTS: [&str; 5] = [
    "評価サービス",
    "обзоры-производство",
    "مراجعات",
    "समीक्षा",
    "e\u{301}val\u{1f600}",
];
const REGIONS: [(&str, [&str; 3]); 3] = [
    (
        "europe-west1",
        ["europe-west1-b", "europe-west1-c", "europe-west1-d"],
    ),
    (
        "us-central1",
        ["us-central1-a", "us-central1-b", "us-central1-f"],
    ),
    ("", ["a", "b", "zone-with-a-rather-long-name-3"]),
];
/// The longest name.
const LONGEST: usize = 300;

/// One cluster, or an aggregate of up to three after its members: 1 to 10 priorities of each, with hosts
/// of any health in zones.
pub fn named_clusters(dice: &mut Dice) -> Vec<Cluster> {
    let members = dice.between(1, 3);
    let style = dice.below(6);
    let mut names: Vec<String> = Vec::new();
    while names.len() < members {
        let name = name(dice, style);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let most = dice.one(&[1, 3, 10]);
    let mut clusters: Vec<Cluster> = names
        .iter()
        .enumerate()
        .map(|(number, name)| Cluster::plain(name.clone(), plain(dice, number, most)))
        .collect();
    if members > 1 {
        let aggregate = AggregateCluster {
            members: names,
            panic_threshold: PanicThreshold::default(),
            flatten: false,
        };
        clusters.push(Cluster {
            name: format!("all-{}", clusters[0].name),
            kind: ClusterKind::Aggregate(aggregate),
        });
    }
    clusters
}

/// A name in the style of a control plane.
fn name(dice: &mut Dice, style: usize) -> String {
    let (service, space) = (dice.one(&SERVICES), dice.one(&SPACES));
    let version = dice.between(1, 12);
    match style {
        // Istio: direction, port, subset and host.
        0 => {
            let subset = dice.one(&["", "v1", "v2", "canary"]);
            format!(
                "outbound|{}|{subset}|{service}.{space}.svc.cluster.local",
                80 * version
            )
        }
        // Kuma: the service with its hash, or a zone of it.
        1 => format!(
            "{service}_{space}_svc_{}-{:016x}",
            8080 + version,
            dice.bits()
        ),
        2 => format!("kri_msvc_default_zone-{version}_{space}_{service}_http"),
        // Envoy Gateway.
        3 => format!(
            "httproute/{space}/{service}/rule/{version}/backend/{}",
            dice.below(3)
        ),
        4 => format!("{}-{version}", dice.one(&SCRIPTS)),
        // As long as a name may be, with the difference at any place.
        _ => {
            let length = dice.one(&[1, 2, 60, 253, LONGEST - 2]);
            let at = dice.below(length + 1);
            format!("{}{version}{}", "n".repeat(at), "n".repeat(length - at))
        }
    }
}

fn plain(dice: &mut Dice, number: usize, most: usize) -> PlainCluster {
    let (region, zones) = dice.one(&REGIONS);
    let failing = dice.one(&[0, 20, 60, 100]);
    let mut priority = |place: usize| {
        let count = dice.between(1, 3);
        let localities = zones.iter().take(count).map(|zone| PriorityLocality {
            locality: Locality {
                region: region.into(),
                zone: (*zone).into(),
                ..Locality::default()
            },
            weight: None,
        });
        let hosts = dice.one(&[1, 4, 9, 40]);
        let endpoints = (0..hosts).map(|host| Endpoint {
            health: Health::from_status(if dice.chance(failing) {
                dice.one(&[HealthStatus::Unhealthy, HealthStatus::Degraded])
            } else {
                HealthStatus::Healthy
            }),
            locality: host % count,
            ..Endpoint::new(format!("10.{number}.{place}.{}:8080", host + 1))
        });
        Priority {
            endpoints: endpoints.collect(),
            localities: localities.collect(),
        }
    };
    let priorities = (0..most).map(&mut priority).collect();
    PlainCluster {
        priorities,
        ..PlainCluster::default()
    }
}
