//! Which request headers a cluster reads.

use alloc::vec::Vec;

use spillgate_core::{
    model::{Cluster, ClusterKind, OverrideHostSource},
    route::HashPolicy,
};

/// Their lower-case names.
pub(crate) fn read_headers(cluster: &Cluster) -> Vec<&str> {
    match &cluster.kind {
        ClusterKind::Plain(plain) => {
            let hosts = plain
                .override_hosts
                .iter()
                .filter_map(|source| match source {
                    OverrideHostSource::Header(name) => Some(name.as_str()),
                    OverrideHostSource::Metadata { .. } => None,
                });
            let hashed = plain.hash_policies.iter().filter_map(HashPolicy::header);
            hosts.chain(hashed).collect()
        }
        ClusterKind::OriginalDst(original) => original.http_header.as_deref().into_iter().collect(),
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) => Vec::new(),
    }
}
