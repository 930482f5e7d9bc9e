//! The configurations of the Spillgate filters of a listener.

use alloc::{format, string::String, vec::Vec};

use crate::{
    Diagnostic,
    envoy::{ListenerConfig, SpillgateFilter},
    filter::{self, FilterConfig},
};

/// The configurations of the filters of a listener.
#[derive(Debug, Default)]
pub struct SteeringConfigs {
    /// By the numbers that [`RequestFilter::Spillgate`](spillgate_core::route::RequestFilter) names;
    /// `None` where the filter rejects its configuration.
    pub configs: Vec<Option<FilterConfig>>,
    /// The rejected configurations.
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

/// Envoy rejects the listener or the update, so the filter steers nothing by this configuration.
fn rejected(filter: &SpillgateFilter, faults: &[Diagnostic]) -> Diagnostic {
    let text = faults.first().map_or_else(String::new, |fault| {
        format!("{}: {}: {}", fault.code, fault.path, fault.message)
    });
    let reasons = match faults.len() {
        1 => String::new(),
        many => format!(" for {many} reasons"),
    };
    let message = format!("the Spillgate filter rejects its configuration{reasons}: {text}");
    Diagnostic::warning("config/filter-rejected", message)
        .at(filter.path.as_str(), filter.position)
        .expected("a configuration that `docs/filter-config.schema.json` describes")
}
