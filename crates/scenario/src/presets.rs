//! Scenarios to start with.

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Endpoint, Health, HealthStatus, Locality, MaglevConfig,
    OverprovisioningFactor, PanicThreshold, PlainCluster, Policy, Priority, PriorityLocality,
    Weight,
};

use super::{EditedScenario, PriorityAt, link::address};

/// A scenario in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its stable name.
    pub id: &'static str,
    /// Its label in the list.
    pub title: &'static str,
}

/// The scenarios in the list; the playground starts with the first one.
pub const PRESETS: [Preset; 7] = [
    Preset {
        id: "documented",
        title: "Half of P0 is down",
    },
    Preset {
        id: "two-priorities",
        title: "Two priorities of 100 hosts",
    },
    Preset {
        id: "degraded",
        title: "Degraded hosts take load",
    },
    Preset {
        id: "panic",
        title: "Panic mode everywhere",
    },
    Preset {
        id: "no-panic",
        title: "All unhealthy, panic off",
    },
    Preset {
        id: "aggregate",
        title: "Aggregate of two clusters",
    },
    Preset {
        id: "shop",
        title: "Demo: shop",
    },
];

/// The scenario of that name.
#[must_use]
pub fn preset(id: &str) -> Option<EditedScenario> {
    let clusters = match id {
        "documented" => vec![plain(
            "shop",
            Policy::Maglev(MaglevConfig::default()),
            50,
            &[
                &[("a", "huuuu"), ("b", "hhhhu")],
                &[("c", "hhhhhhhhhh")],
                &[("d", "hhhh")],
            ],
        )],
        "two-priorities" => vec![plain(
            "shop",
            Policy::RoundRobin,
            50,
            &[
                &[("a", &("h".repeat(72) + &"u".repeat(28)))],
                &[("b", &"h".repeat(100))],
            ],
        )],
        "degraded" => vec![plain(
            "shop",
            Policy::RoundRobin,
            50,
            &[&[("a", "hhhdd"), ("b", "hduuu")], &[("c", "hduuu")]],
        )],
        "panic" => vec![plain(
            "shop",
            Policy::RoundRobin,
            50,
            &[
                &[("a", "huuuu"), ("b", "huuuu")],
                &[("c", "huuu")],
                &[("d", "uuuuuu")],
            ],
        )],
        "no-panic" => vec![plain(
            "shop",
            Policy::RoundRobin,
            0,
            &[&[("a", "uuuuu")], &[("b", "uuu")]],
        )],
        "aggregate" => aggregate_of(vec![
            plain(
                "primary",
                Policy::RoundRobin,
                50,
                &[&[("a", "huuuu")], &[("b", "huuuu")], &[("c", "huuuuuuuuu")]],
            ),
            plain(
                "secondary",
                Policy::RoundRobin,
                50,
                &[&[("a", "huuu")], &[("b", "huuu")]],
            ),
        ]),
        "shop" => aggregate_of(vec![
            plain(
                "shop-primary",
                Policy::Maglev(MaglevConfig::default()),
                50,
                &[&[("a", "hhhhh"), ("b", "huuuu")]],
            ),
            plain(
                "shop-secondary",
                Policy::Maglev(MaglevConfig::default()),
                50,
                &[&[("c", "hhhhh")]],
            ),
        ]),
        _ => return None,
    };
    number_hosts(clusters)
}

/// The zone of new hosts in a priority without localities.
pub(super) fn zone(priority: usize) -> String {
    let letters = "abcdefghijklmnopqrstuvwxyz";
    match letters.chars().nth(priority) {
        Some(letter) => letter.to_string(),
        None => format!("z{priority}"),
    }
}

/// A letter is a host: `h`ealthy, `d`egraded, any other unhealthy.
fn plain(name: &str, policy: Policy, threshold: u32, priorities: &[&[(&str, &str)]]) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy,
            panic_threshold: PanicThreshold::from_percent(f64::from(threshold)),
            overprovisioning_factor: OverprovisioningFactor::DEFAULT,
            weighted_priority_health: false,
            priorities: priorities.iter().map(|zones| priority(zones)).collect(),
            ..PlainCluster::default()
        }),
    }
}

fn priority(zones: &[(&str, &str)]) -> Priority {
    let mut priority = Priority::default();
    for (locality, (zone, hosts)) in zones.iter().enumerate() {
        priority.localities.push(PriorityLocality {
            locality: Locality {
                zone: (*zone).into(),
                ..Locality::default()
            },
            weight: None,
        });
        priority
            .endpoints
            .extend(hosts.chars().map(|letter| Endpoint {
                address: String::new(),
                weight: Weight::ONE,
                health: Health::from_status(match letter {
                    'h' => HealthStatus::Healthy,
                    'd' => HealthStatus::Degraded,
                    _ => HealthStatus::Unhealthy,
                }),
                locality,
                hash_key: None,
                ..Endpoint::default()
            }));
    }
    priority
}

/// The aggregate `shop` and its members.
fn aggregate_of(members: Vec<Cluster>) -> Vec<Cluster> {
    let aggregate = Cluster {
        name: "shop".into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members: members.iter().map(|c| c.name.clone()).collect(),
            panic_threshold: PanicThreshold::DEFAULT,
            flatten: false,
        }),
    };
    std::iter::once(aggregate).chain(members).collect()
}

fn number_hosts(mut clusters: Vec<Cluster>) -> Option<EditedScenario> {
    for (cluster, of) in clusters.iter_mut().enumerate() {
        if let ClusterKind::Plain(plain) = &mut of.kind {
            for (place, priority) in plain.priorities.iter_mut().enumerate() {
                let at = PriorityAt {
                    cluster,
                    priority: place,
                };
                for (number, endpoint) in priority.endpoints.iter_mut().enumerate() {
                    endpoint.address = address(at, number);
                }
            }
        }
    }
    EditedScenario::new(clusters, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::super::{
        PanicMode, PriorityReport, ScenarioOutcome,
        link::{read, write},
    };
    use super::*;

    #[test]
    fn every_preset_does_what_its_title_promises() {
        let loads = |id: &str| -> Vec<u32> {
            let outcome = ScenarioOutcome::of(&preset(id).unwrap());
            outcome
                .priorities()
                .iter()
                .map(|priority| priority.row.load())
                .collect()
        };
        for entry in PRESETS {
            assert!(!loads(entry.id).is_empty(), "{}", entry.id);
        }
        assert_eq!(loads("documented"), [70, 30, 0]);
        assert_eq!(loads("two-priorities"), [100, 0]);
        assert_eq!(loads("shop"), [84, 16]);
        let outcome = ScenarioOutcome::of(&preset("panic").unwrap());
        let total = |row: &PriorityReport| row.panic == PanicMode::Total;
        assert!(outcome.priorities().iter().all(total));
        assert!((ScenarioOutcome::of(&preset("no-panic").unwrap()).no_host() - 100.0).abs() < 1e-9);
        assert!(preset("unheard-of").is_none());
    }

    #[test]
    fn links_of_the_first_version_open_forever() {
        // Never change these: users have stored them.
        let golden = [
            (
                "documented",
                "1g.AAEEc2hvcAOBgAQyjAEAAAMCAAABYQAAAAABYgAABAEBAgQJBAIBAQAAAWMAAAEBCgEAAAFkAAABAQQ10w",
            ),
            (
                "shop",
                "1g.AAMEc2hvcAQyAgxzaG9wLXByaW1hcnkOc2hvcC1zZWNvbmRhcnkMc2hvcC1wcmltYXJ5A4GABDKMAQAAAQIAAAFhAAAAAAFiAAADAQUJAQIEDnNob3Atc2Vjb25kYXJ5A4GABDKMAQAAAQEAAAFjAAABAQUB6Q",
            ),
        ];
        for (id, link) in golden {
            let scenario = preset(id).unwrap();
            assert_eq!(write(&scenario), link, "{id}");
            assert_eq!(read(link), Ok(scenario), "{id}");
        }
    }

    #[test]
    fn every_preset_has_a_short_link() {
        for entry in PRESETS {
            let scenario = preset(entry.id).unwrap();
            let link = write(&scenario);
            assert!(link.len() < 250, "{}: {}", entry.id, link.len());
            assert_eq!(read(&format!("#{link}")), Ok(scenario));
        }
    }
}
