//! `failoverPriority`: priorities by matching labels (`applyFailoverPriorities`).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::IstioEndpoint;
use crate::{LocalityGroup, model::squeeze};

/// Splits each locality by the number of leading labels that an endpoint shares with the proxy, then
/// removes gaps in the priorities. Without proxy labels, nothing changes.
pub(super) fn apply(
    keys: &[String],
    proxy: &BTreeMap<String, String>,
    groups: Vec<LocalityGroup>,
    endpoints: &[IstioEndpoint],
) -> Vec<LocalityGroup> {
    if proxy.is_empty() {
        return groups;
    }
    let wanted: Vec<(&str, &str)> = keys.iter().map(|key| wanted(key, proxy)).collect();
    let mut split = Vec::new();
    for group in groups {
        let mut parts: BTreeMap<u32, LocalityGroup> = BTreeMap::new();
        for index in group.endpoints {
            let Some(endpoint) = endpoints.get(index) else {
                continue;
            };
            let part = parts
                .entry(mismatches(&wanted, &endpoint.labels))
                .or_default();
            let weight = part.weight.unwrap_or(0);
            part.weight = Some(weight.saturating_add(endpoint.host.weight.get()));
            part.endpoints.push(index);
        }
        split.extend(parts.into_iter().map(|(priority, part)| LocalityGroup {
            priority,
            locality: group.locality.clone(),
            ..part
        }));
    }
    squeeze(&mut split);
    split
}

/// The key and the value of an entry `key=value`, or the value of the proxy for `key`.
fn wanted<'a>(entry: &'a str, proxy: &'a BTreeMap<String, String>) -> (&'a str, &'a str) {
    let own = || (entry, proxy.get(entry).map_or("", String::as_str));
    entry.split_once('=').unwrap_or_else(own)
}

/// The number of labels from the first one on that differs; a missing label counts as empty.
fn mismatches(wanted: &[(&str, &str)], labels: &BTreeMap<String, String>) -> u32 {
    let of = |key: &str| labels.get(key).map_or("", String::as_str);
    let matching = wanted.iter().take_while(|(key, value)| of(key) == *value);
    u32::try_from(wanted.len() - matching.count()).unwrap_or(u32::MAX)
}
