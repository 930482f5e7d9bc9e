//! The configurations of the Spillgate filters of a listener.

use alloc::{format, string::String, vec::Vec};

use crate::{
    Diagnostic,
    envoy::{ListenerConfig, SpillgateFilter},
    filter::{self, FilterConfig},
};

/// The configurations of a listener's filters.
#[derive(Debug, Default)]
pub struct SteeringConfigs {
    /// By the number in [`RequestFilter::Spillgate`](spillgate_core::route::RequestFilter); `None`
    /// if the filter rejects its configuration.
    pub configs: Vec<Option<FilterConfig>>,
    /// Warnings about rejected configurations.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the configurations of a listener's filters.
///
/// Without the feature `steering` only their hosts are read: clusters, chain and health source.
#[must_use]
pub fn steering_configs(listener: &ListenerConfig) -> SteeringConfigs {
    let mut read = SteeringConfigs::default();
    for filter in &listener.spillgate {
        let config = filter::read_embedded(&filter.json);
        let config = config.map_err(|faults| read.warnings.push(rejected(filter, &faults)));
        read.configs.push(config.ok());
    }
    read
}

/// Envoy rejects the listener or the update, so the filter has no effect.
fn rejected(filter: &SpillgateFilter, faults: &[Diagnostic]) -> Diagnostic {
    let text = faults.first().map_or_else(String::new, |fault| {
        format!("{}: {}: {}", fault.code, fault.path, fault.message)
    });
    let reasons = match faults.len() {
        1 => String::new(),
        many => format!(" for {many} reasons"),
    };
    let message = format!("Spillgate filter rejects its configuration{reasons}: {text}");
    Diagnostic::warning("config/filter-rejected", message)
        .at(filter.path.as_str(), filter.position)
        .expected("a configuration that conforms to docs/filter-config.schema.json")
}
