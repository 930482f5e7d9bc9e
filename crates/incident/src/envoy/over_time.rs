//! What a configuration says that a simulation over time does not model.

use alloc::vec::Vec;

use spillgate_config::{Diagnostic, envoy::EnvoyConfig};

use super::RouteSetup;

impl RouteSetup {
    /// The limits of a simulation of clusters with these names, which requests reach by these routes.
    #[must_use]
    pub fn limits_over_time(&self, config: &EnvoyConfig, clusters: &[&str]) -> Vec<Diagnostic> {
        let all = config.over_time.iter();
        let concerning = all.filter(|limit| limit.affects.concerns(clusters, &self.routes));
        concerning.chain(&self.limits).cloned().collect()
    }
}
