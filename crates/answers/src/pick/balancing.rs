//! The shares of the hosts of a request that reaches a cluster.

use std::{borrow::Cow, collections::HashMap};

use spillgate_core::{
    decide::{OverrideResolution, OverrideTarget, Request, original_destination},
    model::Metadata,
    route::{Destination, Headers, ProxyFilter, Routed, RouterHeaders},
    shares::{Distribution, Share},
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, Snapshot},
};

use super::{
    OwnReplyReason, PickOutcome, PickRequest,
    alternatives::Chosen,
    branches::{Session, branches},
    lessons::Lessons,
    listed_hosts::{Addresses, KnownHosts},
};

/// A cluster that a request can reach, with the sessions of the request.
pub(super) struct Case<'a, 'r, H> {
    pub(super) routed: &'a Routed<'r, H>,
    pub(super) destination: &'a Destination<'r>,
    pub(super) sessions: &'a [Session<'r>],
}

/// The load balancers of a snapshot.
#[derive(Debug)]
pub(super) struct Balancers<'c> {
    snapshot: &'c Snapshot,
    /// All hosts by address.
    pub(super) addresses: Addresses<'c>,
    /// The shares of requests that depend on cluster and criteria alone.
    averages: HashMap<(ClusterId, Metadata), Distribution>,
}

impl<'c> Balancers<'c> {
    /// The load balancers of this snapshot.
    pub(super) fn new(snapshot: &'c Snapshot) -> Self {
        Self {
            snapshot,
            addresses: Addresses::of(snapshot),
            averages: HashMap::new(),
        }
    }

    /// The hosts of a request that reaches a cluster with a probability of `part`.
    pub(super) fn choose<H: Headers>(
        &mut self,
        cluster: ClusterId,
        request: &PickRequest,
        case: &Case<'_, '_, H>,
        part: f64,
        lessons: &mut Lessons,
    ) -> Chosen {
        let snapshot = self.snapshot;
        let hosts = self.addresses.known(snapshot, cluster, request);
        let settings = snapshot.plain(cluster).map(|plain| &plain.settings);
        let sources = snapshot.override_sources(cluster);
        let listed = case.routed.override_host_list(case.destination, sources);
        let headers = case.routed.headers(case.destination);
        let asked = ask(cluster, case, &headers, &hosts);
        let is_http = case.routed.connection.proxy == ProxyFilter::Http;
        let settings = settings.filter(|_| request.attempts() == 0 && is_http);
        let dropped = settings.map_or(0.0, |settings| {
            f64::from(settings.drop_overload.millionths()) / 10_000.0
        });
        let mut by_balancer = None;
        let mut all = Chosen {
            kept: true,
            ..Chosen::default()
        };
        for branch in branches(case.sessions, &listed) {
            let chosen = match branch.named.resolve(snapshot, &asked) {
                OverrideResolution::Host(named) => {
                    let host = self.host(named.host(), 100.0 - dropped);
                    Chosen {
                        kept: matches!(named, OverrideTarget::Session(_)),
                        ..Chosen::by_balancer(host.into_iter().collect(), dropped, dropped)
                    }
                }
                OverrideResolution::Refused(status) => {
                    Chosen::refused(status, OwnReplyReason::StrictSession).unless_dropped(dropped)
                }
                OverrideResolution::Balancer { .. } => {
                    let shares =
                        by_balancer.get_or_insert_with(|| self.shares(cluster, case, &hosts));
                    let (outcomes, no_host) = shares.clone();
                    Chosen {
                        balanced: true,
                        ..Chosen::by_balancer(outcomes, no_host, dropped)
                    }
                }
            };
            lessons.add(case.sessions, &branch, part, &chosen);
            all.add(branch.probability, chosen);
        }
        all
    }

    /// The hosts that the load balancer can choose, and the share of requests without a host.
    fn shares<H: Headers>(
        &mut self,
        cluster: ClusterId,
        case: &Case<'_, '_, H>,
        hosts: &KnownHosts,
    ) -> (Vec<PickOutcome>, f64) {
        let snapshot = self.snapshot;
        let (routed, headers) = (case.routed, case.routed.headers(case.destination));
        if let Some(ClusterSnapshotKind::OriginalDst(original)) =
            snapshot.cluster(cluster).map(|c| &c.kind)
        {
            let named = original_destination(original, &headers, &routed.connection);
            return match named {
                Some(endpoint) => (vec![self.named(cluster, endpoint)], 0.0),
                None => (Vec::new(), 100.0),
            };
        }
        let request = ask(cluster, case, &headers, hosts);
        let shares = if hosts.nothing() && !self.looks_at_hash(cluster, case) {
            let key = (cluster, case.destination.criteria.clone());
            let shares = self.averages.entry(key);
            Cow::Borrowed(&*shares.or_insert_with(|| snapshot.distribution_of(&request, None)))
        } else {
            Cow::Owned(snapshot.distribution_of(&request, None))
        };
        let outcomes = shares
            .shares
            .iter()
            .filter_map(|share| outcome(snapshot, share));
        (outcomes.collect(), shares.no_host)
    }

    /// Whether the choice of a cluster depends on the request hash.
    fn looks_at_hash<H: Headers>(&self, cluster: ClusterId, case: &Case<'_, '_, H>) -> bool {
        let looks = |id: ClusterId| {
            self.snapshot.plain(id).is_some_and(|plain| {
                let own = !plain.settings.hash_policies.is_empty();
                let hash = || case.routed.hash(case.destination);
                plain.settings.policy.hashes() && (own || hash().is_some())
            })
        };
        self.snapshot.owners(cluster).any(looks)
    }

    /// A host with its share in percent; `None` for a share of 0.
    fn host(&self, host: HostRef, share: f64) -> Option<PickOutcome> {
        let share = Share {
            owner: host.cluster,
            priority: host.priority,
            host: host.host,
            share,
        };
        outcome(self.snapshot, &share).filter(|outcome| outcome.share > 0.0)
    }

    /// The host that a request for an `ORIGINAL_DST` cluster names.
    fn named(&self, cluster: ClusterId, endpoint: String) -> PickOutcome {
        let owner = self.snapshot.cluster(cluster).map(|c| c.name.clone());
        PickOutcome {
            owner: owner.unwrap_or_default(),
            priority: 0,
            endpoint,
            share: 100.0,
        }
    }
}

/// The request to the load balancer of a cluster.
fn ask<'a, H: Headers>(
    cluster: ClusterId,
    case: &Case<'a, 'a, H>,
    headers: &'a RouterHeaders<'a, H>,
    hosts: &'a KnownHosts,
) -> Request<'a, RouterHeaders<'a, H>> {
    Request {
        hash_policies: case.routed.hash_policies(),
        connection: case.routed.connection,
        criteria: &case.destination.criteria,
        retry: case.routed.retry(),
        tried: &hosts.tried,
        hosts,
        ..Request::new(cluster, headers)
    }
}

/// The host of a share.
fn outcome(snapshot: &Snapshot, share: &Share) -> Option<PickOutcome> {
    let priority = snapshot
        .plain(share.owner)?
        .priorities
        .get(share.priority)?;
    Some(PickOutcome {
        owner: snapshot.cluster(share.owner)?.name.clone(),
        priority: share.priority,
        endpoint: priority
            .configured
            .endpoints
            .get(share.host)?
            .address
            .clone(),
        share: share.share,
    })
}
