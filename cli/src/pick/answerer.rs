//! From a request to its answer.

use std::collections::HashMap;

use spillgate_core::{
    decide::Request,
    route::{Connection, HeaderList, RouteAction, RouteTable, request_hash},
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
        let (name, hash_policies) = match self.routes.route(&headers).map(|route| &route.action) {
            Some(RouteAction::Cluster {
                cluster,
                hash_policies,
            }) => (cluster.clone(), hash_policies),
            Some(RouteAction::Respond { status }) => {
                return Answer::NoHost {
                    status: *status,
                    cluster: None,
                };
            }
            _ => {
                return Answer::NoHost {
                    status: NOT_FOUND,
                    cluster: None,
                };
            }
        };
        let Some(cluster) = self.snapshot.cluster_id(&name) else {
            return Answer::NoHost {
                status: UNAVAILABLE,
                cluster: Some(name),
            };
        };
        let hash = request_hash(hash_policies, &headers, &Connection::default())
            .filter(|_| self.hashes(cluster));
        match hash {
            Some(hash) => {
                let request = Request::new(cluster, &headers);
                let shares = self.snapshot.distribution_of(&request, Some(hash));
                answer_of(self.snapshot, name, &shares)
            }
            None => {
                let snapshot = self.snapshot;
                let shares = self
                    .averages
                    .entry(cluster)
                    .or_insert_with(|| snapshot.distribution(cluster, None));
                answer_of(snapshot, name, shares)
            }
        }
    }

    /// Whether a request hash matters to a cluster.
    fn hashes(&self, cluster: ClusterId) -> bool {
        let plain = |id| {
            self.snapshot
                .plain(id)
                .is_some_and(|plain| plain.settings.policy.hashes())
        };
        match self.snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(Kind::Aggregate(aggregate)) => aggregate.members.iter().any(|&id| plain(id)),
            _ => plain(cluster),
        }
    }
}

/// One host that gets everything is certain; so is nobody.
fn answer_of(snapshot: &Snapshot, cluster: String, shares: &Distribution) -> Answer {
    let distribution: Vec<Outcome> = shares
        .shares
        .iter()
        .filter_map(|share| outcome(snapshot, share))
        .collect();
    match distribution.as_slice() {
        [] => Answer::NoHost {
            status: UNAVAILABLE,
            cluster: Some(cluster),
        },
        [only] if shares.no_host == 0.0 => Answer::Determined {
            cluster,
            outcome: only.clone(),
        },
        _ => Answer::Random {
            cluster,
            distribution,
            no_host: shares.no_host,
        },
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
