//! The cluster specifier: it routes a request to the cluster that the filter chose.
//!
//! The filter leaves the name in the dynamic metadata of the request. No client can set these, and they
//! belong to one request, however often Envoy asks.

use crate::{
    abi::SpecifierHandle,
    names::{CLUSTER, NAMESPACE},
};

/// The configuration of a route: the cluster of requests that the filter has not decided.
pub(crate) struct Specifier {
    otherwise: Vec<u8>,
}

impl Specifier {
    /// The configuration is the name of a cluster.
    pub(crate) fn new(config: &[u8]) -> Self {
        Self {
            otherwise: config.to_vec(),
        }
    }

    /// Answers with the cluster of a request. Returns whether there is one.
    pub(crate) fn select(&self, envoy: &SpecifierHandle<'_>) -> bool {
        let chosen = envoy.metadata(NAMESPACE, CLUSTER);
        let cluster = chosen.unwrap_or(&self.otherwise);
        !cluster.is_empty() && envoy.answer(cluster)
    }
}
