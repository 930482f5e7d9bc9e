//! The cluster of later attempts, where `output.attempts_per_cluster` limits those of the first one.

use alloc::vec::Vec;

use spillgate_core::{
    decide::{Decision, Request, Sessions},
    load::HostClass,
    route::Headers,
    snapshot::{ClusterId, HostsSource, Snapshot},
    subset::SetChoice,
};

use crate::{Serving, session::GuardedSession, worker::Worker};

impl Serving {
    /// The clusters that can serve later attempts, nearest first: the members after the cluster of the
    /// first attempt, the members before it, then the other clusters of a weighted split.
    fn followers(&self, target: ClusterId, owner: ClusterId) -> Vec<ClusterId> {
        let owners = self.session_owners(target);
        let next = owners
            .iter()
            .position(|one| *one == owner)
            .map_or(0, |at| at + 1);
        let members = self.snapshot.owners(target).count().max(next);
        let (members, others) = owners.split_at(members.min(owners.len()));
        let (before, after) = members.split_at(next.min(members.len()));
        let ordered = after.iter().chain(before).chain(others);
        ordered.copied().filter(|one| *one != owner).collect()
    }

    /// Decides a host of the cluster after `owner`: the first one with a healthy or degraded host that the request
    /// may use. The session has lost its host by then, so only its key counts.
    #[cold]
    #[inline(never)]
    pub(crate) fn next_cluster<H: Headers>(
        &self,
        worker: &mut Worker,
        owner: ClusterId,
        request: &Request<'_, H>,
        guarded: Option<GuardedSession>,
    ) -> Option<Decision> {
        let snapshot = &*self.snapshot;
        let followers = self.followers(request.cluster, owner).into_iter();
        let mut known = followers.filter(|one| !self.freshness(*one).is_unknown());
        known.find_map(|cluster| {
            let request = Request {
                cluster,
                sessions: request.sessions.map(|sessions| Sessions {
                    session: None,
                    ..sessions
                }),
                ..*request
            };
            let decision = worker.decide_later(snapshot, &request, guarded);
            can_serve(snapshot, &decision).then_some(decision)
        })
    }
}

/// Whether the hosts among which a decision chose include a healthy or degraded one.
fn can_serve(snapshot: &Snapshot, decision: &Decision) -> bool {
    let Some(host) = decision.host_ref() else {
        return false;
    };
    let choice = decision
        .subset
        .map_or(SetChoice::Whole, |subset| subset.choice);
    let set = snapshot
        .plain(host.cluster)
        .and_then(|plain| plain.set(choice));
    // A subset of a single host has no set.
    set.is_none_or(|set| {
        let has = |number, class| !set.list(number, HostsSource::Class(class)).is_empty();
        (0..set.priorities.len())
            .any(|number| has(number, HostClass::Healthy) || has(number, HostClass::Degraded))
    })
}
