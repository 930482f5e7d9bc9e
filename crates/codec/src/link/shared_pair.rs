//! Both sides of a comparison as others get them.
//!
//! A name or an address that both sides have gets the same generated one on both, or the comparison would find
//! other differences. The new side is as in a link of its own.

use alloc::{collections::BTreeMap, collections::BTreeSet, string::String, vec::Vec};

use spillgate_core::model::{Cluster, ClusterKind, PlainCluster};

use super::{
    Disclosure, PriorityAt, Scenario, SharedScenario, address,
    generated_names::GeneratedNames,
    shared_scenario::{remove_hash_key, rename, replace_addresses, replaced},
};

/// Two scenarios with generated addresses and names in the place of those that are not disclosed.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedPair<O = ()> {
    /// The old side.
    pub old: Scenario<O>,
    /// The new side; its texts can name what only the old side has.
    pub new: SharedScenario<O>,
}

impl<O: Clone + Default> SharedPair<O> {
    /// The scenarios for others.
    #[must_use]
    pub fn new(old: &Scenario<O>, new: &Scenario<O>, disclosure: Disclosure) -> Self {
        let mut names = match disclosure {
            Disclosure::Addresses => {
                return Self {
                    old: old.clone(),
                    new: SharedScenario::whole(new),
                };
            }
            Disclosure::Names => GeneratedNames::default(),
            Disclosure::Shape => {
                let mut names = GeneratedNames::of(new);
                names.add_names(old);
                names
            }
        };
        let scenario = replaced(new, |at, cluster| {
            rename(cluster, &names);
            replace_addresses(cluster, at, &mut names);
        });
        let counterparts = Counterparts::of(new, &scenario);
        let old = replaced(old, |at, cluster| {
            counterparts.replace_addresses(cluster, at, &mut names);
            rename(cluster, &names);
        });
        Self {
            old,
            new: SharedScenario { scenario, names },
        }
    }
}

/// The clusters of the new side by their own names: their places, and the shared ones.
struct Counterparts<'s>(BTreeMap<&'s str, Counterpart<'s>>, usize);

struct Counterpart<'s> {
    at: usize,
    /// As the user has it.
    own: &'s PlainCluster,
    /// With generated addresses.
    shared: &'s PlainCluster,
}

impl<'s> Counterparts<'s> {
    fn of<O>(own: &'s Scenario<O>, shared: &'s Scenario<O>) -> Self {
        let clusters = own.clusters().iter().enumerate();
        let pairs = clusters.filter_map(|(at, cluster)| {
            let found = Counterpart {
                at,
                own: own.plain(at)?,
                shared: shared.plain(at)?,
            };
            Some((cluster.name.as_str(), found))
        });
        Self(pairs.collect(), own.clusters().len())
    }

    /// Gives the hosts of a cluster of the old side the addresses that they have on the new one, and further ones to
    /// those that it does not have.
    fn replace_addresses(&self, cluster: &mut Cluster, at: usize, names: &mut GeneratedNames) {
        let counterpart = self.0.get(cluster.name.as_str());
        let ClusterKind::Plain(plain) = &mut cluster.kind else {
            return;
        };
        // A removed cluster gets addresses after those of all clusters of the new side.
        let block = counterpart.map_or(self.1 + at, |of| of.at);
        let mut known = counterpart.map_or_else(BTreeMap::new, Counterpart::addresses);
        let mut used: BTreeSet<String> = known.values().flatten().cloned().collect();
        for (priority, of) in plain.priorities.iter_mut().enumerate() {
            let at = PriorityAt {
                cluster: block,
                priority,
            };
            let mut number = 0;
            for host in &mut of.endpoints {
                let generated = match known.get_mut(&host.address).and_then(Vec::pop) {
                    Some(generated) => generated,
                    None => unused(at, &mut number, &mut used),
                };
                names.add_host(&host.address, &generated);
                host.address = generated;
                remove_hash_key(host);
            }
        }
    }
}

impl Counterpart<'_> {
    /// The generated addresses of each address, the first one last.
    fn addresses(&self) -> BTreeMap<String, Vec<String>> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let hosts = |of: &'_ PlainCluster| -> Vec<String> {
            let endpoints = of.priorities.iter().flat_map(|of| &of.endpoints);
            endpoints.map(|host| host.address.clone()).collect()
        };
        for (own, shared) in hosts(self.own).into_iter().zip(hosts(self.shared)).rev() {
            found.entry(own).or_default().push(shared);
        }
        found
    }
}

/// The first generated address of a priority that no host has.
fn unused(at: PriorityAt, number: &mut usize, used: &mut BTreeSet<String>) -> String {
    loop {
        let found = address(at, *number);
        *number += 1;
        if used.insert(found.clone()) {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use spillgate_core::model::{Endpoint, Locality, Priority, PriorityLocality};

    use super::*;
    use crate::link::{ComparisonGaps, old_side_setting, with_view, write};

    fn cluster(name: &str, zone: &str, hosts: &[&str]) -> Cluster {
        let locality = Locality {
            zone: zone.into(),
            ..Locality::default()
        };
        let hosts = hosts.iter().map(|address| Endpoint {
            hash_key: Some(format!("key of {address}")),
            ..Endpoint::new(*address)
        });
        let priority = Priority {
            localities: vec![PriorityLocality {
                locality,
                weight: None,
            }],
            endpoints: hosts.collect(),
        };
        let plain = PlainCluster {
            priorities: vec![priority],
            ..PlainCluster::default()
        };
        Cluster::plain(name, plain)
    }

    fn scenario(clusters: Vec<Cluster>) -> Scenario {
        Scenario::new(clusters, 0).unwrap()
    }

    fn addresses(scenario: &Scenario, cluster: usize) -> Vec<String> {
        let endpoints = &scenario.plain(cluster).unwrap().priorities[0].endpoints;
        endpoints.iter().map(|host| host.address.clone()).collect()
    }

    #[test]
    fn both_sides_have_the_same_generated_names_and_addresses() {
        let old = scenario(vec![
            cluster("acme-gone", "acme-x", &["10.0.9.1:80"]),
            cluster(
                "acme-shop",
                "acme-a",
                &["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"],
            ),
        ]);
        let new = scenario(vec![
            cluster("acme-shop", "acme-a", &["10.0.0.3:80", "10.0.0.1:80"]),
            cluster("acme-more", "acme-b", &["10.0.8.1:80"]),
        ]);
        let pair = SharedPair::new(&old, &new, Disclosure::Shape);
        let single = SharedScenario::new(&new, Disclosure::Shape);
        assert_eq!(
            pair.new.scenario, single.scenario,
            "as in a link of its own"
        );
        assert_eq!((pair.old.name(0), pair.old.name(1)), ("c3", "c1"));
        let [third, first] = &addresses(&pair.new.scenario, 0)[..] else {
            panic!()
        };
        let shared = addresses(&pair.old, 1);
        assert_eq!((&shared[0], &shared[2]), (first, third));
        assert!(
            !addresses(&pair.new.scenario, 0).contains(&shared[1]),
            "{shared:?}"
        );
        let (_, text) = old_side_setting(&pair.old, &ComparisonGaps::default());
        let link = with_view(write(&pair.new.scenario), &[("old".into(), text)]);
        assert!(!format!("{:?} {:?}", pair.old, pair.new.scenario).contains("acme"));
        assert!(!format!("{:?}", pair.old).contains("10.0."), "{link}");
        assert_eq!(pair.new.text("zone=acme-x:1"), "zone=zone-3:1");
    }

    #[test]
    fn disclosed_names_and_addresses_stay() {
        let old = scenario(vec![cluster("shop", "a", &["10.0.0.1:80", "10.0.0.1:80"])]);
        let new = scenario(vec![cluster("shop", "a", &["10.0.0.1:80"])]);
        let pair = SharedPair::new(&old, &new, Disclosure::Addresses);
        assert_eq!((&pair.old, &pair.new.scenario), (&old, &new));
        let pair = SharedPair::new(&old, &new, Disclosure::Names);
        assert_eq!(pair.old.name(0), "shop");
        // Hosts of one address are two hosts.
        let shared = addresses(&pair.old, 0);
        assert_eq!(shared[0], addresses(&pair.new.scenario, 0)[0]);
        assert_ne!(shared[0], shared[1]);
    }
}
