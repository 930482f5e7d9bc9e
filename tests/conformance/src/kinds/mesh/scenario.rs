//! Percentages of requests while some endpoints are unhealthy.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use spillgate_core::{
    model::{HashBalanceFactor, HealthStatus, MaglevConfig, Metadata, Policy},
    snapshot::{PlainSnapshot, Snapshot},
};
use spillgate_mesh::MeshHost;

use super::assigned::{Assigned, CLUSTER};

/// A scenario of a vector. Only its figures with a value in the vector are computed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    name: String,
    unhealthy: Vec<String>,
    priority_load: Option<Value>,
    group_percent: Option<Value>,
    endpoint_percent: Option<Value>,
    panic_priorities: Option<Value>,
    no_host_percent: Option<Value>,
    hash_lb: Option<Hashed>,
}

/// The percentages with a hash policy.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hashed {
    group_percent: Option<Value>,
    no_host_percent: Option<Value>,
}

/// The share of each host, by priority and index, and of requests without a host, in percent.
struct Shares {
    hosts: Vec<((usize, usize), f64)>,
    no_host: f64,
}

/// The figures of a scenario.
pub(super) fn figures_of(assigned: &Assigned<'_>, scenario: &Scenario) -> Result<Value, String> {
    let mut hosts = assigned.hosts.clone();
    for address in &scenario.unhealthy {
        let mut known = false;
        for host in hosts.iter_mut().filter(|host| host.address == *address) {
            known = true;
            host.health = HealthStatus::Unhealthy;
        }
        if !known {
            return Err(format!("scenarios: unknown endpoint {address:?}"));
        }
    }
    let model = assigned.model(&hosts, |_| {})?;
    let snapshot = Snapshot::build(&model);
    let plain = plain(&snapshot)?;
    let load = &plain.whole.load;
    let numbers = 0..plain.priorities.len();
    let loads = numbers
        .clone()
        .map(|number| (number, load.of_priority(number)))
        .filter(|(_, load)| *load > 0);
    let loads: Map<String, Value> = loads
        .map(|(number, load)| (number.to_string(), load.into()))
        .collect();
    let panics = numbers.filter(|&number| {
        let hosts = plain.priorities.get(number);
        load.panics(number) && hosts.is_some_and(|hosts| !hosts.is_empty())
    });
    let panics: Vec<usize> = panics.collect();
    let shares = shares(&snapshot)?;
    let mut figures = Map::new();
    let mut add = |name: &str, asked: bool, value: Value| {
        if asked {
            figures.insert(name.into(), value);
        }
    };
    add("name", true, json!(scenario.name));
    add("unhealthy", true, json!(scenario.unhealthy));
    add(
        "priority_load",
        scenario.priority_load.is_some(),
        loads.into(),
    );
    add(
        "panic_priorities",
        scenario.panic_priorities.is_some(),
        json!(panics),
    );
    add(
        "no_host_percent",
        scenario.no_host_percent.is_some(),
        json!(shares.no_host),
    );
    let groups = group_percent(assigned, plain, &shares);
    add("group_percent", scenario.group_percent.is_some(), groups);
    let endpoints = endpoint_percent(plain, &shares);
    add(
        "endpoint_percent",
        scenario.endpoint_percent.is_some(),
        endpoints,
    );
    if let Some(asked) = &scenario.hash_lb {
        add("hash_lb", true, hashed(assigned, &hosts, asked)?);
    }
    Ok(figures.into())
}

/// The figures with a Maglev table. A table has few slots; the percentages are those of the
/// normalized weights that it is built from.
fn hashed(assigned: &Assigned<'_>, hosts: &[MeshHost], asked: &Hashed) -> Result<Value, String> {
    let model = assigned.model(hosts, |cluster| {
        cluster.policy = Policy::Maglev(MaglevConfig::default());
        // With bounded load, the snapshot keeps the weights.
        cluster.hash_balance_factor = HashBalanceFactor::new(100);
    })?;
    let snapshot = Snapshot::build(&model);
    let plain = plain(&snapshot)?;
    let mut shares = Shares {
        hosts: Vec::new(),
        no_host: 0.0,
    };
    for (number, priority) in plain.whole.priorities.iter().enumerate() {
        let load = f64::from(plain.whole.load.of_priority(number));
        let table = priority
            .table
            .as_ref()
            .and_then(|table| table.bounded.as_ref());
        let weighted = table
            .map(|table| table.hosts.as_slice())
            .unwrap_or_default();
        let sum: f64 = weighted.iter().map(|host| host.weight).sum();
        if weighted.is_empty() {
            shares.no_host += load;
        }
        let shared = weighted
            .iter()
            .map(|host| ((number, host.host), load * host.weight / sum));
        shares.hosts.extend(shared);
    }
    let mut figures = Map::new();
    if asked.group_percent.is_some() {
        let groups = group_percent(assigned, plain, &shares);
        figures.insert("group_percent".into(), groups);
    }
    if asked.no_host_percent.is_some() {
        figures.insert("no_host_percent".into(), json!(shares.no_host));
    }
    Ok(figures.into())
}

/// The exact shares of the policy in the snapshot.
fn shares(snapshot: &Snapshot) -> Result<Shares, String> {
    let id = snapshot.cluster_id(CLUSTER).ok_or("no cluster")?;
    let found = snapshot.distribution_for(id, &Metadata::EMPTY, None);
    let hosts = found.shares.iter();
    Ok(Shares {
        hosts: hosts.map(|of| ((of.priority, of.host), of.share)).collect(),
        no_host: found.no_host,
    })
}

fn plain(snapshot: &Snapshot) -> Result<&PlainSnapshot, String> {
    let id = snapshot.cluster_id(CLUSTER).ok_or("no cluster")?;
    snapshot.plain(id).ok_or_else(|| "no plain cluster".into())
}

/// The percentage of each group, including 0.
fn group_percent(assigned: &Assigned<'_>, plain: &PlainSnapshot, shares: &Shares) -> Value {
    let groups = &assigned.assignment.groups;
    let mut sums: BTreeMap<String, f64> = groups
        .iter()
        .map(|group| (assigned.name(group), 0.0))
        .collect();
    for (at, share) in &shares.hosts {
        let group = groups.iter().find(|group| {
            let mut members = group
                .endpoints
                .iter()
                .map(|&member| assigned.address(member));
            group.priority as usize == at.0 && members.any(|member| member == address(plain, *at))
        });
        if let Some(group) = group {
            *sums.entry(assigned.name(group)).or_default() += share;
        }
    }
    json!(sums)
}

/// The percentage of each endpoint that gets requests.
fn endpoint_percent(plain: &PlainSnapshot, shares: &Shares) -> Value {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for (at, share) in &shares.hosts {
        *sums.entry(address(plain, *at)).or_default() += share;
    }
    json!(sums)
}

fn address(plain: &PlainSnapshot, (priority, host): (usize, usize)) -> &str {
    let endpoint = plain.endpoint(priority, host);
    endpoint.map_or("", |endpoint| endpoint.address.as_str())
}

/// The percentage of each zone, and of requests without a host, while all endpoints are healthy.
pub(super) fn zone_percent(
    assigned: &Assigned<'_>,
) -> Result<(BTreeMap<String, f64>, f64), String> {
    let model = assigned.model(&assigned.hosts, |_| {})?;
    let snapshot = Snapshot::build(&model);
    let plain = plain(&snapshot)?;
    let shares = shares(&snapshot)?;
    let mut zones = BTreeMap::new();
    for (at, share) in &shares.hosts {
        let member = assigned.assignment.groups.iter().find(|group| {
            let mut members = group
                .endpoints
                .iter()
                .map(|&member| assigned.address(member));
            members.any(|member| member == address(plain, *at))
        });
        if let Some(group) = member {
            *zones.entry((assigned.place)(group).0).or_default() += share;
        }
    }
    Ok((zones, shares.no_host))
}
