//! `failoverPriority`: priorities by matching labels (`applyFailoverPriorities`).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{IstioEndpoint, IstioVersion, NETWORK_LABEL};
use crate::{LocalityGroup, model::squeeze};

/// Splits each locality by the number of leading labels that an endpoint shares with the proxy, then
/// removes gaps in the priorities. Without proxy labels, nothing changes.
pub(super) fn apply(
    keys: &[String],
    version: IstioVersion,
    proxy: &BTreeMap<String, String>,
    groups: Vec<LocalityGroup>,
    endpoints: &[IstioEndpoint],
) -> Vec<LocalityGroup> {
    if proxy.is_empty() {
        return groups;
    }
    let wanted: Vec<(&str, &str)> = keys.iter().map(|key| wanted(key, proxy)).collect();
    // The key as written: a network with a value counts as any other label.
    let by_network =
        version >= IstioVersion::V1_31 && keys.first().is_some_and(|key| key == NETWORK_LABEL);
    let mut split = Vec::new();
    for group in groups {
        let mut parts: BTreeMap<u32, LocalityGroup> = BTreeMap::new();
        for index in group.endpoints {
            let Some(endpoint) = endpoints.get(index) else {
                continue;
            };
            let part = parts
                .entry(rank(&wanted, by_network, &endpoint.labels))
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

/// The number of labels from the first one on that differs; a missing label counts as empty. Since Istio
/// 1.31, another network does not end the comparison if it is the first label: all endpoints of
/// other networks come after those of the own one, in the order of the other labels.
fn rank(wanted: &[(&str, &str)], by_network: bool, labels: &BTreeMap<String, String>) -> u32 {
    let differs =
        |(key, value): &(&str, &str)| labels.get(*key).map_or("", String::as_str) != *value;
    let other_network = by_network && wanted.first().is_some_and(differs);
    let rest = wanted.get(usize::from(other_network)..).unwrap_or_default();
    let same = rest.iter().take_while(|label| !differs(label)).count();
    let further = if other_network { wanted.len() } else { 0 };
    u32::try_from(rest.len() - same + further).unwrap_or(u32::MAX)
}
