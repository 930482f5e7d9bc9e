//! Figures from the engine, and their text form.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_core::{
    model::{Model, PlainCluster},
    shares::Distribution,
    snapshot::{PlainSnapshot, Snapshot},
};
use spillgate_explain::format;

/// Percent with at most one decimal: `100 %`, `33.3 %`.
pub(crate) fn percent(value: f64) -> String {
    format::plain(&format::percent(value))
}

/// `1 host`, `3 hosts`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    format::plain(&format::plural(count, one))
}

/// The result of requests with a distribution, as the end of a sentence.
pub(crate) fn fate(distribution: &Distribution, hosts: usize) -> String {
    if distribution.no_host > 0.0 {
        return format!("503 ({})", percent(distribution.no_host));
    }
    match distribution.shares.len() {
        1 if hosts == 1 => String::from("the only host"),
        served if served == hosts => format!("any of {}", counted(hosts, "host")),
        served => format!("{served} of {}", counted(hosts, "host")),
    }
}

/// A compiled cluster.
pub(crate) fn alone(name: &str, plain: PlainCluster) -> Snapshot {
    Snapshot::build(&Model::single(name, plain))
}

/// The only cluster of [`alone`].
pub(crate) fn only(snapshot: &Snapshot) -> Option<&PlainSnapshot> {
    let (id, _) = snapshot.clusters().next()?;
    snapshot.plain(id)
}

/// The shares of the only cluster of [`alone`].
pub(crate) fn shares(snapshot: &Snapshot) -> Distribution {
    let id = snapshot.clusters().next().map(|(id, _)| id);
    id.map(|id| snapshot.distribution(id, None))
        .unwrap_or_default()
}

/// The shares of the localities of a priority, in percent of the cluster's requests.
pub(crate) fn locality_shares(
    plain: &PlainCluster,
    distribution: &Distribution,
    priority: usize,
) -> Vec<f64> {
    let Some(found) = plain.priorities.get(priority) else {
        return Vec::new();
    };
    let mut sums = vec![0.0; found.localities.len()];
    for share in distribution
        .shares
        .iter()
        .filter(|s| s.priority == priority)
    {
        let endpoint = found.endpoints.get(share.host);
        if let Some(sum) = endpoint.and_then(|e| sums.get_mut(e.locality)) {
            *sum += share.share;
        }
    }
    sums
}
