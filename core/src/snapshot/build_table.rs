//! The hash table of a priority, built.

use alloc::{sync::Arc, vec::Vec};

use super::{
    HostList, HostSet,
    host_set::HostSetContext,
    table::{BoundedHosts, HashTable, RendezvousHost, TableKind},
};
use crate::{
    hash::xxh64,
    load::HostClass,
    model::Policy,
    pick::{MaglevTable, NormalizedWeights, Ring},
};

/// Hash tables hold the healthy hosts of a priority, or all of them in panic; never degraded ones.
pub(super) fn build_table(
    context: &HostSetContext<'_>,
    priority: &HostSet,
    panic: bool,
) -> Option<Arc<HashTable>> {
    let hosts = priority.hosts(HostClass::Healthy, panic);
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
            // Localities do not count in it, so that a host's place depends on its own key alone.
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
    let localities = match context.settings.locality_lb.is_weighted() {
        true => priority.weights(context),
        false => Vec::new(),
    };
    let flat = || NormalizedWeights::flat(list.iter().map(weighted));
    if localities.is_empty() {
        return flat();
    }
    let in_locality = |place: usize| {
        list.iter()
            .filter(move |&host| hosts.locality_of(host) == Some(place))
            .map(weighted)
    };
    let by_place = localities.iter().enumerate();
    let by_place = by_place.map(|(place, &weight)| (weight, in_locality(place)));
    let found = NormalizedWeights::by_locality(by_place);
    // Hosts in localities without weight get nothing, but for want of any other.
    match found.hosts.is_empty() && context.settings.last_resort {
        true => flat(),
        false => found,
    }
}
