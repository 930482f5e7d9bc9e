//! Which addresses of a connection decide a result and are not stated.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::{
    model::OverrideHostSource,
    names::Names,
    route::{
        Connection, Destination, HashPolicy, HashedAddress, HeaderList, Headers, RouteOutcome,
        RouteTable, Routed, hashed_addresses,
    },
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
};

use super::PickRequest;
use crate::unstated::UnstatedAddress;

/// A client elsewhere: an address for documentation, which no proxy trusts or calls internal.
const ELSEWHERE: &str = "203.0.113.9:50001";

/// The addresses that decide the request hash of a destination and are not stated.
pub(super) fn in_hash<H: Headers>(
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
    let mut found = BTreeSet::new();
    for plain in snapshot.owners(cluster).filter_map(|id| snapshot.plain(id)) {
        let own = &plain.settings.hash_policies;
        // The own policies of an aggregate's members see nothing of the connection.
        if !plain.settings.policy.hashes() || (!own.is_empty() && is_aggregate) {
            continue;
        }
        let policies = match own.as_slice() {
            [] => routed.hash_policies(),
            own => own,
        };
        let decides = hashed_addresses(policies, &headers, &routed.connection);
        found.extend(
            decides
                .into_iter()
                .filter_map(|address| request.unstated(address, routed)),
        );
    }
    found
}

/// The headers that something reads and that Envoy makes from the client's address, if that is not stated.
pub(super) fn in_headers(
    snapshot: &Snapshot,
    routes: &RouteTable,
    reads: &Names,
    request: &PickRequest,
) -> BTreeSet<UnstatedAddress> {
    if request.given.source {
        return BTreeSet::new();
    }
    let here = read_values(snapshot, routes, reads, request, &request.source);
    let elsewhere = read_values(snapshot, routes, reads, request, ELSEWHERE);
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
    reads: &Names,
    request: &PickRequest,
    remote: &str,
) -> BTreeMap<String, BTreeSet<Vec<Vec<u8>>>> {
    let mut found: BTreeMap<String, BTreeSet<Vec<Vec<u8>>>> = BTreeMap::new();
    let mut add = |name: &str, headers: &dyn Fn(&str) -> Vec<Vec<u8>>| {
        found
            .entry(name.to_owned())
            .or_default()
            .insert(headers(name));
    };
    let states = request.filter_state();
    let connection = Connection {
        remote,
        ..request.connection(&states)
    };
    let headers = HeaderList(&request.headers);
    let received = routes.receive(&headers, connection);
    for name in reads.iter() {
        add(name, &|name| values(&received.headers, name));
    }
    for one in routes.alternatives(&received) {
        let RouteOutcome::Forward(routed) = one.outcome else {
            continue;
        };
        for to in routed.destinations() {
            let headers = routed.headers(&to);
            let cluster = to.cluster.and_then(|name| snapshot.cluster_id(name));
            let of_cluster = cluster.map(|id| read_by(snapshot, id)).unwrap_or_default();
            for name in reads.iter().chain(of_cluster) {
                add(name, &|name| values(&headers, name));
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
    fn unstated<H>(
        &self,
        address: HashedAddress<'_>,
        routed: &Routed<'_, H>,
    ) -> Option<UnstatedAddress> {
        let given = &self.given;
        match address {
            // A header states the client's address.
            HashedAddress::SourceIp if given.source || routed.connection.client.is_some() => None,
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
