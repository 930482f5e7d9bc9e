//! The settings in effect, which the playground shows as fields.

use alloc::{format, string::String, vec::Vec};

use spillgate_codec::import::{IncidentSetting, SettingSource};
use spillgate_core::duration::DurationText;
use spillgate_incident::IncidentHealth;

use super::ask::AskedIncident;

/// What reads the value of a setting; `None` if a cluster has no such message.
type Read = fn(&IncidentHealth) -> Option<String>;

/// A name without a field is that of a message, which is on or off.
static SETTINGS: [(&str, Read); 10] = [
    ("health_checks", |of| Some(switch(!of.checks.is_empty()))),
    ("health_checks.interval", |of| {
        Some(time(of.checks.first()?.interval))
    }),
    ("health_checks.timeout", |of| {
        Some(time(of.checks.first()?.timeout))
    }),
    ("health_checks.unhealthy_threshold", |of| {
        Some(format!("{}", of.checks.first()?.unhealthy_threshold))
    }),
    ("health_checks.healthy_threshold", |of| {
        Some(format!("{}", of.checks.first()?.healthy_threshold))
    }),
    ("outlier_detection", |of| Some(switch(of.outlier.is_some()))),
    ("outlier_detection.consecutive_5xx", |of| {
        Some(format!("{}", of.outlier.as_ref()?.consecutive_5xx))
    }),
    ("outlier_detection.interval", |of| {
        Some(time(of.outlier.as_ref()?.interval))
    }),
    ("outlier_detection.base_ejection_time", |of| {
        Some(time(of.outlier.as_ref()?.base_ejection_time))
    }),
    ("outlier_detection.max_ejection_percent", |of| {
        Some(format!("{}", of.outlier.as_ref()?.max_ejection_percent))
    }),
];

/// The settings, those of health checks first.
pub(super) fn settings(asked: &AskedIncident) -> Vec<IncidentSetting> {
    let setting = |(name, read): &(&str, Read)| {
        let values: Vec<String> = asked.setup.health().filter_map(read).collect();
        let is_several = values.iter().any(|value| Some(value) != values.first());
        let first = values.into_iter().next()?;
        let message = name.split_once('.').map_or(*name, |(message, _)| message);
        let is_changed = asked.changed.iter().any(|changed| changed == name);
        let by = if is_changed {
            SettingSource::Changed
        } else if asked.is_example && message == "health_checks" {
            SettingSource::Example
        } else if is_several {
            SettingSource::Several
        } else {
            SettingSource::Config
        };
        Some(IncidentSetting {
            name: String::from(*name),
            value: first,
            by,
        })
    };
    SETTINGS.iter().filter_map(setting).collect()
}

fn switch(is_on: bool) -> String {
    String::from(if is_on { "on" } else { "off" })
}

fn time(time: core::time::Duration) -> String {
    format!("{}", DurationText(time))
}
