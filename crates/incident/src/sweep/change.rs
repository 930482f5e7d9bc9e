//! A setting with another value: `health_checks.interval=2s`, `outlier_detection=on`.

use alloc::{vec, vec::Vec};
use core::time::Duration;

use spillgate_health::{
    check::{ActiveCheck, HealthCheckKind, HttpStatuses},
    outlier::OutlierDetection,
};
use spillgate_sim::{SpecFault, spec::Piece};

use super::{SweepValue, setters_of, settings::Setter, unknown_setting};
use crate::setup::{IncidentHealth, IncidentSetup};

/// A change of the settings of all clusters of a setup.
#[derive(Debug, Clone)]
pub struct SettingChange(ChangedSetting);

#[derive(Debug, Clone)]
enum ChangedSetting {
    /// Clusters have health checks, or none.
    Checks(bool),
    /// Clusters have outlier detection, or none.
    Outliers(bool),
    /// A field has this value.
    Field(Vec<Setter>, SweepValue),
}

impl SettingChange {
    /// Reads `SETTING=VALUE` with the settings of a sweep, or `health_checks=on|off`, `outlier_detection=on|off`: what
    /// is switched on has example settings where it is absent ([`example_check`]) or Envoy's defaults.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_incident::SettingChange;
    ///
    /// assert!(SettingChange::parse("health_checks.interval=2s").is_ok());
    /// assert!(SettingChange::parse("outlier_detection=off").is_ok());
    /// assert!(SettingChange::parse("interval=soon").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        const EXPECTED: &str = "SETTING=VALUE such as interval=2s";
        let whole = Piece::whole(text).trimmed();
        let Some((name, value)) = whole.split_once('=') else {
            let message = "not a setting with a value";
            return Err(vec![SpecFault::new(
                "incident/sweep",
                whole,
                message,
                EXPECTED,
            )]);
        };
        let (name, value) = (name.trimmed(), value.trimmed());
        let message: Option<fn(bool) -> ChangedSetting> = match name.text {
            "health_checks" => Some(ChangedSetting::Checks),
            "outlier_detection" => Some(ChangedSetting::Outliers),
            _ => None,
        };
        if let Some(message) = message {
            return match value.text {
                "on" => Ok(Self(message(true))),
                "off" => Ok(Self(message(false))),
                _ => {
                    let fault =
                        SpecFault::new("incident/sweep", value, "not a switch", "on or off");
                    Err(vec![fault])
                }
            };
        }
        let Some((values, setters)) = setters_of(name.text) else {
            return Err(vec![unknown_setting(name, EXPECTED)]);
        };
        let value = values.read(value).map_err(|fault| vec![fault])?;
        Ok(Self(ChangedSetting::Field(setters, value)))
    }

    /// Changes a setup; false if no cluster has the message of the setting.
    pub fn apply(&self, setup: &mut IncidentSetup) -> bool {
        match &self.0 {
            ChangedSetting::Checks(true) => {
                let none = setup.health.values_mut();
                none.filter(|health| health.checks.is_empty())
                    .for_each(|health| health.checks.push(example_check()));
                true
            }
            ChangedSetting::Checks(false) => set_all(setup, |health| health.checks.clear()),
            ChangedSetting::Outliers(true) => set_all(setup, |health| {
                health.outlier.get_or_insert_with(OutlierDetection::default);
            }),
            ChangedSetting::Outliers(false) => set_all(setup, |health| health.outlier = None),
            ChangedSetting::Field(setters, value) => {
                let mut setters = setters.iter();
                setters.any(|setter| setter.apply(setup, *value))
            }
        }
    }
}

fn set_all(setup: &mut IncidentSetup, set: impl FnMut(&mut IncidentHealth)) -> bool {
    setup.health.values_mut().for_each(set);
    true
}

/// The health check of a cluster that has none: HTTP, every 5 s, a timeout of 1 s, unhealthy after 3 failures and
/// healthy after 2 successes.
#[must_use]
pub fn example_check() -> ActiveCheck {
    let (timeout, interval) = (Duration::from_secs(1), Duration::from_secs(5));
    let kind = HealthCheckKind::Http(HttpStatuses::default());
    ActiveCheck::new(kind, timeout, interval).with_thresholds(3, 2)
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::{super::values::ValueRange, *};

    fn faults(text: &str) -> Vec<(usize, &'static str)> {
        let found = SettingChange::parse(text).unwrap_err();
        found.iter().map(|one| (one.column, one.message)).collect()
    }

    #[test]
    fn faults_have_columns() {
        assert_eq!(faults("interval"), [(1, "not a setting with a value")]);
        assert_eq!(faults("intervall=2s"), [(1, "unknown setting")]);
        assert_eq!(faults("interval=soon"), [(10, "not a time")]);
        assert_eq!(faults("interval=0s"), [(10, "out of range")]);
        assert_eq!(faults("max_ejection_percent=101"), [(22, "out of range")]);
        assert_eq!(faults("consecutive_5xx=x"), [(17, "not a number")]);
        assert_eq!(faults("outlier_detection=yes"), [(19, "not a switch")]);
    }

    #[test]
    fn settings_have_the_values_of_configurations() {
        for (message, field, values, _) in &super::super::SETTINGS {
            let is_read = |value: &str| {
                let text = format!("{message}.{field}={value}");
                SettingChange::parse(&text).is_ok()
            };
            let (right, wrong): ([&str; 2], &[&str]) = match values {
                ValueRange::Number => (["0", "4294967295"], &["-1"]),
                ValueRange::Percent => (["0", "100"], &["101"]),
                ValueRange::Time => (["0s", "24h"], &[]),
                ValueRange::TimeAboveZero => (["1ms", "24h"], &["0s"]),
            };
            assert!(right.iter().all(|value| is_read(value)), "{field}");
            assert!(!wrong.iter().any(|value| is_read(value)), "{field}");
            // Percentages are those that Envoy limits to 100.
            let is_percent = field.contains("enforcing") || field.contains("percent");
            assert_eq!(*values == ValueRange::Percent, is_percent, "{field}");
        }
    }
}
