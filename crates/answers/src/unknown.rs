//! Clusters whose hosts are not known: no figure says anything about their requests.

use std::{collections::BTreeMap, sync::Arc};

use spillgate_config::envoy::{EnvoyConfig, UnknownHosts};
use spillgate_core::snapshot::{ClusterId, Snapshot};
use spillgate_explain::report::{CoveredAttempts, reached_unknown};

/// The reason in answers.
pub const HOSTS_UNKNOWN: &str = "hosts are not known from the configuration";

/// The reason in answers about `ORIGINAL_DST` clusters.
pub const DESTINATION_UNKNOWN: &str = "the original destination of the connection is not given";

/// The reason in answers about sessions of `ORIGINAL_DST` clusters.
pub const SESSION_UNKNOWN: &str =
    "the cluster has the host of the session only if an earlier request went there";

/// The reason in answers about retries that avoid priorities after hosts of an override host list.
pub const AVOIDED_UNKNOWN: &str =
    "previous_priorities after hosts that override_host lists is not modeled";

/// The reason in answers about retries whose hash depends on a port that is not stated.
pub const PORT_UNKNOWN: &str =
    "Envoy makes a missing cookie from the client's port, and source is not stated";

/// The reason in answers about retries that avoid hosts, if several hosts have the address of one.
pub const TRIED_UNKNOWN: &str =
    "previous_hosts is not modeled where several hosts have the address of a tried one";

/// The reason in answers about attempts that a Spillgate filter sends to the next cluster, if their hosts depend
/// on weights.
pub const NEXT_CLUSTER_UNKNOWN: &str = "attempts in the next cluster (output.attempts_per_cluster) are not modeled \
    with weights of hosts or localities, slow start, a part of the requests without a host, a kept session in a split of \
    three or more clusters, or retry: next_step without a request hash";

/// Clusters with hosts that are not known, by name; shared by all answers about an input.
#[derive(Debug, Clone, Default)]
pub struct UnknownClusters(Arc<BTreeMap<String, UnknownHosts>>);

/// The attempts that an answer about a request with so many earlier attempts covers.
pub const fn attempts_of(earlier: u32) -> CoveredAttempts {
    match earlier {
        0 => CoveredAttempts::First,
        _ => CoveredAttempts::Any,
    }
}

impl UnknownClusters {
    /// Those of a configuration.
    #[must_use]
    pub fn of(config: &EnvoyConfig) -> Self {
        let clusters = config.model.clusters().iter();
        let unknown = clusters.filter_map(|cluster| {
            let why = config.marks.cluster(&cluster.name)?.unknown_hosts?;
            Some((cluster.name.clone(), why))
        });
        Self(Arc::new(unknown.collect()))
    }

    /// Whether the hosts of all clusters are known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The cluster with unknown hosts that requests of `cluster` can reach: itself, or a member of an
    /// aggregate.
    #[must_use]
    pub fn reached<'s>(
        &self,
        snapshot: &'s Snapshot,
        cluster: ClusterId,
        attempts: CoveredAttempts,
    ) -> Option<&'s str> {
        if self.is_empty() {
            return None;
        }
        reached_unknown(snapshot, cluster, attempts, |name| self.contains(name))
    }

    /// Whether the type of a cluster also chooses the host of each request.
    #[must_use]
    pub fn chooses_itself(&self, cluster: &str) -> bool {
        self.0.get(cluster) == Some(&UnknownHosts::ExtensionChooses)
    }

    /// Whether the hosts of a cluster are not known.
    #[must_use]
    pub fn contains(&self, cluster: &str) -> bool {
        self.0.contains_key(cluster)
    }
}
