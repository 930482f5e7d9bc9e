//! What a configuration cannot express of a cluster, which an edit of the text keeps.

use std::collections::BTreeMap;

use spillgate_core::model::{Cluster, ClusterKind, Endpoint, Health, PlainCluster};

/// Adds to a cluster of the text what the text cannot express of the same cluster in the scenario.
pub(super) fn keep(now: &mut Cluster, then: &Cluster) {
    if let (ClusterKind::Plain(now), ClusterKind::Plain(then)) = (&mut now.kind, &then.kind) {
        keep_settings(now, then);
        let mut known = KnownHosts::of(then);
        for (at, priority) in now.priorities.iter_mut().enumerate() {
            for host in &mut priority.endpoints {
                if let Some(then) = known.find(at, &host.address) {
                    keep_host(host, then);
                }
            }
        }
    }
}

/// Settings for requests, which the reader does not pass to the page.
fn keep_settings(now: &mut PlainCluster, then: &PlainCluster) {
    now.hash_policies.clone_from(&then.hash_policies);
    now.override_hosts.clone_from(&then.override_hosts);
    now.override_statuses = then.override_statuses;
    let is_same = |priority: usize, host: usize| {
        let address = |plain: &PlainCluster| {
            let host = plain.priorities.get(priority)?.endpoints.get(host)?;
            Some(host.address.clone())
        };
        address(now).is_some_and(|now| address(then) == Some(now))
    };
    let times = then.healthy_for.iter();
    let times = times.filter(|time| is_same(time.priority, time.host));
    let times = times.cloned().collect();
    now.healthy_for = times;
}

/// The health flags, unless the text has another health, and the reported weight.
fn keep_host(now: &mut Endpoint, then: &Endpoint) {
    if now.health == Health::from_status(then.health.nearest_status()) {
        now.health = then.health;
    }
    now.reported_weight = now.reported_weight.or(then.reported_weight);
}

/// The hosts of a cluster by address.
struct KnownHosts<'a>(BTreeMap<&'a str, KnownAddress<'a>>);

/// The hosts with one address: of several priorities, or of several localities of one.
#[derive(Default)]
struct KnownAddress<'a> {
    /// Each with its priority.
    hosts: Vec<(usize, &'a Endpoint)>,
    /// How many of each priority were found.
    found: BTreeMap<usize, usize>,
}

impl<'a> KnownHosts<'a> {
    fn of(plain: &'a PlainCluster) -> Self {
        let mut known = BTreeMap::<&str, KnownAddress<'a>>::new();
        for (at, priority) in plain.priorities.iter().enumerate() {
            for host in &priority.endpoints {
                let address = known.entry(&host.address).or_default();
                address.hosts.push((at, host));
            }
        }
        Self(known)
    }

    /// The next host with this address, preferably of the same priority.
    fn find(&mut self, priority: usize, address: &str) -> Option<&'a Endpoint> {
        let known = self.0.get_mut(address)?;
        let found = known.found.entry(priority).or_default();
        let mut same = known.hosts.iter().filter(|(at, _)| *at == priority);
        let host = same.nth(*found).or_else(|| known.hosts.first());
        *found += 1;
        host.map(|(_, host)| *host)
    }
}
