//! The engine itself, with the names that tests use.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, anyhow};
use spillgate_core::decide::{BalancerState, Request, decide};
use spillgate_core::draw::SplitMix64;
use spillgate_core::model::Model;
use spillgate_core::route::{HashPolicy, HashSource, HeaderList};
use spillgate_core::snapshot::{ClusterId, Snapshot};
use spillgate_core::trace::NoTrace;

use crate::config::KEY_HEADER;

/// The engine with a compiled model and the hash policy of the tests.
#[derive(Debug)]
pub struct ReferenceEngine {
    snapshot: Snapshot,
    hash_policies: [HashPolicy; 1],
}

/// The shares of a cluster's requests, in percent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EngineShares {
    /// Without a host.
    pub no_host: f64,
    /// By address.
    pub hosts: BTreeMap<String, f64>,
    /// By owning cluster and its priority.
    pub priorities: BTreeMap<(String, usize), f64>,
}

impl ReferenceEngine {
    /// The engine for a model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self {
            snapshot: Snapshot::build(model),
            hash_policies: [HashPolicy {
                source: HashSource::Header {
                    name: KEY_HEADER.into(),
                    rewrite: None,
                },
                terminal: false,
            }],
        }
    }

    /// The host of a key in a cluster with a hash policy.
    ///
    /// # Errors
    /// When there is no such cluster.
    pub fn pick(&self, cluster: &str, key: &str) -> Result<Option<&str>> {
        let headers = [(KEY_HEADER, key)];
        let headers = HeaderList(&headers);
        let request = Request {
            hash_policies: &self.hash_policies,
            ..Request::new(self.id(cluster)?, &headers)
        };
        // Nothing is random: the key has a hash and the policy uses it.
        let mut draw = SplitMix64::new(0);
        let mut state = BalancerState::default();
        let decision = decide(
            &self.snapshot,
            &mut state,
            &request,
            &mut draw,
            &mut NoTrace,
        );
        let endpoint = decision.endpoint(&self.snapshot);
        Ok(endpoint.map(|endpoint| endpoint.address.as_str()))
    }

    /// What many requests come to.
    ///
    /// # Errors
    /// When there is no such cluster.
    pub fn shares(&self, cluster: &str) -> Result<EngineShares> {
        let distribution = self.snapshot.distribution(self.id(cluster)?, None);
        let mut shares = EngineShares {
            no_host: distribution.no_host,
            ..EngineShares::default()
        };
        for share in &distribution.shares {
            let priority = self.snapshot.plain(share.owner).and_then(|plain| {
                let priority = plain.priorities.get(share.priority)?;
                priority.configured.endpoints.get(share.host)
            });
            let endpoint = priority.context("a share of an unknown host")?;
            let owner = self
                .snapshot
                .cluster(share.owner)
                .context("a share of an unknown cluster")?;
            *shares.hosts.entry(endpoint.address.clone()).or_default() += share.share;
            let priority = (owner.name.clone(), share.priority);
            *shares.priorities.entry(priority).or_default() += share.share;
        }
        Ok(shares)
    }

    fn id(&self, cluster: &str) -> Result<ClusterId> {
        self.snapshot
            .cluster_id(cluster)
            .ok_or_else(|| anyhow!("the model has no cluster {cluster}"))
    }
}
