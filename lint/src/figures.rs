//! Figures from the engine, and their text form.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_core::{
    model::{
        Cluster, ClusterKind, CoarseHealth, Endpoint, Health, HealthStatus, Model, PlainCluster,
        Policy,
    },
    shares::Distribution,
    snapshot::{PlainSnapshot, Snapshot},
};

/// Percent with at most one decimal: `100 %`, `33.3 %`.
pub(crate) fn percent(value: f64) -> String {
    let tenths = (value * 10.0 + 0.5) as u64;
    match (tenths / 10, tenths % 10) {
        (0, 0) if value > 0.0 => String::from("under 0.1 %"),
        (whole, 0) => format!("{whole} %"),
        (whole, tenth) => format!("{whole}.{tenth} %"),
    }
}

/// `1 host`, `3 hosts`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
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
    let cluster = Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(plain),
    };
    // A single plain cluster cannot conflict.
    Snapshot::build(&Model::new(vec![cluster]).unwrap_or_default())
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

/// The same cluster, reduced to what affects loads, after the last `lost` usable hosts of a
/// priority failed.
pub(crate) fn losing(plain: &PlainCluster, priority: usize, lost: usize) -> PlainCluster {
    // Loads depend on health only, and tables are expensive to build.
    let mut after = PlainCluster {
        policy: Policy::RoundRobin,
        subsets: None,
        ..plain.clone()
    };
    let endpoints = after
        .priorities
        .get_mut(priority)
        .map(|priority| priority.endpoints.iter_mut());
    let failed = Health::from_status(HealthStatus::Unhealthy);
    let usable = |endpoint: &&mut Endpoint| endpoint.health.coarse() != CoarseHealth::Unhealthy;
    for endpoint in endpoints
        .into_iter()
        .flatten()
        .rev()
        .filter(usable)
        .take(lost)
    {
        endpoint.health = failed;
    }
    after
}

/// The load of a priority after losses, in percent.
pub(crate) fn load_after(plain: &PlainCluster, priority: usize, lost: usize) -> u32 {
    let snapshot = alone("", losing(plain, priority, lost));
    only(&snapshot).map_or(0, |plain| plain.whole.load.of_priority(priority))
}

/// The number of hosts of a priority that must fail before it loses load.
pub(crate) fn spill_point(plain: &PlainCluster, priority: usize, hosts: usize) -> usize {
    let before = load_after(plain, priority, 0);
    // Load only decreases as hosts fail, until all have failed.
    let (mut kept, mut spilled) = (0, hosts);
    while kept + 1 < spilled {
        let middle = (kept + spilled) / 2;
        if load_after(plain, priority, middle) < before {
            spilled = middle
        } else {
            kept = middle
        }
    }
    spilled
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
