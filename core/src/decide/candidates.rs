//! Hosts to try after the chosen one.

use alloc::vec::Vec;

use super::{Decision, Reason};
use crate::{
    load::HostClass,
    model::Endpoint,
    pick::rendezvous,
    snapshot::{HostList, PriorityHosts, Snapshot},
    subset::SetChoice,
};

/// The most hosts that a decision lists, however many are asked for.
pub const MAXIMUM_CANDIDATES: usize = 32;

impl Decision {
    /// The chosen host and those to try after it, at most `limit` in all: distinct, of the same
    /// set, first of the same priority and locality, then of lower priorities that have any to serve.
    pub fn candidates<'s>(&self, snapshot: &'s Snapshot, limit: usize) -> Vec<&'s Endpoint> {
        let mut candidates: Vec<&Endpoint> = Vec::with_capacity(limit.min(MAXIMUM_CANDIDATES));
        let (Some(chosen), Some(first)) = (self.priority, self.endpoint(snapshot)) else {
            return candidates;
        };
        let Some(plain) = snapshot.plain(chosen.owner) else {
            return candidates;
        };
        let limit = limit.clamp(1, MAXIMUM_CANDIDATES);
        candidates.push(first);
        let choice = self.subset.map_or(SetChoice::Whole, |subset| subset.choice);
        let Some(set) = plain.set(choice) else {
            return candidates;
        };
        for (number, priority) in set.priorities.iter().enumerate().skip(chosen.number) {
            let class = if number == chosen.number {
                chosen.class
            } else {
                HostClass::Healthy
            };
            let hosts = match chosen.source {
                Some(source) if number == chosen.number => priority.list(source),
                _ => set.hosts(number, class),
            };
            if candidates.len() >= limit {
                return candidates;
            }
            // Start behind the chosen host, so that the next choice is not always the same one.
            let start = match self.host {
                Some(host) if number == chosen.number && self.reason == Reason::Session => {
                    let priority = plain.priorities.get(number);
                    priority.map_or(0, |priority| self.next_by_key(priority, hosts, host))
                }
                Some(host) if number == chosen.number => {
                    hosts.place_of(host).map_or(0, |at| at + 1)
                }
                _ => (self.hash as usize).checked_rem(hosts.len()).unwrap_or(0),
            };
            for place in 0..hosts.len() {
                if candidates.len() >= limit {
                    return candidates;
                }
                let at = (start + place).checked_rem(hosts.len()).unwrap_or(0);
                let endpoint = hosts.get(at).and_then(|h| plain.endpoint(number, h));
                if let Some(endpoint) = endpoint
                    && candidates
                        .iter()
                        .all(|have| have.address != endpoint.address)
                {
                    candidates.push(endpoint);
                }
            }
        }
        candidates
    }

    /// Where a session would go from this host, as every replica decides it: behind a host that goes
    /// its sessions would all crowd at the same neighbour otherwise, and stay there.
    fn next_by_key(&self, priority: &PriorityHosts, hosts: HostList<'_>, host: usize) -> usize {
        let others = hosts.iter().filter(|&other| other != host);
        let scored = others.map(|other| priority.rendezvous_key(other));
        let at = rendezvous(scored, self.hash, 0).unwrap_or(0);
        // The host itself was not counted.
        match hosts.place_of(host) {
            Some(own) if own <= at => at + 1,
            _ => at,
        }
    }
}
