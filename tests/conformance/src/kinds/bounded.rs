//! Kinds `bounded_load`, `bounded_load_shuffle`, `bounded_load_factor` and
//! `bounded_load_sequence`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::{
    model::{HashBalanceFactor, MaglevConfig},
    pick::{MaglevTable, NormalizedWeights, bounded, overload_factor, shuffled, slots},
};

use super::{Figures, Wide, figures, read};

/// The input of `bounded_load`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneChoice {
    base_host: usize,
    hash: Wide,
    hosts: usize,
    overload_factors: Vec<f64>,
}

/// The input of `bounded_load_shuffle`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shuffle {
    hash: Wide,
    hosts: usize,
}

/// The input of `bounded_load_factor`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Factor {
    host_active: u32,
    cluster_active: u32,
    hash_balance_factor: u32,
    weight: f64,
}

/// The input of `bounded_load_sequence`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sequence {
    hosts: Vec<Host>,
    table_size: u64,
    hash_balance_factor: u32,
    hash: Wide,
    requests: usize,
}

/// A host of a hash table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Host {
    hash_key: String,
    weight: u32,
}

/// The host that bounded load chooses for one hash.
pub(super) fn bounded_load(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: OneChoice = read(input)?;
    if input.overload_factors.len() != input.hosts || input.base_host >= input.hosts {
        return Err("input: hosts, base_host and overload_factors do not match".into());
    }
    let hash = input.hash.get()?;
    let overload = |host: usize| input.overload_factors.get(host).copied().unwrap_or(0.0);
    let host = bounded(
        input.base_host,
        hash,
        input.hosts,
        overload,
        &mut Vec::new(),
    );
    // The order omits the base host, unless it is the first one.
    let order: Vec<u32> = shuffled(hash, input.hosts);
    Ok(figures([("host", host.into()), ("shuffle", json!(order))]))
}

/// The order in which bounded load tries the hosts.
pub(super) fn shuffle(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Shuffle = read(input)?;
    let order = shuffled(input.hash.get()?, input.hosts);
    Ok(figures([("shuffle", json!(order))]))
}

/// The slots and the overload factor of a host.
pub(super) fn factor(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Factor = read(input)?;
    let factor = balance_factor(input.hash_balance_factor)?;
    let slots = slots(input.cluster_active, factor, input.weight);
    Ok(figures([
        ("slots", slots.into()),
        (
            "overload_factor",
            overload_factor(input.host_active, slots).into(),
        ),
    ]))
}

/// The hosts of consecutive requests with the same hash, which all stay active.
pub(super) fn sequence(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Sequence = read(input)?;
    let factor = balance_factor(input.hash_balance_factor)?;
    let config =
        MaglevConfig::new(input.table_size).map_err(|error| format!("input: {error:?}"))?;
    let hosts: Vec<(usize, u32)> = input
        .hosts
        .iter()
        .map(|host| host.weight)
        .enumerate()
        .collect();
    let weights = NormalizedWeights::flat(hosts);
    let key = |host: usize| {
        input
            .hosts
            .get(host)
            .map_or("", |host| host.hash_key.as_str())
    };
    let table = MaglevTable::build(config, &weights, key);
    let hash = input.hash.get()?;
    let base = table.lookup(hash, 0).ok_or("input: no hosts")?;
    let mut active = vec![0_u32; input.hosts.len()];
    let mut order = Vec::new();
    let mut chosen = Vec::new();
    for all in (0..).take(input.requests) {
        let overload = |host: usize| {
            let weight = weights.hosts.get(host).map_or(0.0, |host| host.weight);
            let active = active.get(host).copied().unwrap_or(0);
            overload_factor(active, slots(all, factor, weight))
        };
        let host = bounded(base, hash, input.hosts.len(), overload, &mut order);
        if let Some(count) = active.get_mut(host) {
            *count += 1;
        }
        chosen.push(host);
    }
    Ok(figures([("hosts", json!(chosen))]))
}

/// A `hash_balance_factor`, at least 100 %.
fn balance_factor(percent: u32) -> Result<HashBalanceFactor, String> {
    HashBalanceFactor::new(percent).ok_or_else(|| "input: a factor below 100".into())
}
