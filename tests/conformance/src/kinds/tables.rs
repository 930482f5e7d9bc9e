//! Kinds `ring_hash` and `maglev`.

use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use spillgate_core::{
    model::{
        DEFAULT_MAGLEV_TABLE_SIZE, DEFAULT_MAXIMUM_RING_SIZE, DEFAULT_MINIMUM_RING_SIZE,
        HashFunction, MaglevConfig, RingHashConfig,
    },
    pick::{MaglevTable, NormalizedWeights, Ring},
};

use super::{Figures, Wide, figures, read, read_field};

/// The input of `ring_hash`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RingInput {
    hosts: Vec<Host>,
    config: RingConfig,
    localities: Option<Vec<Vec<usize>>>,
    locality_weights: Option<Vec<u32>>,
}

/// The settings of the ring.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RingConfig {
    minimum_ring_size: Option<u64>,
    maximum_ring_size: Option<u64>,
    hash_function: Option<String>,
}

/// The input of `maglev`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaglevInput {
    hosts: Vec<Host>,
    table_size: Option<u64>,
    localities: Option<Vec<Vec<usize>>>,
    locality_weights: Option<Vec<u32>>,
}

/// A host with its hash key and weight.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Host {
    hash_key: String,
    weight: u32,
}

/// One lookup: a hash and an attempt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lookup {
    hash: Wide,
    #[serde(default)]
    attempt: u32,
    #[serde(rename = "host")]
    _host: Option<usize>,
}

/// The number of evenly spaced hashes, and the expected hosts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Histogram {
    steps: u64,
    step: Wide,
    #[serde(rename = "counts")]
    _counts: Vec<u64>,
}

/// The ring, and the hosts of lookups.
pub(super) fn ring_hash(input: &Value, asked: &Figures) -> Result<Figures, String> {
    let input: RingInput = read(input)?;
    let function = match input.config.hash_function.as_deref() {
        None | Some("DEFAULT_HASH" | "XX_HASH") => HashFunction::XxHash,
        Some("MURMUR_HASH_2") => HashFunction::MurmurHash2,
        Some(other) => return Err(format!("unknown hash function {other:?}")),
    };
    let config = RingHashConfig::new(
        input
            .config
            .minimum_ring_size
            .unwrap_or(DEFAULT_MINIMUM_RING_SIZE),
        input
            .config
            .maximum_ring_size
            .unwrap_or(DEFAULT_MAXIMUM_RING_SIZE),
        function,
    )
    .map_err(|error| format!("input: {error:?}"))?;
    let weights = weights(&input.hosts, input.localities, input.locality_weights)?;
    let ring = Ring::build(&config, &weights, |host| key(&input.hosts, host));

    let lookup = |hash, attempt| ring.lookup(hash, attempt);
    let mut found = figures([
        ("size", ring.size().into()),
        ("min_hashes_per_host", ring.min_hashes_per_host().into()),
        ("max_hashes_per_host", ring.max_hashes_per_host().into()),
        ("entries", ring.entries().len().into()),
        ("none", ring.entries().is_empty().into()),
        ("lookups", lookups(asked, lookup)?),
        ("histogram", histogram(asked, input.hosts.len(), lookup)?),
    ]);
    if asked.contains_key("ring") {
        let points = ring
            .entries()
            .iter()
            .map(|entry| json!([entry.hash.to_string(), entry.host]));
        found.insert("ring".into(), points.collect());
    }
    if asked.contains_key("ring_sha256") {
        let mut text = String::new();
        for entry in ring.entries() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}:{}", entry.hash, entry.host);
        }
        found.insert("ring_sha256".into(), sha256(&text).into());
    }
    Ok(found)
}

/// The table, and the hosts of lookups.
pub(super) fn maglev(input: &Value, asked: &Figures) -> Result<Figures, String> {
    let input: MaglevInput = read(input)?;
    let size = input
        .table_size
        .unwrap_or(u64::from(DEFAULT_MAGLEV_TABLE_SIZE));
    let config = MaglevConfig::new(size).map_err(|error| format!("input: {error:?}"))?;
    let weights = weights(&input.hosts, input.localities, input.locality_weights)?;
    let table = MaglevTable::build(config, &weights, |host| key(&input.hosts, host));

    let lookup = |hash, attempt| table.lookup(hash, attempt);
    let mut counts = vec![0_u64; input.hosts.len()];
    for &slot in table.slots() {
        if let Some(count) = counts.get_mut(slot as usize) {
            *count += 1;
        }
    }
    let mut found = figures([
        ("min_entries_per_host", table.min_entries_per_host().into()),
        ("max_entries_per_host", table.max_entries_per_host().into()),
        ("counts", json!(counts)),
        ("none", table.slots().is_empty().into()),
        ("lookups", lookups(asked, lookup)?),
        ("histogram", histogram(asked, input.hosts.len(), lookup)?),
    ]);
    if asked.contains_key("table") {
        found.insert("table".into(), json!(table.slots()));
    }
    if asked.contains_key("table_first64") {
        let first: Vec<u32> = table.slots().iter().copied().take(64).collect();
        found.insert("table_first64".into(), json!(first));
    }
    if asked.contains_key("table_sha256") {
        let slots: Vec<String> = table.slots().iter().map(ToString::to_string).collect();
        found.insert("table_sha256".into(), sha256(&slots.join(",")).into());
    }
    Ok(found)
}

/// The normalized weights of the hosts.
fn weights(
    hosts: &[Host],
    localities: Option<Vec<Vec<usize>>>,
    locality_weights: Option<Vec<u32>>,
) -> Result<NormalizedWeights, String> {
    let weighted = |index: usize| match hosts.get(index) {
        Some(host) if host.weight > 0 => Ok((index, host.weight)),
        Some(_) => Err(format!("input: host {index} has a weight of 0")),
        None => Err(format!("input: unknown host {index}")),
    };
    match (localities, locality_weights) {
        (Some(localities), Some(weights)) if localities.len() == weights.len() => {
            let mut weighted_localities: Vec<(u32, Vec<(usize, u32)>)> = Vec::new();
            for (weight, members) in weights.into_iter().zip(localities) {
                let members = members.into_iter().map(weighted);
                weighted_localities.push((weight, members.collect::<Result<_, _>>()?));
            }
            Ok(NormalizedWeights::by_locality(weighted_localities))
        }
        (_, None) => {
            let hosts: Vec<(usize, u32)> =
                (0..hosts.len()).map(weighted).collect::<Result<_, _>>()?;
            Ok(NormalizedWeights::flat(hosts))
        }
        _ => Err("input: localities and locality_weights differ in length".into()),
    }
}

/// The hash key of a host.
fn key(hosts: &[Host], host: usize) -> &str {
    hosts.get(host).map_or("", |host| host.hash_key.as_str())
}

/// The results of the requested lookups.
fn lookups(asked: &Figures, lookup: impl Fn(u64, u32) -> Option<usize>) -> Result<Value, String> {
    let asked: Vec<Lookup> = read_field(asked, "lookups")?.unwrap_or_default();
    asked
        .iter()
        .map(|asked| {
            let hash = asked.hash.get()?;
            Ok(json!({"hash": hash.to_string(), "attempt": asked.attempt,
                      "host": lookup(hash, asked.attempt)}))
        })
        .collect()
}

/// The number of evenly spaced hashes by host.
fn histogram(
    asked: &Figures,
    hosts: usize,
    lookup: impl Fn(u64, u32) -> Option<usize>,
) -> Result<Value, String> {
    let Some(histogram) = read_field::<Histogram>(asked, "histogram")? else {
        return Ok(Value::Null);
    };
    let step = histogram.step.get()?;
    let mut counts = vec![0_u64; hosts];
    for k in 0..histogram.steps {
        let host = lookup(k.wrapping_mul(step), 0);
        if let Some(count) = host.and_then(|host| counts.get_mut(host)) {
            *count += 1;
        }
    }
    Ok(json!({"steps": histogram.steps, "step": step.to_string(), "counts": counts}))
}

/// The SHA-256 of a text, in hexadecimal digits.
fn sha256(text: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
