//! Predicted and counted shares.

use std::{collections::HashMap, time::Duration};

use spillgate_answers::split::Split;
use spillgate_explain::{host_address, report::ClusterReport};
use spillgate_observe::{ConfidenceBand, ObservedShare};

use super::{confidence::quantile, counted::CountedRequests};

/// The comparison of all clusters.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The time in which Envoy counted the requests.
    pub(crate) time: Duration,
    pub(crate) clusters: Vec<ComparedCluster>,
}

/// A cluster or aggregate.
#[derive(Debug)]
pub(crate) struct ComparedCluster {
    pub(crate) name: String,
    /// All counted requests.
    pub(crate) requests: u64,
    /// The predicted share of requests that find no host, in percent. No host counts them.
    pub(crate) no_host: f64,
    pub(crate) priorities: Vec<ComparedShare>,
    pub(crate) hosts: Vec<ComparedShare>,
}

/// The share of a priority or host.
#[derive(Debug)]
pub(crate) struct ComparedShare {
    /// The address of a host; empty for a priority.
    pub(crate) address: String,
    /// The cluster that owns it.
    pub(crate) cluster: String,
    /// The priority in that cluster.
    pub(crate) priority: usize,
    /// Its name: `P1`, of an aggregate's member `member P1`.
    pub(crate) name: String,
    /// The predicted share of the requests that reach a host, from 0 to 1. `None` for a host that the model
    /// does not have.
    pub(crate) predicted: Option<f64>,
    pub(crate) observed: ObservedShare,
    /// The shares that fit the count; `None` without requests.
    pub(crate) band: Option<ConfidenceBand>,
}

impl Comparison {
    /// Compares clusters. `keys` is the number of different hash keys or sessions, if it is smaller than the
    /// number of requests.
    pub(crate) fn new(split: &Split, counted: &CountedRequests, keys: Option<u64>) -> Self {
        let reports = split.clusters.iter().map(|report| (report, counted));
        Self {
            time: counted.time,
            clusters: compare(split, reports, keys),
        }
    }

    /// Whether there are requests, and all shares fit them.
    pub(crate) fn agrees(&self) -> bool {
        let mut clusters = self.clusters.iter();
        self.has_requests() && clusters.all(ComparedCluster::agrees)
    }

    /// Whether Envoy counted requests.
    pub(crate) fn has_requests(&self) -> bool {
        self.clusters.iter().any(|cluster| cluster.requests > 0)
    }
}

/// Compares clusters, each with the requests of its own time. The probability of an error is that of all clusters
/// together.
pub(crate) fn compare<'c>(
    split: &Split,
    reports: impl Iterator<Item = (&'c ClusterReport, &'c CountedRequests)>,
    keys: Option<u64>,
) -> Vec<ComparedCluster> {
    let clusters = reports.map(|(report, counted)| ComparedCluster::new(split, report, counted));
    let mut clusters: Vec<_> = clusters.collect();
    let with_requests = clusters.iter().filter(|cluster| cluster.requests > 0);
    let shares = with_requests.map(|cluster| cluster.shares().count()).sum();
    let quantile = quantile(shares);
    for cluster in &mut clusters {
        let shares = cluster.priorities.iter_mut().chain(&mut cluster.hosts);
        shares.for_each(|share| share.set_band(quantile, keys));
    }
    clusters
}

impl ComparedCluster {
    fn new(split: &Split, report: &ClusterReport, counted: &CountedRequests) -> Self {
        let mut uncounted = Uncounted::new(report, counted);
        let requests = uncounted.total();
        let observed = |count| ObservedShare {
            count,
            total: requests,
        };
        let served = 100.0 - report.no_host;
        let predicted = |share: f64| if served > 0.0 { share / served } else { 0.0 };
        let mut hosts = Vec::new();
        let mut by_row = HashMap::<usize, u64>::new();
        for (row, host, share) in report.hosts() {
            let address = host_address(&split.snapshot, host);
            let count = uncounted.take(&row.owner, host.priority, address);
            *by_row.entry(row.place).or_default() += count;
            hosts.push(ComparedShare {
                address: address.into(),
                cluster: row.owner.clone(),
                priority: host.priority,
                name: row.name.clone(),
                predicted: Some(predicted(share)),
                observed: observed(count),
                band: None,
            });
        }
        for (cluster, priority, address, count) in uncounted.rest() {
            hosts.push(ComparedShare {
                name: format!("P{priority}"),
                address,
                cluster,
                priority,
                predicted: None,
                observed: observed(count),
                band: None,
            });
        }
        let rows = report.priorities.iter().filter(|row| !row.repeated);
        let priorities = rows.map(|row| ComparedShare {
            address: String::new(),
            cluster: row.owner.clone(),
            priority: row.row.at.priority,
            name: row.name.clone(),
            predicted: Some(predicted(row.share())),
            observed: observed(by_row.get(&row.place).copied().unwrap_or(0)),
            band: None,
        });
        Self {
            name: report.name.clone(),
            requests,
            no_host: report.no_host,
            priorities: priorities.collect(),
            hosts,
        }
    }

    /// Whether all shares fit, also without requests.
    pub(crate) fn agrees(&self) -> bool {
        self.shares().all(ComparedShare::agrees)
    }

    /// The shares of priorities and hosts.
    pub(crate) fn shares(&self) -> impl Iterator<Item = &ComparedShare> {
        self.priorities.iter().chain(&self.hosts)
    }
}

impl ComparedShare {
    /// The band of the count. Requests with one key are one choice of a host.
    fn set_band(&mut self, quantile: f64, keys: Option<u64>) {
        let ObservedShare { count, total } = self.observed;
        let choices = keys.map_or(total, |keys| keys.min(total));
        let scale = |count: u64| match total {
            0 => 0,
            total => (count as f64 * choices as f64 / total as f64).round() as u64,
        };
        self.band = ConfidenceBand::with_quantile(scale(count), choices, quantile);
    }

    /// Whether the predicted share is in the band.
    pub(crate) fn agrees(&self) -> bool {
        match (self.predicted, self.band) {
            // A host that the model does not have must not get requests.
            (None, _) => self.observed.count == 0,
            (Some(predicted), Some(band)) => band.contains(predicted),
            (Some(_), None) => true,
        }
    }
}

/// The priorities and requests of the hosts of one cluster, by address.
type CountedHosts<'c> = HashMap<&'c str, Vec<(usize, u64)>>;

/// The counted requests of hosts that no predicted host has taken, by cluster.
struct Uncounted<'c>(HashMap<&'c str, CountedHosts<'c>>);

impl<'c> Uncounted<'c> {
    fn new(report: &'c ClusterReport, counted: &'c CountedRequests) -> Self {
        let owners = report.priorities.iter().map(|row| &*row.owner);
        let clusters = owners.chain([&*report.name]).map(|owner| {
            let mut hosts = HashMap::<_, Vec<_>>::new();
            for host in counted.hosts(owner) {
                let places = hosts.entry(host.address.as_str()).or_default();
                places.push((host.priority, host.requests));
            }
            (owner, hosts)
        });
        Self(clusters.collect())
    }

    fn total(&self) -> u64 {
        let hosts = self.0.values().flat_map(HashMap::values).flatten();
        hosts.map(|(_, requests)| requests).sum()
    }

    /// The requests of a host, preferably in that priority.
    fn take(&mut self, cluster: &str, priority: usize, address: &str) -> u64 {
        let hosts = self.0.get_mut(cluster);
        let Some(places) = hosts.and_then(|hosts| hosts.get_mut(address)) else {
            return 0;
        };
        let exact = places.iter().position(|(at, _)| *at == priority);
        if places.is_empty() {
            0
        } else {
            places.remove(exact.unwrap_or(0)).1
        }
    }

    /// The other hosts: cluster, priority, address and requests, sorted.
    fn rest(self) -> Vec<(String, usize, String, u64)> {
        let mut rest = Vec::new();
        for (cluster, hosts) in self.0 {
            for (address, places) in hosts {
                rest.extend(places.into_iter().map(|(priority, requests)| {
                    (cluster.to_owned(), priority, address.to_owned(), requests)
                }));
            }
        }
        rest.sort();
        rest
    }
}
