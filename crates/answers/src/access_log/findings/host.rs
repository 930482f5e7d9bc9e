//! The host, cluster and route of a line: whether the configuration has them, and uses them for such requests.

use spillgate_core::visible::quoted;
use spillgate_core::{
    model::CoarseHealth,
    snapshot::{HostRef, Snapshot},
};

use super::{Compared, total};

impl Compared<'_, '_> {
    /// The share of such requests that have the result of the line, in percent; `None` if nothing predicts it.
    pub(super) fn share(&self, differs: &mut Vec<String>) -> Option<f64> {
        match &self.line.host {
            Some(host) => Some(self.share_of_host(host, differs)),
            None => self.share_of_status(differs),
        }
    }

    fn share_of_host(&self, host: &str, differs: &mut Vec<String>) -> f64 {
        let outcomes = self.verdict.outcomes.iter();
        let same = outcomes.filter(|outcome| outcome.endpoint == host);
        let share = total(same.map(|outcome| outcome.share));
        if share > 0.0 {
            return share;
        }
        differs.push(match self.owners(host).as_slice() {
            [] => format!("no cluster of this configuration has the host {host}"),
            owners => format!(
                "such requests do not go to {host} ({}) with this health",
                owners.join(", ")
            ),
        });
        0.0
    }

    /// The priorities with a host, such as `shop P1`.
    fn owners(&self, address: &str) -> Vec<String> {
        let owners = self.hosts(address).filter_map(|host| {
            let cluster = self.asked.snapshot.cluster(host.cluster)?;
            Some(format!("{} P{}", cluster.name, host.priority))
        });
        owners.collect()
    }

    /// The hosts with an address.
    fn hosts(&self, address: &str) -> impl Iterator<Item = HostRef> {
        let hosts = all_hosts(self.asked.snapshot).into_iter();
        hosts.filter(move |host| {
            let endpoint = self.asked.snapshot.endpoint(*host);
            endpoint.is_some_and(|endpoint| endpoint.address == address)
        })
    }

    /// Whether such requests reach the host of the line although it is unhealthy: in panic mode.
    pub(super) fn uses_unhealthy_host(&self, address: &str) -> bool {
        let mut outcomes = self.verdict.outcomes.iter();
        let mut hosts = self.hosts(address);
        let snapshot = self.asked.snapshot;
        outcomes.any(|outcome| outcome.endpoint == address)
            && hosts.all(|host| {
                let endpoint = snapshot.endpoint(host);
                endpoint.is_some_and(|endpoint| endpoint.health.coarse() == CoarseHealth::Unhealthy)
            })
    }

    /// A response of Envoy itself, unless a flag names a cause that is not balancing.
    fn share_of_status(&self, differs: &mut Vec<String>) -> Option<f64> {
        const PREDICTED: [&str; 5] = ["UH", "NR", "NC", "DO", "UDO"];
        let mut flags = self.line.flags.iter();
        if !flags.all(|flag| PREDICTED.contains(&flag.name)) {
            return None;
        }
        let status = self.line.status?;
        let replies = self.verdict.replies.iter();
        let same = replies.filter(|reply| reply.status == status);
        let share = total(same.map(|reply| reply.share));
        // The flag has said so already.
        if share == 0.0 && self.line.flags.is_empty() {
            let have = self
                .verdict
                .replies
                .iter()
                .map(|reply| reply.text("closed"));
            let have: Vec<String> = have.collect();
            differs.push(match have.as_slice() {
                [] => "such requests go to a host; a filter can have answered instead".to_owned(),
                have => format!(
                    "Envoy does not answer such requests with {status}, but with {}",
                    have.join(", ")
                ),
            });
        }
        Some(share)
    }

    /// Whether such requests can reach the cluster of the line.
    pub(super) fn cluster(&self, differs: &mut Vec<String>) {
        let Some(name) = &self.line.cluster else {
            return;
        };
        let snapshot = self.asked.snapshot;
        let reached = &self.verdict.reached.clusters;
        match snapshot.cluster_id(name) {
            None => differs.push(format!("this configuration has no cluster {name}")),
            Some(id) if !reached.contains(&id) && !self.is_steered => {
                let names = reached.iter().filter_map(|id| snapshot.cluster(*id));
                let names: Vec<&str> = names.map(|cluster| cluster.name.as_str()).collect();
                differs.push(match names.as_slice() {
                    [] => format!("such requests reach no cluster, and not {name}"),
                    names => format!("such requests reach {}, and not {name}", names.join(", ")),
                });
            }
            Some(_) => {}
        }
    }

    /// Whether the route of the line can match.
    pub(super) fn route(&self, differs: &mut Vec<String>) {
        let Some(name) = &self.line.route else {
            return;
        };
        let matched: Vec<&str> = self.matched().map(|route| route.name.as_str()).collect();
        if !matched.is_empty() && !matched.contains(&name.as_str()) {
            differs.push(format!(
                "the route {} matches, and not {}",
                quoted(&matched.join(", ")),
                quoted(name)
            ));
        }
    }
}

/// All hosts of a snapshot.
pub(super) fn all_hosts(snapshot: &Snapshot) -> Vec<HostRef> {
    let mut hosts = Vec::new();
    for (cluster, _) in snapshot.clusters() {
        let plain = snapshot.plain(cluster).into_iter();
        for (priority, of) in plain.flat_map(|plain| &plain.priorities).enumerate() {
            let numbers = 0..of.len();
            hosts.extend(numbers.map(|host| HostRef {
                cluster,
                priority,
                host,
            }));
        }
    }
    hosts
}
