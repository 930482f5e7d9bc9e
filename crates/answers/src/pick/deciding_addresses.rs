//! Which addresses of a connection decide a result and are not stated.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::{
    model::OverrideHostSource,
    names::Names,
    route::{
        Connection, Destination, HashPolicy, HashSource, HashedAddress, HeaderList, Headers,
        RouteAction, RouteOutcome, RouteTable, RouteTarget, Routed, SplitBy, hashed_addresses,
    },
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
};

use super::PickRequest;
use crate::unstated::UnstatedAddress;

/// A client elsewhere: an address for documentation, which no proxy trusts or calls internal.
const ELSEWHERE: &str = "203.0.113.9:50001";

/// The addresses that decide the choice of a host by hash and are not stated.
pub(super) fn of_host<H: Headers>(
    snapshot: &Snapshot,
    cluster: ClusterId,
    request: &PickRequest,
    routed: &Routed<'_, H>,
    to: &Destination<'_>,
) -> BTreeSet<UnstatedAddress> {
    let headers = routed.headers(to);
    let is_aggregate = matches!(
        snapshot.cluster(cluster).map(|found| &found.kind),
        Some(ClusterSnapshotKind::Aggregate(_))
    );
    let owners = snapshot.owners(cluster).filter_map(|id| snapshot.plain(id));
    let hashing = owners.filter(|plain| plain.settings.policy.hashes());
    let decides = hashing.flat_map(|plain| match plain.settings.hash_policies.as_slice() {
        [] => hashed_addresses(routed.hash_policies(), &headers, &routed.connection),
        own => hashed_addresses(own, &headers, &routed.connection.passed_on(is_aggregate)),
    });
    let unstated = decides.filter_map(|address| request.unstated(address, &routed.connection));
    unstated.collect()
}

/// The addresses that decide the choice of a weighted cluster by hash and are not stated. Envoy generates no cookie for it.
pub(super) fn of_cluster<H: Headers>(
    request: &PickRequest,
    routed: &Routed<'_, H>,
) -> BTreeSet<UnstatedAddress> {
    let by_hash = match &routed.route.action {
        RouteAction::Forward(forward) => match &forward.target {
            RouteTarget::Weighted(clusters) => matches!(clusters.by(), SplitBy::HashPolicy),
            _ => false,
        },
        _ => false,
    };
    let policies = routed.hash_policies().iter();
    let by_source = policies
        .filter(|policy| by_hash && policy.source == HashSource::SourceIp)
        .map(|_| HashedAddress::SourceIp);
    let unstated = by_source.filter_map(|address| request.unstated(address, &routed.connection));
    unstated.collect()
}

/// The headers that something reads on the way of the request and that Envoy makes from the client's address, if that is not
/// stated. `common` are those that the routing of all requests reads.
pub(super) fn in_headers(
    snapshot: &Snapshot,
    routes: &RouteTable,
    common: &Names,
    request: &PickRequest,
) -> BTreeSet<UnstatedAddress> {
    if request.given.source {
        return BTreeSet::new();
    }
    let here = read_values(snapshot, routes, common, request, &request.source);
    let elsewhere = read_values(snapshot, routes, common, request, ELSEWHERE);
    let differ = here
        .iter()
        .filter(|(name, values)| elsewhere.get(*name) != Some(*values));
    let unstated = differ.map(|(name, _)| UnstatedAddress::InHeader {
        header: name.clone(),
        assumed: request.source.clone(),
    });
    unstated.collect()
}

/// The values of headers at all places that read them, for a client of this address.
fn read_values(
    snapshot: &Snapshot,
    routes: &RouteTable,
    common: &Names,
    request: &PickRequest,
    remote: &str,
) -> BTreeMap<String, BTreeSet<Vec<Vec<u8>>>> {
    let mut found: BTreeMap<String, BTreeSet<Vec<Vec<u8>>>> = BTreeMap::new();
    let mut add = |name: &str, values: Vec<Vec<u8>>| {
        found.entry(name.to_owned()).or_default().insert(values);
    };
    let states = request.filter_state();
    let connection = Connection {
        remote,
        ..request.connection(&states)
    };
    let headers = HeaderList(&request.headers);
    let received = routes.receive(&headers, connection);
    for name in common.iter() {
        add(name, values(&received.headers, name));
    }
    for one in routes.alternatives(&received) {
        let RouteOutcome::Forward(routed) = one.outcome else {
            continue;
        };
        let of_route = routed.route.read_headers();
        for to in routed.destinations() {
            let headers = routed.headers(&to);
            let cluster = to.cluster.and_then(|name| snapshot.cluster_id(name));
            let of_cluster = cluster.map(|id| read_by(snapshot, id)).unwrap_or_default();
            for name in of_route.iter().chain(of_cluster) {
                // Filters and hash policies of the route read them before and after its own changes.
                add(name, values(&received.headers, name));
                add(name, values(&headers, name));
            }
        }
    }
    found
}

/// The headers that a cluster reads.
pub(crate) fn read_by(snapshot: &Snapshot, cluster: ClusterId) -> Vec<&str> {
    if let Some(ClusterSnapshotKind::OriginalDst(original)) =
        snapshot.cluster(cluster).map(|cluster| &cluster.kind)
    {
        return original.http_header.as_deref().into_iter().collect();
    }
    let Some(plain) = snapshot.plain(cluster) else {
        return Vec::new();
    };
    let hosts = plain
        .settings
        .override_hosts
        .iter()
        .filter_map(|source| match source {
            OverrideHostSource::Header(name) => Some(name.as_str()),
            OverrideHostSource::Metadata { .. } => None,
        });
    let hashed = plain.settings.hash_policies.iter();
    hosts.chain(hashed.filter_map(HashPolicy::header)).collect()
}

fn values(headers: &impl Headers, name: &str) -> Vec<Vec<u8>> {
    headers.values(name).map(<[u8]>::to_vec).collect()
}

impl PickRequest {
    /// What the request does not state of an address that its hash depends on.
    fn unstated(
        &self,
        address: HashedAddress<'_>,
        connection: &Connection<'_>,
    ) -> Option<UnstatedAddress> {
        let given = &self.given;
        match address {
            // A header states the client's address.
            HashedAddress::SourceIp if given.source || connection.client.is_some() => None,
            HashedAddress::SourceIp => Some(UnstatedAddress::SourceIp {
                assumed: self.source.clone(),
            }),
            HashedAddress::GeneratedCookie(cookie) if !given.source => {
                Some(UnstatedAddress::Port {
                    cookie: cookie.name.clone(),
                })
            }
            HashedAddress::GeneratedCookie(cookie) if !given.local && !given.bound => {
                Some(UnstatedAddress::Local {
                    cookie: cookie.name.clone(),
                    assumed: self.local.clone(),
                })
            }
            HashedAddress::GeneratedCookie(_) => None,
        }
    }
}
