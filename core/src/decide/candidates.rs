//! Further hosts to try if the chosen host fails.
//!
//! All of them are in the cluster of the first host, because a host list cannot span clusters:
//! first the rest of the chosen priority's host list, then lower priorities.

use alloc::vec::Vec;

use super::{Decision, Reason, next_step::outside};
use crate::{
    hash::mix,
    load::HostClass,
    model::Endpoint,
    pick::rendezvous,
    snapshot::{HostList, PlainSnapshot, PriorityHosts, PrioritySet, Snapshot},
    subset::SetChoice,
};

/// The maximum number of hosts in a candidate list.
pub const MAXIMUM_CANDIDATES: usize = 32;

/// In a list of at most this many hosts, rendezvous hashing finds the second host of a session.
const SCORED: usize = 32;

/// The maximum number of places where a longer list is searched.
const PROBES: u64 = 64;

/// How the sessions of one host spread over the hosts to try after it.
#[derive(Debug, Clone, Copy, Default)]
pub struct SessionSpread<'a> {
    /// The number of the session.
    pub session: u64,
    /// The hosts of the priority of the session's host, in an order that does not depend on the
    /// configuration: replicas then find the same hosts even if they list them in different orders.
    /// Empty: the order of the configuration counts.
    pub order: &'a [u32],
}

impl Decision {
    /// The chosen host and the hosts to try after it, at most `limit` and at most
    /// [`MAXIMUM_CANDIDATES`] in total; at least the chosen host. The hosts have different
    /// addresses and belong to the same set: first those of the same priority and locality, then
    /// those of lower priorities. With a [next step](Decision::next_step), its hosts precede those of
    /// the same set: the ones that the set lacks, by priority, from a place that the hash determines.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::{
    ///     decide::{BalancerState, Request, decide},
    ///     draw::SplitMix64,
    ///     model::*,
    ///     route::HeaderList,
    ///     snapshot::Snapshot,
    ///     trace::NoTrace,
    /// };
    ///
    /// let hosts = ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"].map(Endpoint::new);
    /// let shop = PlainCluster {
    ///     priorities: vec![Priority::single_locality(hosts.into())],
    ///     ..PlainCluster::default()
    /// };
    /// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
    /// let mut draw = SplitMix64::new(7);
    /// let mut state = BalancerState::new(&snapshot, &mut draw);
    /// let headers = HeaderList::<&str, &str>(&[]);
    /// let request = Request::new(snapshot.cluster_id("shop").unwrap(), &headers);
    ///
    /// let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
    /// let candidates = decision.candidates(&snapshot, 2);
    /// assert_eq!(candidates.len(), 2);
    /// assert_eq!(Some(candidates[0]), decision.endpoint(&snapshot));
    /// ```
    pub fn candidates<'s>(&self, snapshot: &'s Snapshot, limit: usize) -> Vec<&'s Endpoint> {
        let spread = SessionSpread {
            session: self.hash,
            order: &[],
        };
        self.candidates_of_session(snapshot, limit, spread)
    }

    /// As [`Decision::candidates`]. If a session stays on its host, `spread` chooses the hosts to
    /// try after it: the work does not grow with the number of hosts.
    pub fn candidates_of_session<'s>(
        &self,
        snapshot: &'s Snapshot,
        limit: usize,
        spread: SessionSpread<'_>,
    ) -> Vec<&'s Endpoint> {
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
        if let Some(next) = self.next_step.and_then(|next| plain.set(next)) {
            let spread = match self.reason {
                Reason::Session => spread.session,
                _ => self.hash,
            };
            add_next(&mut candidates, limit, plain, (set, next), spread);
        }
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
            let is_session = number == chosen.number && self.reason == Reason::Session;
            if is_session && hosts.len() > SCORED {
                for host in spread.probes(hosts) {
                    if candidates.len() >= limit {
                        return candidates;
                    }
                    push(&mut candidates, plain.endpoint(number, host));
                }
            }
            // Start after the chosen host, so that the second candidate differs between requests.
            let start = match self.host {
                Some(host) if is_session => {
                    let priority = plain.priorities.get(number);
                    priority.map_or(0, |priority| spread.start(priority, hosts, host))
                }
                Some(host) if number == chosen.number => {
                    hosts.index_of(host).map_or(0, |at| at + 1)
                }
                // In 64 bits: an index has 32 bits in WebAssembly, and the order must be the same.
                _ => self.hash.checked_rem(hosts.len() as u64).unwrap_or(0) as usize,
            };
            for offset in 0..hosts.len() {
                if candidates.len() >= limit {
                    return candidates;
                }
                let at = (start + offset).checked_rem(hosts.len()).unwrap_or(0);
                let host = hosts.get(at);
                push(
                    &mut candidates,
                    host.and_then(|host| plain.endpoint(number, host)),
                );
            }
        }
        candidates
    }
}

impl Decision {
    /// The number of equally likely hosts for a retry that leaves the step, if no hash determines the place
    /// among them: those of the first priority of the next step that has some. The place is
    /// [`Decision::hash`] modulo this number.
    #[must_use]
    pub fn next_step_hosts(&self, snapshot: &Snapshot) -> usize {
        let sets = || {
            let plain = snapshot.plain(self.priority?.owner)?;
            let set = plain.set(self.subset?.choice)?;
            Some((set, plain.set(self.next_step?)?))
        };
        let Some((set, next)) = sets() else {
            return 0;
        };
        let mut counts = (0..next.priorities.len()).map(|number| others(set, next, number).len());
        counts.find(|count| *count > 0).unwrap_or(0)
    }
}

/// The hosts of a priority that serve in the next set, without those of the set of the chosen host.
fn others(set: &PrioritySet, next: &PrioritySet, number: usize) -> Vec<usize> {
    let own = set.priorities.get(number);
    let own = own.map_or(HostList::EMPTY, |own| own.members());
    outside(next.hosts(number, HostClass::Healthy), own)
}

/// Adds the hosts of the next set that the set of the chosen host lacks. A retry must not stay among hosts
/// that may all have failed.
#[cold]
#[inline(never)]
fn add_next<'s>(
    candidates: &mut Vec<&'s Endpoint>,
    limit: usize,
    plain: &'s PlainSnapshot,
    (set, next): (&PrioritySet, &PrioritySet),
    spread: u64,
) {
    for number in 0..next.priorities.len() {
        let others = others(set, next, number);
        // In 64 bits, as above.
        let start = spread.checked_rem(others.len() as u64).unwrap_or(0) as usize;
        for offset in 0..others.len() {
            if candidates.len() >= limit {
                return;
            }
            let at = (start + offset).checked_rem(others.len()).unwrap_or(0);
            let host = others.get(at);
            push(
                candidates,
                host.and_then(|host| plain.endpoint(number, *host)),
            );
        }
    }
}

/// Adds a host, unless its address is already in the list.
fn push<'s>(candidates: &mut Vec<&'s Endpoint>, endpoint: Option<&'s Endpoint>) {
    if let Some(endpoint) = endpoint
        && candidates
            .iter()
            .all(|have| have.address != endpoint.address)
    {
        candidates.push(endpoint);
    }
}

impl SessionSpread<'_> {
    /// The hosts of a list at random places of the order. The session determines the places, and
    /// each host of the list is equally likely.
    fn probes(self, hosts: HostList<'_>) -> impl Iterator<Item = usize> {
        let places = (0..PROBES).filter_map(move |number| {
            let at = place(self.session, number, self.order.len());
            self.order.get(at).map(|&host| host as usize)
        });
        places.filter(move |&host| hosts.index_of(host).is_some())
    }

    /// The index in a list where the search continues after `host`. Without it, all sessions of a
    /// failed host would move to the same neighbor and stay there.
    ///
    /// A short list is scored by rendezvous hashing: the session then moves to the same host if its
    /// own host leaves the list.
    fn start(self, priority: &PriorityHosts, hosts: HostList<'_>, host: usize) -> usize {
        if hosts.len() > SCORED {
            return place(self.session, PROBES, hosts.len());
        }
        let others = hosts.iter().filter(|&other| other != host);
        let scored = others.map(|other| priority.rendezvous_key(other));
        let at = rendezvous(scored, self.session, 0).unwrap_or(0);
        // The host itself is not in the scored list.
        match hosts.index_of(host) {
            Some(own) if own <= at => at + 1,
            _ => at,
        }
    }
}

/// One of `len` places, as the session and the number of the place determine it.
const fn place(session: u64, number: u64, len: usize) -> usize {
    /// The increment of SplitMix64.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    // The upper half times the length: a remainder would need a division and favor low places.
    let random = mix(session.wrapping_add(STEP.wrapping_mul(number + 1)));
    ((random >> 32).wrapping_mul(len as u64) >> 32) as usize
}
