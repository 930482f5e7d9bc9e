//! Where the hosts of clusters are from.

use std::collections::BTreeMap;

use spillgate_config::envoy::is_dns_name;
use spillgate_core::model::{Cluster, Model};

/// The clusters whose hosts are not addresses of the configuration, with a text of where these are from.
#[derive(Debug, Default)]
pub struct HostSources {
    /// Those whose hosts are not known.
    pub unknown: BTreeMap<String, String>,
    /// Those whose hosts are DNS names, with how these are resolved.
    pub resolved: BTreeMap<String, String>,
}

impl HostSources {
    /// The sources of the clusters of a model. `discovery` has the fields that name the source of a cluster's hosts, by the
    /// name of the cluster.
    #[must_use]
    pub fn new(
        model: &Model,
        is_unknown: impl Fn(&str) -> bool,
        discovery: &BTreeMap<String, String>,
    ) -> Self {
        let mut found = Self::default();
        for cluster in model.clusters() {
            let name = &cluster.name;
            let source = discovery.get(name);
            if is_unknown(name) {
                let source = source.cloned().unwrap_or_default();
                found.unknown.insert(name.clone(), source);
            } else if let (true, Some(source)) = (has_names(cluster), source) {
                found.resolved.insert(name.clone(), source.clone());
            }
        }
        found
    }
}

/// Whether a host of the cluster is a DNS name.
fn has_names(cluster: &Cluster) -> bool {
    let mut hosts = cluster.priorities().iter().flat_map(|of| &of.endpoints);
    hosts.any(|host| is_dns_name(&host.address))
}
