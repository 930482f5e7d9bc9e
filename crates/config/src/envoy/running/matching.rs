//! Matches running hosts to configured endpoints.

use alloc::{format, vec::Vec};
use core::net::SocketAddr;

use spillgate_core::{
    model::{Endpoint, Priority, PriorityLocality},
    names::Names,
};

use super::HostStatus;
use crate::envoy::common::is_dns_name;

/// The endpoints of a cluster, each to be matched once.
pub(super) struct Configured<'c> {
    endpoints: Vec<Place<'c>>,
    /// The first endpoint of an address.
    by_address: Names,
    /// The endpoints that are DNS names, by priority.
    names: Vec<(usize, usize)>,
}

/// An endpoint of the configuration.
pub(super) struct Place<'c> {
    pub(super) priority: usize,
    pub(super) index: usize,
    pub(super) endpoint: &'c Endpoint,
    pub(super) locality: Option<&'c PriorityLocality>,
    taken: bool,
    /// Whether it represents the hosts behind a DNS name.
    is_name: bool,
    /// The next endpoint of the same address.
    next: Option<usize>,
}

impl<'c> Configured<'c> {
    pub(super) fn new(priorities: &'c [Priority]) -> Self {
        let mut endpoints = Vec::new();
        for (number, priority) in priorities.iter().enumerate() {
            for (index, endpoint) in priority.endpoints.iter().enumerate() {
                endpoints.push(Place {
                    priority: number,
                    index,
                    endpoint,
                    locality: priority.localities.get(endpoint.locality),
                    taken: false,
                    is_name: is_dns_name(&endpoint.address),
                    next: None,
                });
            }
        }
        let names = endpoints
            .iter()
            .enumerate()
            .filter(|(_, place)| place.is_name)
            .map(|(at, place)| (place.priority, at))
            .collect();
        let mut by_address = Names::default();
        // From the end, so that each endpoint links to the next one.
        for (at, place) in endpoints.iter_mut().enumerate().rev() {
            place.next = by_address.insert(&place.endpoint.address, at);
        }
        Self {
            endpoints,
            by_address,
            names,
        }
    }

    /// The endpoint of that host: a free endpoint with its address, preferably in its priority, or
    /// else the DNS name that resolved to it, which matches many hosts.
    pub(super) fn take(&mut self, host: &HostStatus<'_>) -> Option<&Place<'c>> {
        let first = self.by_address.get(&host.address);
        if let Some(first) = first {
            self.shorten(first);
        }
        let found = first.and_then(|first| self.of_address(host, first));
        let at = found.or_else(|| self.of_name(host))?;
        let place = self.endpoints.get_mut(at)?;
        place.taken = true;
        Some(place)
    }

    /// Removes taken endpoints after the first of an address, so that an address with a hundred
    /// thousand endpoints is not scanned as often.
    fn shorten(&mut self, first: usize) {
        let taken = |place: &&Place<'_>| place.taken && !place.is_name;
        let mut next = self.endpoints.get(first).and_then(|place| place.next);
        while let Some(place) = next.and_then(|at| self.endpoints.get(at)).filter(taken) {
            next = place.next;
        }
        if let Some(first) = self.endpoints.get_mut(first) {
            first.next = next;
        }
    }

    fn of_address(&self, host: &HostStatus<'_>, first: usize) -> Option<usize> {
        let mut elsewhere = None;
        let mut next = Some(first);
        while let Some((at, place)) = next.and_then(|at| Some((at, self.endpoints.get(at)?))) {
            if !place.taken {
                if is_priority(host, place) {
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
            if is_priority(host, place) && place.is_name {
                return Some(at);
            }
            next = place.next;
        }
        // The endpoint may have its own host name. If its priority has only one endpoint, it
        // matches.
        let of_priority = match host.priority {
            Some(number) => {
                let number = usize::try_from(number).ok()?;
                let before = |priority: usize| self.names.partition_point(|(of, _)| *of < priority);
                self.names
                    .get(before(number)..before(number.saturating_add(1)))?
            }
            None => &self.names,
        };
        match of_priority {
            [(_, at)] => Some(*at),
            _ => None,
        }
    }

    /// The number of endpoints without a host.
    pub(super) fn left(&self) -> usize {
        self.endpoints.iter().filter(|place| !place.taken).count()
    }
}

fn is_priority(host: &HostStatus<'_>, place: &Place<'_>) -> bool {
    host.priority
        .is_none_or(|priority| usize::try_from(priority) == Ok(place.priority))
}
