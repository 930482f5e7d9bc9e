//! Links as a whole: written links can be read, other texts are rejected.
#![allow(clippy::string_slice)]

use alloc::{borrow::ToOwned as _, format, string::String, vec, vec::Vec};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use proptest::prelude::*;
use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Endpoint, Health, HealthStatus, Locality, MaglevConfig,
    Metadata, OverprovisioningFactor, PanicThreshold, PlainCluster, Policy, Priority,
    PriorityLocality, RingHashConfig, Weight,
};
use spillgate_testkit::models::{Dice, Extent, plain};

use super::*;
use crate::bytes::ByteWriter;

/// A stored link must stay readable forever; never change it.
const STORED: &str =
    "1g.AAEEc2hvcAOBgAQyjAEAAAMCAAABYQAAAAABYgAABAEBAgQJBAIBAQAAAWMAAAEBCgEAAAFkAAABAQQ10w";

/// The content of the stored link: three priorities of 10, 10 and 4 hosts, half of P0 unhealthy.
fn documented() -> Scenario {
    let priorities = [
        vec![("a", "huuuu"), ("b", "hhhhu")],
        vec![("c", "hhhhhhhhhh")],
        vec![("d", "hhhh")],
    ];
    let priorities = priorities.iter().enumerate().map(|(number, zones)| {
        let at = PriorityAt {
            cluster: 0,
            priority: number,
        };
        let mut priority = Priority::default();
        for (locality, (zone, hosts)) in zones.iter().enumerate() {
            priority.localities.push(PriorityLocality {
                locality: Locality {
                    zone: (*zone).into(),
                    ..Locality::default()
                },
                weight: None,
            });
            for letter in hosts.chars() {
                priority.endpoints.push(Endpoint {
                    address: address(at, priority.endpoints.len()),
                    health: Health::from_status(match letter {
                        'h' => HealthStatus::Healthy,
                        _ => HealthStatus::Unhealthy,
                    }),
                    locality,
                    ..Endpoint::default()
                });
            }
        }
        priority
    });
    let kind = ClusterKind::Plain(PlainCluster {
        policy: Policy::Maglev(MaglevConfig::default()),
        priorities: priorities.collect(),
        ..PlainCluster::default()
    });
    let name = "shop".into();
    Scenario::new(vec![Cluster { name, kind }], 0).unwrap()
}

#[test]
fn a_stored_link_stays_readable() {
    assert_eq!(write(&documented()), STORED);
    assert_eq!(read(STORED), Ok(documented()));
    assert_eq!(read(&format!("#{STORED}")), Ok(documented()));
}

/// 1,000 hosts in three priorities of three zones, of every health, with weights.
fn large(in_order: bool) -> Scenario {
    let statuses = [
        HealthStatus::Healthy,
        HealthStatus::Degraded,
        HealthStatus::Unhealthy,
    ];
    let priorities = (0..3).map(|priority| {
        let at = PriorityAt {
            cluster: 0,
            priority,
        };
        let count = if priority == 0 { 334 } else { 333 };
        let mut endpoints: Vec<Endpoint> = (0..count)
            .map(|number| Endpoint {
                address: String::new(),
                weight: Weight::new(1 + number as u32 * 7 % 3).unwrap(),
                health: Health::from_status(statuses[number * 11 / 3 % 3]),
                locality: number / 112,
                hash_key: None,
                ..Endpoint::default()
            })
            .collect();
        if in_order {
            endpoints.sort_by_key(|e| (e.locality, e.health.status as u8, e.weight));
        }
        for (number, endpoint) in endpoints.iter_mut().enumerate() {
            endpoint.address = address(at, number);
        }
        Priority {
            localities: ["a", "b", "c"].map(named).to_vec(),
            endpoints,
        }
    });
    let kind = ClusterKind::Plain(PlainCluster {
        policy: Policy::Maglev(MaglevConfig::default()),
        panic_threshold: PanicThreshold::DEFAULT,
        overprovisioning_factor: OverprovisioningFactor::DEFAULT,
        weighted_priority_health: false,
        priorities: priorities.collect(),
        ..PlainCluster::default()
    });
    let name = "shop".to_owned();
    Scenario::new(vec![Cluster { name, kind }], 0).unwrap()
}

fn named(zone: &str) -> PriorityLocality {
    PriorityLocality {
        locality: Locality {
            zone: format!("eu-west-1{zone}"),
            ..Locality::default()
        },
        weight: None,
    }
}

#[test]
fn a_thousand_hosts_fit_a_link() {
    let grouped = write(&large(true));
    assert!(grouped.starts_with("1g."), "{grouped}");
    assert!(grouped.len() <= 400, "{}", grouped.len());
    let by_host = write(&large(false));
    assert!(by_host.starts_with("1h."), "{by_host}");
    assert!(by_host.len() <= 1500, "{}", by_host.len());
    for scenario in [large(true), large(false)] {
        let link = write(&scenario);
        assert_eq!(read(&link), Ok(scenario));
    }
}

#[test]
fn errors_are_reported() {
    let link = write(&documented());
    let says = |text: &str| read::<()>(text).unwrap_err();
    assert_eq!(says(""), LinkError::NotALink);
    assert_eq!(says("utm_source=x"), LinkError::NotALink);
    assert_eq!(says("2g.AAAA"), LinkError::Version('2'));
    assert_eq!(says("1z.AAAA"), LinkError::Codec('z'));
    assert_eq!(says("1g.A A"), LinkError::Character(' '));
    assert_eq!(says("1g."), LinkError::Checksum);
    assert_eq!(says(&link[..link.len() - 4]), LinkError::Checksum);
    assert_eq!(
        says(&format!("1g.{}", "A".repeat(70_000))),
        LinkError::TooLong
    );
}

#[test]
fn a_small_link_cannot_use_much_memory() {
    // Valid form and checksum: 20,001 hosts in one group, and rings that are too large.
    let finish = |mut bytes: Vec<u8>| {
        bytes.extend(super::crc::crc16(&bytes).to_be_bytes());
        format!("1g.{}", BASE64_URL_SAFE_NO_PAD.encode(&bytes))
    };
    let mut hosts = ByteWriter::default();
    for value in [
        0, 1, 1, 97, 0, 50, 140, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 20_001,
    ] {
        hosts.integer(value);
    }
    assert!(matches!(
        read::<()>(&finish(hosts.0)),
        Err(LinkError::Payload(_))
    ));
    let mut rings = ByteWriter::default();
    for value in [0, 1, 1, 97, 2, 8 << 20, 8 << 20, 0, 50, 140, 0, 0, 3] {
        rings.integer(value);
    }
    // The locality of each priority: a new one with three empty names, then the first one again.
    for value in [1, 0, 0, 0, 0, 0, 1, 1, 1] {
        rings.integer(value);
    }
    for priority in [1, 1] {
        for value in [1, priority, 0, 1, 1, 1] {
            rings.integer(value);
        }
    }
    assert!(matches!(
        read::<()>(&finish(rings.0)),
        Err(LinkError::Scenario(_))
    ));
}

#[test]
fn addresses_are_only_included_on_request() {
    let mut clusters = vec![(*documented().clusters()[0]).clone()];
    if let ClusterKind::Plain(plain) = &mut clusters[0].kind {
        plain.priorities[0].endpoints[0].address = "10.1.2.3:80".into();
        plain.priorities[0].endpoints[1].hash_key = Some("secret".into());
    }
    let scenario = Scenario::new(clusters, 0).unwrap();
    let included = read::<()>(&write(&scenario)).unwrap();
    assert_eq!(included, scenario);
    let replaced = read::<()>(&write(
        &SharedScenario::new(&scenario, Disclosure::Names).scenario,
    ))
    .unwrap();
    assert_eq!(replaced, documented());
}

fn scenario() -> impl Strategy<Value = Scenario> {
    any::<u64>()
        .no_shrink()
        .prop_map(|seed| drawn(&mut Dice::new(seed)))
}

fn drawn(dice: &mut Dice) -> Scenario {
    let mut clusters: Vec<Cluster> = (0..dice.between(1, 3))
        .map(|at| Cluster {
            name: format!("c{at}"),
            kind: ClusterKind::Plain(linkable(dice)),
        })
        .collect();
    if dice.chance(50) {
        let members = clusters.iter().map(|c| c.name.clone());
        let kind = ClusterKind::Aggregate(AggregateCluster {
            members: members.chain(["gone".into()]).collect(),
            panic_threshold: PanicThreshold::DEFAULT,
            flatten: false,
        });
        let name = "top".into();
        clusters.push(Cluster { name, kind });
    }
    let root = dice.below(clusters.len());
    Scenario::new(clusters, root).unwrap()
}

/// The part of a random cluster that links carry.
fn linkable(dice: &mut Dice) -> PlainCluster {
    let mut drawn = plain(dice, 3, Extent::all(10));
    for priority in &mut drawn.priorities {
        for endpoint in &mut priority.endpoints {
            endpoint.metadata = Metadata::default();
            endpoint.health.flags.failed_active_hc = dice.chance(10);
            endpoint.health.flags.pending_active_hc = dice.chance(10);
        }
    }
    let policies = [
        Policy::RoundRobin,
        Policy::Random,
        Policy::RingHash(RingHashConfig::default()),
        Policy::Maglev(MaglevConfig::default()),
    ];
    PlainCluster {
        policy: dice.one(&policies),
        panic_threshold: drawn.panic_threshold,
        overprovisioning_factor: drawn.overprovisioning_factor,
        weighted_priority_health: drawn.weighted_priority_health,
        locality_lb: super::scenario_codec::locality_lb(dice.chance(50)),
        priorities: drawn.priorities,
        ..PlainCluster::default()
    }
}

/// Without hash tables, which links do not contain.
const CASES: u32 = 10_000;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn a_link_brings_back_what_it_was_made_of(scenario in scenario()) {
        let link = write(&scenario);
        prop_assert_eq!(read(&link), Ok(scenario));
    }

    #[test]
    fn a_cut_link_is_refused(scenario in scenario(), keep in 0.0..1.0_f64) {
        let link = write(&scenario);
        let keep = (link.len() as f64 * keep) as usize;
        // The checksum has 16 bits: one of 65,536 truncated links passes it, and must then be valid.
        if let Ok(other) = read::<()>(&link[..keep]) {
            prop_assert_ne!(other, scenario);
        }
    }

    #[test]
    fn a_changed_link_is_refused_or_harmless(scenario in scenario(), at in any::<prop::sample::Index>(), with in "[A-Za-z0-9_-]") {
        let link = write(&scenario);
        let at = 3 + at.index(link.len() - 3);
        let changed = format!("{}{with}{}", &link[..at], &link[at + 1..]);
        // One changed character is a burst of at most six bits, which the checksum always detects.
        prop_assert_eq!(read::<()>(&changed).is_ok(), changed == link);
    }

    #[test]
    fn any_text_has_an_answer(text in "\\PC{0,80}", payload in prop::collection::vec(any::<u8>(), 0..200), grouped in any::<bool>()) {
        let _ = read::<()>(&text);
        // Valid form and checksum around any payload.
        let mut bytes = payload;
        bytes.extend(super::crc::crc16(&bytes).to_be_bytes());
        let codec = if grouped { 'g' } else { 'h' };
        let _ = read::<()>(&format!("1{codec}.{}", BASE64_URL_SAFE_NO_PAD.encode(&bytes)));
    }
}
