//! How Envoy finds out the health of a cluster's hosts, and which hosts keep sessions.

use alloc::vec::Vec;

use spillgate_core::model::HealthStatus;

use super::{FieldPlace, view::View};
use crate::node::NodeValue;

/// Settings related to health.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HealthSignals {
    /// Active health checks.
    pub health_checks: Option<FieldPlace>,
    /// Outlier detection.
    pub outlier_detection: Option<OutlierDetection>,
    /// Circuit breakers.
    pub circuit_breakers: Option<FieldPlace>,
    /// `common_lb_config.override_host_status`.
    pub override_host_status: Option<OverrideStatusFacts>,
}

/// Passive health checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlierDetection {
    /// Its place.
    pub place: FieldPlace,
    /// Maximum share of all hosts that may be ejected, in percent; default 10.
    pub max_ejection_percent: u64,
    /// Whether one host may be ejected regardless of the percentage.
    pub always_eject_one_host: bool,
}

/// The statuses under which a session stays on its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideStatusFacts {
    /// Their place.
    pub place: FieldPlace,
    /// The statuses; if empty, no session stays on its host.
    pub statuses: Vec<HealthStatus>,
}

/// Envoy's default for `max_ejection_percent`.
const MAX_EJECTION_PERCENT: u64 = 10;

/// Reads a cluster's settings.
pub(super) fn read(cluster: &View<'_, '_>) -> HealthSignals {
    let place = |found: Option<View<'_, '_>>| found.map(|view| view.place());
    let checks = cluster.get("health_checks");
    let checks = checks.filter(|_| !cluster.list("health_checks").is_empty());
    let outliers = cluster.get("outlier_detection");
    let statuses = cluster.at(&["common_lb_config", "override_host_status"]);
    HealthSignals {
        health_checks: place(checks),
        outlier_detection: outliers.map(|view| OutlierDetection {
            place: view.place(),
            max_ejection_percent: view
                .number("max_ejection_percent")
                .unwrap_or(MAX_EJECTION_PERCENT),
            always_eject_one_host: view.flag("always_eject_one_host"),
        }),
        circuit_breakers: place(cluster.get("circuit_breakers")),
        override_host_status: statuses.map(|view| OverrideStatusFacts {
            place: view.place(),
            statuses: view.list("statuses").iter().filter_map(status).collect(),
        }),
    }
}

/// A status by name or number.
fn status(view: &View<'_, '_>) -> Option<HealthStatus> {
    match &view.node.value {
        NodeValue::Int(number) => {
            let at = usize::try_from(*number).ok()?;
            HealthStatus::ALL.get(at).copied()
        }
        _ => HealthStatus::from_name(&view.as_text()?.to_ascii_uppercase()),
    }
}
