//! Builds the hash table of a priority.

use alloc::{sync::Arc, vec::Vec};

use super::{
    HostList, HostSet, HostsSource,
    host_set::HostSetContext,
    table::{BoundedHosts, HashTable, RendezvousHost, TableKind},
};
use crate::{
    hash::xxh64,
    model::Policy,
    pick::{MaglevTable, NormalizedWeights, Ring},
};

/// The hash table over the hosts of `source`. Hash tables contain the healthy hosts of a priority, or all hosts in panic mode; never degraded
/// hosts, as in Envoy.
pub(super) fn build_table(
    context: &HostSetContext<'_>,
    priority: &HostSet,
    source: HostsSource,
) -> Option<Arc<HashTable>> {
    let hosts = priority.list(source);
    let key = |host: usize| context.hosts.hash_key(host);
    let (kind, weights) = match &context.settings.policy {
        Policy::RingHash(config) => {
            let weights = weights(context, priority, hosts);
            (TableKind::Ring(Ring::build(config, &weights, key)), weights)
        }
        Policy::Maglev(config) => {
            let weights = weights(context, priority, hosts);
            let table = MaglevTable::build(*config, &weights, key);
            (TableKind::Maglev(table), weights)
        }
        Policy::Rendezvous => {
            let hashed = hosts.iter().map(|host| RendezvousHost {
                host: host as u32,
                weight: context.hosts.weight(host),
                key: xxh64(key(host).as_bytes(), 0),
            });
            let table = TableKind::Rendezvous(hashed.collect());
            // Rendezvous hashing ignores localities, so that the score of a host depends only on
            // its own key.
            let weighted = hosts.iter().map(|host| (host, context.hosts.weight(host)));
            (table, NormalizedWeights::flat(weighted))
        }
        _ => return None,
    };
    let bounded = context.settings.hash_balance_factor;
    Some(Arc::new(HashTable {
        kind,
        bounded: bounded.map(|_| BoundedHosts::new(weights.hosts, context.hosts.len())),
    }))
}

fn weights(
    context: &HostSetContext<'_>,
    priority: &HostSet,
    list: HostList<'_>,
) -> NormalizedWeights {
    let hosts = context.hosts;
    let weighted = |host: usize| (host, hosts.weight(host));
    let localities = if context.settings.locality_lb.is_weighted() {
        priority.weights(context)
    } else {
        Vec::new()
    };
    let flat = || NormalizedWeights::flat(list.iter().map(weighted));
    if localities.is_empty() {
        return flat();
    }
    let in_locality = |index: usize| {
        list.iter()
            .filter(move |&host| hosts.locality_of(host) == Some(index))
            .map(weighted)
    };
    let by_index = localities
        .iter()
        .enumerate()
        .map(|(index, &weight)| (weight, in_locality(index)));
    let found = NormalizedWeights::by_locality(by_index);
    // Hosts in localities without weight get no requests, except in a last resort without other
    // hosts.
    if found.hosts.is_empty() && context.settings.last_resort {
        flat()
    } else {
        found
    }
}
