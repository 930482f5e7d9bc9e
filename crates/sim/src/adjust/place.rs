//! Places of hosts: a locality of a priority of a cluster.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::snapshot::{HostRef, Snapshot};

use crate::{
    Selector,
    fault::{Piece, SpecFault},
};

/// A locality of a priority of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalityPlace {
    /// The name of the cluster, which has endpoints of its own.
    pub cluster: String,
    /// The priority in the cluster, from 0.
    pub priority: usize,
    /// The index among the localities of the priority.
    pub locality: usize,
}

/// The places of hosts, each once, with a selector of each.
pub(super) fn places(snapshot: &Snapshot, hosts: &[HostRef]) -> Vec<(LocalityPlace, String)> {
    let mut places: Vec<(LocalityPlace, String)> = Vec::new();
    for host in hosts {
        let found = snapshot
            .cluster(host.cluster)
            .zip(snapshot.plain(host.cluster));
        let Some((cluster, plain)) = found else {
            continue;
        };
        let Some(priority) = plain.priorities.get(host.priority) else {
            continue;
        };
        let Some(endpoint) = priority.endpoint(host.host) else {
            continue;
        };
        let place = LocalityPlace {
            cluster: cluster.name.clone(),
            priority: host.priority,
            locality: endpoint.locality,
        };
        if places.iter().any(|(known, _)| *known == place) {
            continue;
        }
        let locality = priority.configured.localities.get(place.locality);
        let locality = locality.map_or_else(String::new, |of| of.locality.to_string());
        let selector = format!(
            "cluster={},priority={},locality={locality}",
            place.cluster, place.priority
        );
        places.push((place, selector));
    }
    places
}

/// The only place of hosts.
///
/// # Errors
/// If they have several places: lists them.
pub(super) fn only_place(
    snapshot: &Snapshot,
    hosts: &[HostRef],
    selector: &Selector,
) -> Result<LocalityPlace, SpecFault> {
    let mut places = places(snapshot, hosts);
    match (places.pop(), places.is_empty()) {
        (Some((place, _)), true) => Ok(place),
        (last, _) => {
            places.extend(last);
            let text = selector.to_string();
            let fault = SpecFault::new(
                "what-if/several-places",
                Piece::whole(&text),
                "matches hosts of several places",
                "a locality of a priority",
            );
            Err(fault.one_of(places.iter().map(|(_, selector)| selector.as_str())))
        }
    }
}
