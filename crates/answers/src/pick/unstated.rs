//! Addresses of a connection that decide and that the request does not state.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::{
    names::Names,
    route::{
        Connection, Destination, HashedAddress, HeaderList, Headers, RouteOutcome, RouteTable,
        Routed, hashed_addresses,
    },
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
};

use super::PickRequest;
use crate::explain::read_by;

/// A client elsewhere: an address for documentation, which no proxy trusts or calls internal.
const ELSEWHERE: &str = "203.0.113.9:50001";

/// An address that decides the result and is not stated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnstatedAddress {
    /// The client's port: Envoy makes a missing cookie from it, so each connection has one of the possible hosts.
    Port {
        /// The name of the cookie.
        cookie: String,
    },
    /// The client's address, which a hash policy hashes.
    SourceIp {
        /// The address that the answer assumes.
        assumed: String,
    },
    /// The client's address, which Envoy writes to a header that something reads.
    InHeader {
        /// The name of the header.
        header: String,
        /// The address that the answer assumes.
        assumed: String,
    },
    /// The proxy's address, from which Envoy makes a missing cookie.
    Local {
        /// The name of the cookie.
        cookie: String,
        /// The address that the answer assumes.
        assumed: String,
    },
}

impl UnstatedAddress {
    /// What decides, which address is assumed, and the name of the field and option that states it.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Port { cookie } => format!(
                "the client's port: Envoy makes the missing cookie {cookie} from the addresses of the connection, so all \
                 requests of one connection have the same host (source is not stated)"
            ),
            Self::SourceIp { assumed } => format!(
                "the client's address, which hash_policy source_ip hashes: {assumed} is assumed (source is not stated)"
            ),
            Self::InHeader { header, assumed } => format!(
                "the client's address, which Envoy writes to {header}: {assumed} is assumed (source is not stated)"
            ),
            Self::Local { cookie, assumed } => format!(
                "the proxy's address, from which Envoy makes the missing cookie {cookie}: {assumed} is assumed (local is \
                 not stated)"
            ),
        }
    }
}

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
        // An aggregate tells its members' own policies nothing of the connection.
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
