//! The clusters that an attempt of a request may go to, with their probabilities.

use spillgate_core::{
    decide::{OverrideRequest, OverrideResolution, Request},
    route::{Destination, Headers, RETRY_HEADERS, RouteAlternative, RouteOutcome, Routed},
    snapshot::{ClusterSnapshotKind, Snapshot},
};

use super::{Addresses, PickRequest, original_host, unknown_original_host};

/// The clusters of this attempt. A retry goes to the cluster of the earlier attempts, so the hosts
/// that they tried decide: first by the cluster that has them, then, if several do, by the share of
/// these hosts there.
pub fn destinations<'r, H: Headers>(
    snapshot: &Snapshot,
    addresses: &Addresses<'_>,
    routed: &Routed<'r, H>,
    request: &PickRequest,
    now: u64,
) -> Vec<(Destination<'r>, f64)> {
    let known = Earlier {
        snapshot,
        addresses,
        routed,
        request,
        now,
    };
    let attempts = request.attempts();
    let owning = routed.destinations_at(attempts, |to, attempt| known.owned(to, attempt));
    match owning.len() {
        // No cluster has these hosts.
        0 => routed.destinations_at(attempts, |_, _| 1.0),
        1 => owning,
        _ if request.tried.is_empty() => owning,
        _ => {
            let likely = routed.destinations_at(attempts, |to, attempt| known.share(to, attempt));
            // Hosts can have changed their health since they were tried.
            if likely.is_empty() { owning } else { likely }
        }
    }
}

/// The share of each route alternative, 0 to 1: that of its random numbers. A retry keeps the route of the
/// earlier attempts, so the hosts that they tried decide, too.
pub fn route_parts<H: Headers>(
    snapshot: &Snapshot,
    addresses: &Addresses<'_>,
    alternatives: &[RouteAlternative<'_, H>],
    request: &PickRequest,
    now: u64,
) -> Vec<f64> {
    let whole = alternatives.iter().map(|one| one.numbers.share());
    let attempts = request.attempts();
    if attempts == 0 || alternatives.len() < 2 {
        return whole.collect();
    }
    let likely = alternatives.iter().map(|one| match &one.outcome {
        RouteOutcome::Forward(routed) => {
            let known = Earlier {
                snapshot,
                addresses,
                routed,
                request,
                now,
            };
            let of = |to: Destination<'_>| {
                if !can_retry(routed, &to, attempts) {
                    return 0.0;
                }
                let known: f64 = (0..attempts)
                    .map(|attempt| known.share(&to, attempt))
                    .product();
                to.share * known
            };
            one.numbers.share() * routed.destinations().map(of).sum::<f64>()
        }
        _ => 0.0,
    });
    let likely: Vec<f64> = likely.collect();
    let sum: f64 = likely.iter().sum();
    if sum > 0.0 {
        likely.into_iter().map(|part| part / sum).collect()
    } else {
        // No route can have tried these hosts.
        whole.collect()
    }
}

/// Whether the route can retry a request that often. Headers of the request can ask for more.
fn can_retry<H: Headers>(routed: &Routed<'_, H>, to: &Destination<'_>, retries: u32) -> bool {
    let headers = routed.headers(to);
    let mut asking = RETRY_HEADERS.iter();
    let policy = routed.retry();
    asking.any(|name| headers.first(name).is_some())
        || (policy.retries >= retries && policy.retries_request(&headers))
}

/// What is known of the earlier attempts of a request.
struct Earlier<'a, 'r, H> {
    snapshot: &'a Snapshot,
    addresses: &'a Addresses<'a>,
    routed: &'a Routed<'r, H>,
    request: &'a PickRequest,
    /// The time for the expiry of cookies.
    now: u64,
}

impl<H: Headers> Earlier<'_, '_, H> {
    /// 1 if the cluster has the host of this attempt, or if that host is unknown; otherwise 0.
    fn owned(&self, to: &Destination<'_>, attempt: u32) -> f64 {
        let Some(tried) = self.request.tried.get(attempt as usize) else {
            return 1.0;
        };
        let cluster = self.snapshot.cluster_id(to.cluster.unwrap_or_default());
        let has = cluster.is_some_and(|cluster| {
            let kind = self.snapshot.cluster(cluster).map(|found| &found.kind);
            match kind {
                Some(ClusterSnapshotKind::OriginalDst(_)) => {
                    let named = original_host(self.snapshot, cluster, self.routed, to);
                    let at = (attempt, self.now);
                    named.as_ref() == Some(tried)
                        || unknown_original_host(self.snapshot, self.request, self.routed, to, at)
                            .is_some()
                }
                _ => {
                    let host = self.addresses.host_in(self.snapshot, cluster, tried);
                    host.is_some()
                }
            }
        });
        f64::from(u8::from(has))
    }

    /// The share of the host of this attempt in the cluster, 0 to 1.
    fn share(&self, to: &Destination<'_>, attempt: u32) -> f64 {
        let owned = self.owned(to, attempt);
        let (Some(tried), Some(cluster)) = (
            self.request.tried.get(attempt as usize),
            self.snapshot.cluster_id(to.cluster.unwrap_or_default()),
        ) else {
            return owned;
        };
        let Some(host) = self.addresses.host_in(self.snapshot, cluster, tried) else {
            return owned;
        };
        let before = PickRequest {
            attempt,
            tried: self
                .request
                .tried
                .iter()
                .take(attempt as usize)
                .cloned()
                .collect(),
            ..self.request.clone()
        };
        let hosts = self.addresses.known(self.snapshot, cluster, &before);
        let headers = self.routed.headers(to);
        let request = Request {
            hash_policies: self.routed.hash_policies(),
            connection: self.routed.connection,
            criteria: &to.criteria,
            retry: self.routed.retry(),
            tried: &hosts.tried,
            hosts: &hosts,
            ..Request::new(cluster, &headers)
        };
        let sources = self.snapshot.override_sources(cluster);
        let named = OverrideRequest {
            sessions: self.routed.sessions(to, self.now),
            listed: self.routed.override_host_list(to, sources),
        };
        match named.resolve(self.snapshot, &request) {
            OverrideResolution::Host(named) => {
                return f64::from(u8::from(named.host() == host));
            }
            OverrideResolution::Refused(_) => return 0.0,
            OverrideResolution::Balancer { .. } => {}
        }
        let shares = self.snapshot.distribution_of(&request, None).shares;
        let mut shares = shares.iter().filter(|share| share.host_ref() == host);
        shares.next().map_or(0.0, |share| share.share / 100.0)
    }
}
