//! Which endpoint of the configuration a running host is.

use alloc::{format, vec::Vec};
use core::net::SocketAddr;

use spillgate_core::{
    model::{Endpoint, Level, LevelLocality},
    names::Names,
};

use super::HostStatus;

/// The endpoints of a cluster, to be found one after the other.
pub(super) struct Configured<'c> {
    endpoints: Vec<Place<'c>>,
    /// The first endpoint of an address.
    by_address: Names,
}

/// An endpoint of the configuration.
pub(super) struct Place<'c> {
    pub(super) level: usize,
    pub(super) index: usize,
    pub(super) endpoint: &'c Endpoint,
    pub(super) locality: Option<&'c LevelLocality>,
    taken: bool,
    /// The next endpoint of the same address.
    next: Option<usize>,
}

impl<'c> Configured<'c> {
    pub(super) fn new(levels: &'c [Level]) -> Self {
        let mut endpoints = Vec::new();
        for (number, level) in levels.iter().enumerate() {
            for (index, endpoint) in level.endpoints.iter().enumerate() {
                endpoints.push(Place {
                    level: number,
                    index,
                    endpoint,
                    locality: level.localities.get(endpoint.locality),
                    taken: false,
                    next: None,
                });
            }
        }
        let mut by_address = Names::default();
        // From the end, so that each finds the one after it.
        for (at, place) in endpoints.iter_mut().enumerate().rev() {
            place.next = by_address.insert(&place.endpoint.address, at);
        }
        Self {
            endpoints,
            by_address,
        }
    }

    /// The endpoint of that host: one of its address that no other host has taken, in its level
    /// if there is one, or else the DNS name that it was looked up by, which serves many hosts.
    pub(super) fn take(&mut self, host: &HostStatus<'_>) -> Option<&Place<'c>> {
        if let Some(at) = self.of_address(host) {
            let place = self.endpoints.get_mut(at)?;
            place.taken = true;
            return Some(place);
        }
        let at = self.of_name(host)?;
        let place = self.endpoints.get_mut(at)?;
        place.taken = true;
        Some(place)
    }

    fn of_address(&self, host: &HostStatus<'_>) -> Option<usize> {
        let mut elsewhere = None;
        let mut next = self.by_address.get(&host.address);
        while let Some((at, place)) = next.and_then(|at| Some((at, self.endpoints.get(at)?))) {
            if !place.taken {
                if is_level(host, place) {
                    return Some(at);
                }
                elsewhere = elsewhere.or(Some(at));
            }
            next = place.next;
        }
        elsewhere
    }

    fn of_name(&self, host: &HostStatus<'_>) -> Option<usize> {
        let port = host.address.parse::<SocketAddr>().ok()?.port();
        let name = host.hostname.as_deref().unwrap_or_default();
        let mut next = self.by_address.get(&format!("{name}:{port}"));
        while let Some((at, place)) = next.and_then(|at| Some((at, self.endpoints.get(at)?))) {
            if is_level(host, place) && has_name(place) {
                return Some(at);
            }
            next = place.next;
        }
        // The endpoint may have a name of its own. If its level has but one, that is the one.
        let of_level = |(_, place): &(usize, &Place<'_>)| is_level(host, place) && has_name(place);
        let mut named = self.endpoints.iter().enumerate().filter(of_level);
        match (named.next(), named.next()) {
            (Some((at, _)), None) => Some(at),
            _ => None,
        }
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        !self.endpoints.is_empty()
    }

    /// How many endpoints no host was found for.
    pub(super) fn left(&self) -> usize {
        self.endpoints.iter().filter(|place| !place.taken).count()
    }
}

fn is_level(host: &HostStatus<'_>, place: &Place<'_>) -> bool {
    host.priority
        .is_none_or(|priority| usize::try_from(priority) == Ok(place.level))
}

/// Whether the endpoint stands for the hosts behind a DNS name.
fn has_name(place: &Place<'_>) -> bool {
    let address = &place.endpoint.address;
    let path = address.starts_with(['/', '@']) || address.starts_with("envoy://");
    !path && address.parse::<SocketAddr>().is_err()
}
