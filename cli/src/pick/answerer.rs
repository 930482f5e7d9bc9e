//! From a request to its answer.

use std::collections::HashMap;

use spillgate_core::{
    route::{Connection, HeaderList, RouteOutcome, RouteTable},
    snapshot::{ClusterId, Distribution, Kind, Share, Snapshot},
};

use super::{
    Answer, Outcome, PickRequest,
    answer::{NOT_FOUND, UNAVAILABLE},
};

/// Answers requests for one snapshot and one set of routes.
#[derive(Debug)]
pub struct Answerer<'c> {
    snapshot: &'c Snapshot,
    routes: &'c RouteTable,
    /// The shares of requests without a hash, which are the same for all of them.
    averages: HashMap<ClusterId, Distribution>,
}

impl<'c> Answerer<'c> {
    /// Nothing is computed yet.
    #[must_use]
    pub fn new(snapshot: &'c Snapshot, routes: &'c RouteTable) -> Self {
        Self {
            snapshot,
            routes,
            averages: HashMap::new(),
        }
    }

    /// What becomes of a request.
    pub fn answer(&mut self, request: &PickRequest) -> Answer {
        let headers = HeaderList(&request.headers);
        let connection = Connection {
            remote: &request.source,
            local: &request.local,
            ..Connection::default()
        };
        let routed = match self.routes.route(&headers, connection) {
            RouteOutcome::Forward(routed) => routed,
            RouteOutcome::Respond { status, .. } => return no_cluster(status),
            RouteOutcome::NotFound => return no_cluster(NOT_FOUND),
            RouteOutcome::Unknown { route, why } => {
                return Answer::Unknown {
                    route: route.name.clone(),
                    why,
                };
            }
        };
        let hash = routed.hash();
        let mut alternatives = Alternatives::default();
        for destination in routed.destinations() {
            let part = f64::from(destination.weight) / f64::from(routed.total_weight());
            let (outcomes, no_host) = match self.snapshot.cluster_id(destination.cluster) {
                Some(cluster) => self.shares(cluster, hash, request.attempt),
                None => {
                    alternatives.status = routed.cluster_not_found();
                    (Vec::new(), 100.0)
                }
            };
            alternatives.add(destination.cluster, part, outcomes, no_host);
        }
        alternatives.answer()
    }

    fn shares(
        &mut self,
        cluster: ClusterId,
        hash: Option<u64>,
        attempt: u32,
    ) -> (Vec<Outcome>, f64) {
        let snapshot = self.snapshot;
        let found = |shares: &Distribution| {
            let outcomes = shares.shares.iter();
            let outcomes = outcomes.filter_map(|share| outcome(snapshot, share));
            (outcomes.collect(), shares.no_host)
        };
        match hash.filter(|_| self.hashes(cluster)) {
            Some(hash) => found(&snapshot.distribution_of_attempt(cluster, Some(hash), attempt)),
            None => {
                let shares = self.averages.entry(cluster);
                found(shares.or_insert_with(|| snapshot.distribution(cluster, None)))
            }
        }
    }

    /// Whether a request hash matters to a cluster.
    fn hashes(&self, cluster: ClusterId) -> bool {
        let plain = |id| {
            self.snapshot
                .plain(id)
                .is_some_and(|plain| plain.policy.hashes())
        };
        match self.snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(Kind::Aggregate(aggregate)) => aggregate.members.iter().any(|&id| plain(id)),
            _ => plain(cluster),
        }
    }
}

fn no_cluster(status: u16) -> Answer {
    Answer::NoHost {
        status,
        cluster: None,
    }
}

/// What may become of a request, cluster by cluster.
struct Alternatives {
    clusters: String,
    outcomes: Vec<Outcome>,
    no_host: f64,
    /// The status where no host is found.
    status: u16,
}

impl Default for Alternatives {
    fn default() -> Self {
        Self {
            clusters: String::new(),
            outcomes: Vec::new(),
            no_host: 0.0,
            status: UNAVAILABLE,
        }
    }
}

impl Alternatives {
    /// Adds a cluster that gets `part` of the requests.
    fn add(&mut self, cluster: &str, part: f64, outcomes: Vec<Outcome>, no_host: f64) {
        if !self.clusters.is_empty() {
            self.clusters.push('|');
        }
        self.clusters.push_str(cluster);
        self.outcomes
            .extend(outcomes.into_iter().map(|outcome| Outcome {
                share: outcome.share * part,
                ..outcome
            }));
        self.no_host += no_host * part;
    }

    /// One host that gets everything is certain; so is nobody.
    fn answer(mut self) -> Answer {
        match self.outcomes.as_slice() {
            [] => Answer::NoHost {
                status: self.status,
                cluster: Some(self.clusters),
            },
            [_] if self.no_host == 0.0 => match self.outcomes.pop() {
                Some(outcome) => Answer::Determined {
                    cluster: self.clusters,
                    outcome,
                },
                None => no_cluster(self.status),
            },
            _ => Answer::Random {
                cluster: self.clusters,
                distribution: self.outcomes,
                no_host: self.no_host,
            },
        }
    }
}

/// The host behind a share.
pub(crate) fn outcome(snapshot: &Snapshot, share: &Share) -> Option<Outcome> {
    let level = snapshot.plain(share.owner)?.levels.get(share.priority)?;
    Some(Outcome {
        owner: snapshot.cluster(share.owner)?.name.clone(),
        priority: share.priority,
        endpoint: level.level.endpoints.get(share.host)?.address.clone(),
        share: share.share,
    })
}
