//! Stored links of every version open forever, with the same content.
//!
//! `golden/links.txt` has one link on each line, after its name. Never change or remove a line: users have
//! stored such links. A new version or a new kind of content adds lines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::{collections::BTreeSet, fs, path::Path};

use spillgate_codec::link::{PriorityAt, Scenario, read, read_view, with_view, write};
use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Endpoint, HashFunction, Health, HealthStatus,
    LeastRequestConfig, Locality, LocalityLb, MaglevConfig, OverprovisioningFactor, PanicThreshold,
    PlainCluster, Policy, Priority, PriorityLocality, RingHashConfig, Weight,
};

const STORED: &str = include_str!("golden/links.txt");

fn locality(names: [&str; 3], weight: Option<u32>) -> PriorityLocality {
    let [region, zone, sub_zone] = names.map(Into::into);
    PriorityLocality {
        locality: Locality {
            region,
            zone,
            sub_zone,
        },
        weight,
    }
}

/// Hosts of every status and flag, in two localities, with and without weights and keys.
fn hosts(at: PriorityAt, named: bool) -> Vec<Endpoint> {
    let statuses = HealthStatus::ALL.into_iter().cycle();
    let host = |(number, status): (usize, HealthStatus)| {
        let mut health = Health::from_status(status);
        health.flags.failed_active_hc = number == 6;
        health.flags.pending_dynamic_removal = number == 7;
        Endpoint {
            address: if named {
                format!("10.0.{}.{number}:80", at.priority)
            } else {
                spillgate_codec::link::address(at, number)
            },
            weight: Weight::new(1 + number as u32 * 5 % 9).unwrap(),
            health,
            locality: number % 2,
            hash_key: (named && number > 2).then(|| format!("key-{}", number % 4)),
            ..Endpoint::default()
        }
    };
    (0..9).zip(statuses).map(host).collect()
}

fn cluster(name: &str, at: usize, policy: Policy, named: bool) -> Cluster {
    let priorities = (0..2).map(|priority| Priority {
        localities: vec![
            locality(["eu", "a", ""], Some(0)),
            locality(["eu", "b", "rack-é"], (priority == 0).then_some(3)),
        ],
        endpoints: hosts(
            PriorityAt {
                cluster: at,
                priority,
            },
            named,
        ),
    });
    let plain = PlainCluster {
        policy,
        panic_threshold: PanicThreshold::from_percent(35.0),
        overprovisioning_factor: OverprovisioningFactor(120),
        weighted_priority_health: at == 1,
        locality_lb: match at {
            2 => LocalityLb::Weighted,
            _ => PlainCluster::default().locality_lb,
        },
        priorities: priorities.collect(),
        ..PlainCluster::default()
    };
    Cluster::plain(name, plain)
}

/// A scenario with everything that a link of version 1 can have.
fn everything(named: bool) -> Scenario {
    let ring = RingHashConfig::new(64, 2048, HashFunction::MurmurHash2).unwrap();
    let policies = [
        Policy::RoundRobin,
        Policy::Random,
        Policy::RingHash(ring),
        Policy::Maglev(MaglevConfig::new(251).unwrap()),
        Policy::LeastRequest(LeastRequestConfig::default()),
        Policy::ClientSideWeightedRoundRobin,
        Policy::Rendezvous,
    ];
    let plain = policies.into_iter().enumerate();
    let mut clusters: Vec<Cluster> = plain
        .map(|(at, policy)| cluster(&format!("c{at}"), at, policy, named))
        .collect();
    let members = ["c0", "c3", "gone"].map(Into::into).to_vec();
    clusters.push(Cluster {
        name: "top".into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members,
            panic_threshold: PanicThreshold::from_percent(0.0),
            flatten: false,
        }),
    });
    clusters.push(Cluster {
        name: "pass".into(),
        kind: ClusterKind::OriginalDst(Default::default()),
    });
    Scenario::new(clusters, 7).unwrap()
}

fn view() -> Vec<(String, String)> {
    let text = |text: &str| text.to_owned();
    vec![
        (text("screen"), text("what-if")),
        (text("figure"), text("0.1.4")),
        (text("what-if"), text("zone=a:40%\nload(P0) >= 60")),
        (text("trace"), text("seed=7\nkey=é")),
    ]
}

/// The names of the stored links with their content.
fn contents() -> Vec<(&'static str, String)> {
    vec![
        ("1h-addresses", write(&everything(true))),
        ("1g-everything", write(&everything(false))),
        ("1h-view", with_view(write(&everything(true)), &view())),
    ]
}

/// Adds the links without a line, with `SPILLGATE_GOLDEN=write`.
#[test]
fn every_kind_of_content_has_a_stored_link() {
    let is_stored = |name: &str| {
        STORED
            .lines()
            .any(|line| line.split(' ').next() == Some(name))
    };
    let all = contents();
    let missing: Vec<String> = all
        .iter()
        .filter(|(name, _)| !is_stored(name))
        .map(|(name, link)| format!("{name} {link}\n"))
        .collect();
    if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/links.txt");
        fs::write(path, STORED.to_owned() + &missing.concat()).unwrap();
        return;
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn stored_links_have_the_same_content_forever() {
    let stored: Vec<(&str, &str)> = STORED
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .collect();
    for (name, link) in &stored {
        let scenario: Scenario = read(link).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!scenario.clusters().is_empty(), "{name}");
    }
    let find = |name: &str| stored.iter().find(|(stored, _)| *stored == name).unwrap().1;
    assert_eq!(read(find("1h-addresses")), Ok(everything(true)));
    assert_eq!(read(find("1g-everything")), Ok(everything(false)));
    assert_eq!(read_view(find("1h-view")), Ok(view()));
    // Version 1 is also what is written.
    for (name, link) in contents() {
        assert_eq!(link, find(name), "{name}");
    }
    let names: BTreeSet<&str> = stored.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), stored.len(), "each name once");
}

#[test]
fn every_version_and_codec_has_a_stored_link() {
    let kinds: BTreeSet<&str> = STORED
        .lines()
        .filter_map(|line| line.split_once(' ')?.1.split('.').next())
        .collect();
    assert_eq!(kinds, BTreeSet::from(["1g", "1h"]));
}
