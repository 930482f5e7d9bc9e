//! From a request to its answer.

use std::{borrow::Cow, collections::HashMap};

use spillgate_core::{
    decide::{Request, original_destination},
    model::Metadata,
    route::{Connection, HeaderList, Headers, RouteOutcome, RouteTable, Routed},
    snapshot::{ClusterId, Distribution, Kind, Share, Snapshot},
};

use super::{
    Answer, Outcome, PickRequest,
    answer::{NOT_FOUND, UNAVAILABLE},
    hosts::{Addresses, KnownHosts},
};

/// Answers requests for one snapshot and one set of routes.
#[derive(Debug)]
pub struct Answerer<'c> {
    snapshot: &'c Snapshot,
    routes: &'c RouteTable,
    addresses: Addresses<'c>,
    /// The shares of requests of which nothing but cluster and criteria matters.
    averages: HashMap<(ClusterId, Metadata), Distribution>,
}

impl<'c> Answerer<'c> {
    /// Nothing is computed yet.
    #[must_use]
    pub fn new(snapshot: &'c Snapshot, routes: &'c RouteTable) -> Self {
        Self {
            snapshot,
            routes,
            addresses: Addresses::of(snapshot),
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
        let mut alternatives = Alternatives::default();
        for destination in routed.destinations() {
            let part = f64::from(destination.weight) / f64::from(routed.total_weight());
            let (outcomes, no_host) = match self.snapshot.cluster_id(destination.cluster) {
                Some(cluster) => {
                    let hosts = self.addresses.known(self.snapshot, cluster, request);
                    self.shares(cluster, &destination.criteria, &routed, &hosts)
                }
                None => {
                    alternatives.status = routed.cluster_not_found();
                    (Vec::new(), 100.0)
                }
            };
            alternatives.add(destination.cluster, part, outcomes, no_host);
        }
        alternatives.answer()
    }

    fn shares<H: Headers>(
        &mut self,
        cluster: ClusterId,
        criteria: &Metadata,
        routed: &Routed<'_, H>,
        hosts: &KnownHosts,
    ) -> (Vec<Outcome>, f64) {
        let snapshot = self.snapshot;
        if let Some(Kind::OriginalDst(original)) = snapshot.cluster(cluster).map(|c| &c.kind) {
            let named = original_destination(original, &routed.headers(), &routed.connection);
            return match named {
                Some(endpoint) => (vec![self.named(cluster, endpoint)], 0.0),
                None => (Vec::new(), 100.0),
            };
        }
        let headers = routed.headers();
        let request = Request {
            hash_policies: routed.hash_policies(),
            connection: routed.connection,
            criteria,
            retry: routed.retry(),
            tried: &hosts.tried,
            hosts,
            ..Request::new(cluster, &headers)
        };
        let shares = if hosts.nothing() && !self.looks_at_hash(cluster, routed) {
            let key = (cluster, criteria.clone());
            let shares = self.averages.entry(key);
            Cow::Borrowed(&*shares.or_insert_with(|| snapshot.distribution_of(&request, None)))
        } else {
            Cow::Owned(snapshot.distribution_of(&request, None))
        };
        let outcomes = shares.shares.iter();
        let outcomes = outcomes.filter_map(|share| outcome(snapshot, share));
        (outcomes.collect(), shares.no_host)
    }

    /// Whether the hash of a request matters to a cluster.
    fn looks_at_hash<H: Headers>(&self, cluster: ClusterId, routed: &Routed<'_, H>) -> bool {
        let looks = |id: ClusterId| {
            self.snapshot.plain(id).is_some_and(|plain| {
                let own = !plain.settings.hash_policies.is_empty();
                plain.settings.policy.hashes() && (own || routed.hash().is_some())
            })
        };
        match self.snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(Kind::Aggregate(aggregate)) => aggregate.members.iter().any(|&id| looks(id)),
            _ => looks(cluster),
        }
    }

    fn named(&self, cluster: ClusterId, endpoint: String) -> Outcome {
        let owner = self.snapshot.cluster(cluster).map(|c| c.name.clone());
        Outcome {
            owner: owner.unwrap_or_default(),
            priority: 0,
            endpoint,
            share: 100.0,
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
