//! What a configuration says that a simulation over time does not model.

use alloc::vec::Vec;

use spillgate_config::{Affects, Diagnostic, envoy::EnvoyConfig};

use super::RouteSetup;

impl RouteSetup {
    /// The limits of a simulation of clusters with these names, which requests reach by these routes.
    #[must_use]
    pub fn limits_over_time(&self, config: &EnvoyConfig, clusters: &[&str]) -> Vec<Diagnostic> {
        let all = config.over_time.iter();
        let concerning = all.filter(|limit| self.is_concerned(&limit.affects, clusters));
        concerning.chain(&self.limits).cloned().collect()
    }

    fn is_concerned(&self, affects: &Affects, clusters: &[&str]) -> bool {
        match affects {
            Affects::Everything => true,
            Affects::Cluster(name) => clusters.contains(&name.as_str()),
            Affects::Listener(listener) | Affects::HandOff(listener) => {
                self.routes.iter().any(|(of, _)| of == listener)
            }
            Affects::Route { listener, route } => self.routes.contains(&(*listener, *route)),
        }
    }
}
