//! `health_checks` and `outlier_detection` of a cluster as settings of `spillgate_health`, with the place of each one.
//!
//! Envoy rejects a cluster with a fault in them, also for answers that do not depend on them.

mod active_check;
mod located;
mod outlier;
mod setting;
mod upstream_protocol;

pub use located::LocatedSettings;
pub use upstream_protocol::UpstreamProtocol;

use alloc::{boxed::Box, vec::Vec};
use core::time::Duration;

use spillgate_health::{
    check::ActiveCheck, merge_window::MergedUpdates, outlier::OutlierDetection,
};

use super::{facts::FieldPlace, schema::OUTLIER_DETECTION};
use crate::proto::{Message, Report};
use active_check::read_check;
use outlier::read_outlier_detection;
use setting::SettingReader;
use upstream_protocol::read_upstream_protocol;

/// The settings that decide when hosts of a cluster are ejected, and when they return.
#[derive(Debug, Clone, PartialEq)]
pub struct HealthSettings {
    /// `health_checks`, in order.
    pub checks: Vec<LocatedSettings<ActiveCheck>>,
    /// `outlier_detection`.
    pub outlier_detection: Option<LocatedSettings<OutlierDetection>>,
    /// `common_lb_config.update_merge_window`, default 1 s.
    pub update_merge_window: LocatedSettings<Duration>,
    /// `common_lb_config.ignore_new_hosts_until_first_hc`: whether new hosts are excluded until their first check.
    pub ignores_new_hosts: bool,
    /// `ignore_health_on_host_removal`: whether removed hosts leave at once.
    pub ignores_health_on_removal: bool,
    /// The protocol of requests to its hosts.
    pub upstream_protocol: UpstreamProtocol,
}

impl HealthSettings {
    /// Where a setting is stated, by its proto name, or the message of a default: of the check with this index, or of
    /// outlier detection. `None` if there is no such message.
    #[must_use]
    pub fn place_of(&self, check: Option<usize>, field: &str) -> Option<&FieldPlace> {
        match check {
            Some(index) => {
                let check = self.checks.get(index)?;
                Some(check.place_of(field).unwrap_or(&check.place))
            }
            None => {
                let outlier = self.outlier_detection.as_ref()?;
                Some(outlier.place_of(field).unwrap_or(&outlier.place))
            }
        }
    }
}

/// Reads the settings of a cluster. Runtime values replace them. `None` after faults, which the report then has.
pub(super) fn read_health_settings(
    cluster: &Message<'_, '_>,
    common: Option<&Message<'_, '_>>,
    report: &mut Report,
) -> Option<Box<HealthSettings>> {
    let mut faults = report.attempt();
    let mut checks = Vec::new();
    for (path, node) in cluster.list("health_checks", &mut faults) {
        if let Some(message) = Message::unchecked(node, path, "HealthCheck", &mut faults) {
            checks.push(read_check(message, report, &mut faults));
        }
    }
    let outliers = cluster.message("outlier_detection", &OUTLIER_DETECTION, &mut faults);
    let outlier_detection =
        outliers.map(|message| read_outlier_detection(message, report, &mut faults));
    let flag = |message: &Message<'_, '_>, field, faults: &mut Report| {
        message.bool(field, faults).unwrap_or(false)
    };
    let ignores_new_hosts =
        common.is_some_and(|common| flag(common, "ignore_new_hosts_until_first_hc", &mut faults));
    let ignores_health_on_removal = flag(cluster, "ignore_health_on_host_removal", &mut faults);
    let settings = HealthSettings {
        checks,
        outlier_detection,
        update_merge_window: merge_window(cluster, common, report, &mut faults),
        ignores_new_hosts,
        ignores_health_on_removal,
        upstream_protocol: read_upstream_protocol(cluster),
    };
    match faults.finish() {
        Ok(_) => Some(Box::new(settings)),
        Err(faults) => {
            // Some of them are already known: fields of a wrong type, and what lint rules compare.
            for fault in faults {
                if !report.has_fault_at(&fault.path) {
                    report.tolerate(fault);
                }
            }
            None
        }
    }
}

fn merge_window(
    cluster: &Message<'_, '_>,
    common: Option<&Message<'_, '_>>,
    report: &Report,
    faults: &mut Report,
) -> LocatedSettings<Duration> {
    let default = MergedUpdates::DEFAULT_WINDOW;
    let Some(common) = common else {
        return LocatedSettings::new(default, FieldPlace::of(cluster), Vec::new());
    };
    let mut reader = SettingReader::new(common.clone(), report, faults);
    let window = reader.optional_time("update_merge_window");
    reader.finish(window.unwrap_or(default))
}
