//! A scenario as others get it: in a link, in a file, in a command.
//!
//! Imports have addresses, hash keys and names of their owner, and a link ends in chats and
//! tickets. So they are replaced before anything is written: in links, snippets, files and
//! commands. [`Disclosure`](super::Disclosure) has only three values: who has the addresses knows
//! the clusters too. Generated names keep the structure (`c1` stays `c1` in aggregates), and
//! replace the originals in the texts of a link's view too: a selector of the What-if screen would
//! otherwise disclose a zone, and would not match. Metadata of hosts stay, because subsets need
//! them; only `hash_key` is removed. Links that are opened are passed on as they are.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::ops::Deref as _;

use spillgate_core::model::{Cluster, ClusterKind, Endpoint, Metadata};

use super::{Disclosure, LinkView, PriorityAt, Scenario, address, generated_names::GeneratedNames};

/// The key of a host's hash key in its metadata.
const HASH_KEY: &str = "hash_key";

/// A scenario with generated addresses and names in the place of those that are not disclosed.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedScenario<O = ()> {
    /// The scenario. It has no origin unless everything is disclosed.
    pub scenario: Scenario<O>,
    pub(super) names: GeneratedNames,
}

impl<O: Clone + Default> SharedScenario<O> {
    /// The scenario for others.
    #[must_use]
    pub fn new(scenario: &Scenario<O>, disclosure: Disclosure) -> Self {
        let mut names = match disclosure {
            Disclosure::Addresses => return Self::whole(scenario),
            Disclosure::Names => GeneratedNames::default(),
            Disclosure::Shape => GeneratedNames::of(scenario),
        };
        let shared = replaced(scenario, |at, cluster| {
            rename(cluster, &names);
            replace_addresses(cluster, at, &mut names);
        });
        Self {
            scenario: shared,
            names,
        }
    }

    /// The scenario as it is.
    pub(super) fn whole(scenario: &Scenario<O>) -> Self {
        Self {
            scenario: scenario.clone(),
            names: GeneratedNames::default(),
        }
    }
}

/// The scenario with other names and addresses, which make no clusters illegal, and without its origin.
pub(super) fn replaced<O: Default>(
    scenario: &Scenario<O>,
    mut replace: impl FnMut(usize, &mut Cluster),
) -> Scenario<O> {
    let clusters = scenario.clusters().iter().enumerate();
    let clusters: Vec<Cluster> = clusters
        .map(|(at, cluster)| {
            let mut shared = cluster.deref().clone();
            replace(at, &mut shared);
            shared
        })
        .collect();
    Scenario::new(clusters, scenario.root()).unwrap_or_else(|_| Scenario::nothing())
}

impl<O> SharedScenario<O> {
    /// A text about the scenario, such as `zone=a:40%` or `load(cluster=shop) >= 60`, with the generated
    /// names and addresses.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.names == GeneratedNames::default() {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(self.names.text(text))
        }
    }

    /// What the playground shows of the scenario, with the same replacements.
    #[must_use]
    pub fn view(&self, view: LinkView) -> LinkView {
        let shared = |(name, value): (String, String)| {
            // The names of screens are not names of the scenario.
            let value = if name == "screen" {
                value
            } else {
                self.text(&value).into_owned()
            };
            (name, value)
        };
        view.into_iter().map(shared).collect()
    }
}

pub(super) fn rename(cluster: &mut Cluster, names: &GeneratedNames) {
    cluster.name = names.cluster(&cluster.name);
    match &mut cluster.kind {
        ClusterKind::Plain(plain) => {
            for priority in &mut plain.priorities {
                for of in &mut priority.localities {
                    of.locality = names.locality(&of.locality);
                }
            }
        }
        ClusterKind::Aggregate(aggregate) => {
            for member in &mut aggregate.members {
                *member = names.cluster(member);
            }
        }
        ClusterKind::Composite(composite) => {
            for member in &mut composite.members {
                *member = names.cluster(member);
            }
        }
        ClusterKind::OriginalDst(_) => {}
    }
}

pub(super) fn replace_addresses(cluster: &mut Cluster, at: usize, names: &mut GeneratedNames) {
    let ClusterKind::Plain(plain) = &mut cluster.kind else {
        return;
    };
    for (priority, of) in plain.priorities.iter_mut().enumerate() {
        let at = PriorityAt {
            cluster: at,
            priority,
        };
        for (number, host) in of.endpoints.iter_mut().enumerate() {
            let generated = address(at, number);
            names.add_host(&host.address, &generated);
            host.address = generated;
            remove_hash_key(host);
        }
    }
}

/// Removes the key also where the configuration states it.
pub(super) fn remove_hash_key(host: &mut Endpoint) {
    host.hash_key = None;
    if host.metadata.get(HASH_KEY).is_some() {
        let fields = host.metadata.fields().iter();
        let kept = fields.filter(|field| *field.key != *HASH_KEY);
        host.metadata = Metadata::new(kept.map(|field| (field.key.clone(), field.value.clone())));
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use spillgate_core::model::{
        AggregateCluster, Locality, PanicThreshold, PlainCluster, Priority, PriorityLocality, Value,
    };

    use super::*;
    use crate::{
        import::view_of,
        link::{read, write},
    };

    /// Clusters whose names, zones and addresses must not get out.
    fn secret() -> Scenario {
        let priority = |address: &str, zone: &str| Priority {
            localities: vec![PriorityLocality {
                locality: Locality {
                    region: "acme-eu".into(),
                    zone: zone.into(),
                    sub_zone: String::new(),
                },
                weight: None,
            }],
            endpoints: vec![Endpoint {
                address: address.into(),
                hash_key: Some("secret".into()),
                metadata: Metadata::new([
                    ("hash_key", Value::Text("secret".into())),
                    ("stage", Value::Text("prod".into())),
                ]),
                ..Endpoint::default()
            }],
        };
        let plain = |name: &str, priorities| {
            Cluster::plain(
                name,
                PlainCluster {
                    priorities,
                    ..PlainCluster::default()
                },
            )
        };
        let first = vec![
            priority("10.1.2.3:80", "acme-a"),
            priority("10.1.2.4:80", "acme-b"),
        ];
        let aggregate = AggregateCluster {
            members: vec!["pay".into(), "pay-old".into(), "gone".into()],
            panic_threshold: PanicThreshold::DEFAULT,
            flatten: false,
        };
        let clusters = vec![
            plain("pay", first),
            plain("pay-old", vec![priority("10.1.2.5:80", "acme-b")]),
            plain("cart from acme-a", vec![priority("10.1.2.6:80", "acme-a")]),
            Cluster {
                name: "top".into(),
                kind: ClusterKind::Aggregate(aggregate),
            },
        ];
        Scenario::new(clusters, 3).unwrap()
    }

    #[test]
    fn nothing_that_is_not_disclosed_is_in_the_scenario() {
        let shown = |disclosure| {
            let shared = SharedScenario::new(&secret(), disclosure);
            format!("{:?}", shared.scenario)
        };
        let all = shown(Disclosure::Addresses);
        for name in ["10.1.2.", "secret", "acme", "pay", "top", "gone"] {
            assert!(all.contains(name), "{name}");
            assert!(!shown(Disclosure::Shape).contains(name), "{name}");
        }
        let names = shown(Disclosure::Names);
        assert!(!names.contains("10.1.2.") && !names.contains("secret"));
        assert!(names.contains("acme-b") && names.contains("pay-old"));
        assert!(shown(Disclosure::Shape).contains("prod"), "subsets need it");
    }

    #[test]
    fn generated_names_keep_the_structure() {
        let SharedScenario { scenario, .. } = SharedScenario::new(&secret(), Disclosure::Shape);
        assert_eq!(scenario.root(), 3);
        let names: Vec<&str> = (0..4).map(|at| scenario.name(at)).collect();
        assert_eq!(names, ["c1", "c2", "c3 from zone-1", "c4"]);
        assert_eq!(view_of(names[2]), Some(("c3", "zone-1")));
        assert_eq!(scenario.aggregate(3).unwrap().members, ["c1", "c2", "c5"]);
        let zones: Vec<&Locality> = scenario
            .plain(0)
            .unwrap()
            .priorities
            .iter()
            .map(|priority| &priority.localities[0].locality)
            .collect();
        assert_eq!(
            (zones[0].zone.as_str(), zones[1].zone.as_str()),
            ("zone-1", "zone-2")
        );
        assert_eq!(zones[0].region, "region-1");
        assert_eq!(
            read(&write(&scenario)).map(|read: Scenario| read.shown()),
            Ok(vec![0, 1])
        );
    }

    #[test]
    fn texts_get_the_same_names() {
        let shared = SharedScenario::new(&secret(), Disclosure::Shape);
        for (text, expected) in [
            (
                "region=acme-eu,zone=acme-b:40%",
                "region=region-1,zone=zone-2:40%",
            ),
            (
                "load(cluster=pay,priority=0) >= 60",
                "load(cluster=c1,priority=0) >= 60",
            ),
            ("load(cluster=pay-old) < 10", "load(cluster=c2) < 10"),
            (
                "zone(acme-a)->zone(acme-b) <= 20",
                "zone(zone-1)->zone(zone-2) <= 20",
            ),
            (
                "host=10.1.2.3:80\nactive=10.1.2.4:80=3",
                "host=198.18.0.1:8080\nactive=198.18.1.1:8080=3",
            ),
            ("acme-a:100%\ncart", "zone-1:100%\nc3"),
            ("pays repay no panic", "pays repay no panic"),
            ("acme-ab é", "acme-ab é"),
        ] {
            assert_eq!(shared.text(text), expected);
        }
        let view = vec![
            ("screen".into(), "what-if".into()),
            ("what-if".into(), "zone=acme-a:1%".into()),
        ];
        assert_eq!(shared.view(view)[1].1, "zone=zone-1:1%");
        let names = SharedScenario::new(&secret(), Disclosure::Names);
        assert_eq!(
            names.text("zone=acme-a,host=10.1.2.3:80"),
            "zone=acme-a,host=198.18.0.1:8080"
        );
        let all = SharedScenario::new(&secret(), Disclosure::Addresses);
        assert_eq!(all.text("host=10.1.2.3:80"), "host=10.1.2.3:80");
    }

    #[test]
    fn names_with_two_meanings_follow_their_key() {
        let mut scenario = secret();
        let named = |name: &str| {
            let mut plain = scenario.plain(0).unwrap().clone();
            plain.priorities[0].localities[0].locality.zone = name.into();
            Cluster::plain(name, plain)
        };
        scenario = Scenario::new(vec![named("zone")], 0).unwrap();
        let shared = SharedScenario::new(&scenario, Disclosure::Shape);
        assert_eq!(shared.text("zone=zone:40%"), "zone=zone-1:40%");
        assert_eq!(shared.text("cluster=zone"), "cluster=c1");
        assert_eq!(shared.text("zone(zone)"), "zone(zone-1)");
    }
}
