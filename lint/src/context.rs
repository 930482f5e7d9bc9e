//! What rules look at.

use alloc::vec::Vec;

use spillgate_config::envoy::{
    EnvoyConfig,
    facts::{ClusterFacts, Facts},
};
use spillgate_core::{
    decide::Request,
    model::{Cluster, ClusterKind, Metadata, PlainCluster},
    route::HeaderList,
    snapshot::{Distribution, Snapshot},
};

use crate::ways::{Way, ways};

/// A configuration, compiled.
pub(crate) struct Context<'c> {
    pub(crate) config: &'c EnvoyConfig,
    pub(crate) facts: &'c Facts,
    pub(crate) snapshot: Snapshot,
    /// Every way from a route to a cluster that it names.
    pub(crate) ways: Vec<Way<'c>>,
}

/// A cluster with hosts of its own, and what its text says.
#[derive(Clone, Copy)]
pub(crate) struct Plain<'c> {
    pub(crate) cluster: &'c Cluster,
    pub(crate) plain: &'c PlainCluster,
    pub(crate) facts: &'c ClusterFacts,
}

impl<'c> Plain<'c> {
    pub(crate) fn name(&self) -> &'c str {
        &self.cluster.name
    }

    /// How many endpoints it has.
    pub(crate) fn hosts(&self) -> usize {
        self.plain.levels.iter().map(|l| l.endpoints.len()).sum()
    }

    /// The metadata of every endpoint.
    pub(crate) fn metadata(&self) -> impl Iterator<Item = &'c Metadata> + use<'c> {
        let levels = self.plain.levels.iter();
        levels
            .flat_map(|level| &level.endpoints)
            .map(|e| &e.metadata)
    }
}

impl<'c> Context<'c> {
    pub(crate) fn new(config: &'c EnvoyConfig) -> Self {
        Self {
            config,
            facts: &config.facts,
            snapshot: Snapshot::build(&config.model),
            ways: ways(config),
        }
    }

    /// Every cluster with hosts of its own.
    pub(crate) fn plains(&self) -> impl Iterator<Item = Plain<'c>> + use<'c> {
        let facts = self.facts;
        let clusters = self.config.model.clusters().iter();
        clusters.filter_map(move |cluster| plain(cluster, facts))
    }

    /// The cluster of that name if it has hosts of its own, or the members that do.
    pub(crate) fn owners(&self, name: &str) -> Vec<Plain<'c>> {
        let model = &self.config.model;
        let Some(cluster) = model.cluster(name) else {
            return Vec::new();
        };
        let ClusterKind::Aggregate(aggregate) = &cluster.kind else {
            return plain(cluster, self.facts).into_iter().collect();
        };
        let members = aggregate
            .members
            .iter()
            .filter_map(|name| model.cluster(name));
        members
            .filter_map(|member| plain(member, self.facts))
            .collect()
    }

    /// Where the requests for a cluster go that have these criteria.
    pub(crate) fn distribution(&self, cluster: &str, criteria: &Metadata) -> Distribution {
        let Some(id) = self.snapshot.cluster_id(cluster) else {
            return Distribution {
                no_host: 100.0,
                shares: Vec::new(),
            };
        };
        let no_headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
        let request = Request {
            criteria,
            ..Request::new(id, &no_headers)
        };
        self.snapshot.distribution_of(&request, None)
    }

    /// The address of a host that has a share.
    pub(crate) fn address(&self, share: &spillgate_core::snapshot::Share) -> &str {
        let plain = self.snapshot.plain(share.owner);
        let endpoint = plain.and_then(|plain| plain.endpoint(share.priority, share.host));
        endpoint.map_or("", |endpoint| &endpoint.address)
    }
}

fn plain<'c>(cluster: &'c Cluster, facts: &'c Facts) -> Option<Plain<'c>> {
    let ClusterKind::Plain(plain) = &cluster.kind else {
        return None;
    };
    Some(Plain {
        cluster,
        plain,
        facts: facts.cluster(&cluster.name)?,
    })
}
