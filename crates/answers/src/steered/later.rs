//! The hosts of later attempts in the next cluster (`output.attempts_per_cluster`).

use spillgate_core::{
    decide::{Decision, Request},
    model::{Policy, Weight},
    route::Headers,
    shares::{Distribution, Share},
    snapshot::{ClusterId, Snapshot},
};

/// What a filter can choose for later attempts.
#[derive(Debug, Clone, Default)]
pub(super) struct LaterHosts {
    /// The shares of the hosts of each cluster, if a request begins there.
    shares: Vec<(ClusterId, Distribution)>,
    /// The decision for later attempts by the cluster of the first one: several for a kept session, by the
    /// cluster that the request draws.
    next: Vec<(ClusterId, Decision)>,
}

/// The next cluster of a request.
pub(super) enum NextCluster<'a> {
    /// All attempts stay in the first one.
    None,
    /// One decision.
    Decision(&'a Decision),
    /// A decision that leaves the host at random, and the shares of the hosts.
    Random(&'a Decision, &'a [Share]),
    /// The shares of the hosts are not known.
    NotModeled,
}

impl LaterHosts {
    /// The shares of the hosts of all clusters for a request of which no session is left. The key of a
    /// session determines the host.
    pub(super) fn weighed<H: Headers>(snapshot: &Snapshot, request: &Request<'_, H>) -> Self {
        let by_key = request
            .sessions
            .as_ref()
            .is_some_and(|sessions| sessions.key.is_some());
        let clusters = snapshot
            .clusters()
            .filter(|(id, _)| snapshot.plain(*id).is_some());
        let shares = clusters.filter(|_| !by_key).map(|(cluster, _)| {
            let request = Request {
                cluster,
                sessions: None,
                ..*request
            };
            (cluster, snapshot.distribution_of(&request, None))
        });
        Self {
            shares: shares.collect(),
            next: Vec::new(),
        }
    }

    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// Adds the decision for later attempts of requests whose first one goes to a host of `owner`.
    pub(super) fn add(&mut self, owner: ClusterId, next: Decision) {
        self.next.push((owner, next));
    }

    /// The decision for later attempts of these requests.
    pub(super) fn decision(&self, owner: ClusterId) -> Option<&Decision> {
        let mut next = self.next.iter();
        next.find_map(|(of, next)| (*of == owner).then_some(next))
    }

    /// The next cluster of a request whose first attempt goes to a host of `owner`. Without a request hash,
    /// the hosts of a next step begin anywhere.
    pub(super) fn of(
        &self,
        snapshot: &Snapshot,
        owner: ClusterId,
        hashes: bool,
    ) -> NextCluster<'_> {
        let Some(next) = self.decision(owner) else {
            return NextCluster::None;
        };
        if next.next_step.is_some() && !hashes {
            return NextCluster::NotModeled;
        }
        let cluster = next.host_ref().map(|host| host.cluster);
        let mut draws = self.next.iter().filter(|(of, _)| *of == owner);
        if draws.any(|(_, other)| other.host_ref().map(|host| host.cluster) != cluster) {
            return NextCluster::NotModeled;
        }
        let shares = self.shares.iter().find(|(of, _)| Some(*of) == cluster);
        match shares.map(|(of, found)| (of, found.shares.as_slice(), found.no_host)) {
            None | Some((_, [_], 0.0)) => NextCluster::Decision(next),
            Some((of, shares, 0.0)) if is_uniform(snapshot, *of) => {
                NextCluster::Random(next, shares)
            }
            Some(_) => NextCluster::NotModeled,
        }
    }
}

/// Whether a decision without earlier ones has the average shares. The filter keeps no positions for later
/// attempts, so it ignores the weights of policies that have some.
fn is_uniform(snapshot: &Snapshot, cluster: ClusterId) -> bool {
    let Some(plain) = snapshot.plain(cluster) else {
        return false;
    };
    let settings = &plain.settings;
    let mut weights = plain
        .priorities
        .iter()
        .flat_map(|priority| priority.configured.endpoints.iter().map(|host| host.weight));
    let first = weights.next().unwrap_or(Weight::default());
    let has_positions = !matches!(settings.policy, Policy::Random) && !settings.policy.hashes();
    let ignores_weights = has_positions && weights.any(|weight| weight != first);
    !settings.locality_lb.is_weighted() && settings.slow_start.is_none() && !ignores_weights
}
