//! Responses to `/clusters`, as text and JSON.

use spillgate_config::clusters;
use spillgate_config::envoy::EnvoyConfig;
use spillgate_core::model::ClusterKind;

use super::configuration::{SHOP, places};
use super::diagnostics::{check, rejected};

/// Reads a response and merges it into a configuration.
pub(in crate::fuzz) fn read(text: &str) {
    match clusters::read(text) {
        Ok(statuses) => {
            let mut config = EnvoyConfig {
                model: SHOP.model.clone(),
                listeners: Vec::new(),
                marks: SHOP.marks.clone(),
                facts: SHOP.facts.clone(),
                sources: SHOP.sources.clone(),
                access: SHOP.access.clone(),
                warnings: SHOP.warnings.clone(),
                over_time: SHOP.over_time.clone(),
                unread: SHOP.unread.clone(),
            };
            let found = clusters::lay_over(&statuses, &mut config);
            check(&found, text);
            places(&config);
            assert_eq!(config.model.clusters().len(), SHOP.model.clusters().len());
            for status in &statuses {
                let cluster = config.model.cluster(&status.name);
                if let Some(ClusterKind::Plain(plain)) = cluster.map(|cluster| &cluster.kind) {
                    let hosts = plain
                        .priorities
                        .iter()
                        .map(|priority| priority.endpoints.len());
                    assert_eq!(hosts.sum::<usize>(), status.hosts.len(), "{}", status.name);
                }
            }
        }
        Err(faults) => rejected(&faults, text),
    }
}
