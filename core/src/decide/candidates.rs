//! Further hosts to try if the chosen host fails.

use alloc::vec::Vec;

use super::{Decision, Reason};
use crate::{
    load::HostClass,
    model::Endpoint,
    pick::rendezvous,
    snapshot::{HostList, PriorityHosts, Snapshot},
    subset::SetChoice,
};

/// The maximum number of hosts in a candidate list.
pub const MAXIMUM_CANDIDATES: usize = 32;

impl Decision {
    /// The chosen host and the hosts to try after it, at most `limit` and at most
    /// [`MAXIMUM_CANDIDATES`] in total; at least the chosen host. The hosts have different
    /// addresses and belong to the same set: first those of the same priority and locality, then
    /// those of lower priorities.
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
            // Start after the chosen host, so that the second candidate differs between requests.
            let start = match self.host {
                Some(host) if number == chosen.number && self.reason == Reason::Session => {
                    let priority = plain.priorities.get(number);
                    priority.map_or(0, |priority| self.next_by_key(priority, hosts, host))
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

    /// The next host for a session by rendezvous hashing, the same on every replica. Without it,
    /// all sessions of a failed host would move to the same neighbor and stay there.
    fn next_by_key(&self, priority: &PriorityHosts, hosts: HostList<'_>, host: usize) -> usize {
        let others = hosts.iter().filter(|&other| other != host);
        let scored = others.map(|other| priority.rendezvous_key(other));
        let at = rendezvous(scored, self.hash, 0).unwrap_or(0);
        // The host itself is not in the scored list.
        match hosts.index_of(host) {
            Some(own) if own <= at => at + 1,
            _ => at,
        }
    }
}
