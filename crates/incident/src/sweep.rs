//! A setting with several values: `interval=1s..10s`, `outlier_detection.consecutive_5xx=1..5`.

use alloc::{format, string::String, vec, vec::Vec};
use core::{fmt, time::Duration};

use spillgate_health::{check::ActiveCheck, outlier::OutlierDetection};
use spillgate_sim::{SpecFault, spec::Piece};

use crate::{
    script::read_time,
    setup::{IncidentHealth, IncidentSetup},
};

/// The most values of a setting.
const MOST_VALUES: u32 = 10;

/// A setting, and the values that it gets one after the other.
#[derive(Debug, Clone)]
pub struct SettingSweep {
    /// The name as stated.
    pub name: String,
    /// The values.
    pub values: Vec<SweepValue>,
    setters: Vec<Setter>,
}

/// A value of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SweepValue {
    /// A duration.
    Time(Duration),
    /// A number.
    Number(u32),
}

/// Sets a setting.
#[derive(Debug, Clone, Copy)]
enum Setter {
    CheckTime(fn(&mut ActiveCheck, Duration)),
    CheckNumber(fn(&mut ActiveCheck, u32)),
    OutlierTime(fn(&mut OutlierDetection, Duration)),
    OutlierNumber(fn(&mut OutlierDetection, u32)),
    MergeWindow,
    Retries,
}

const CHECKS: &str = "health_checks";
const OUTLIERS: &str = "outlier_detection";

/// The settings: message, name, and how to set it. A name without its message means each message that has it, but
/// outlier detection only without health checks.
static SETTINGS: [(&str, &str, Setter); 24] = [
    (
        CHECKS,
        "interval",
        Setter::CheckTime(|to, time| to.interval = time),
    ),
    (
        CHECKS,
        "timeout",
        Setter::CheckTime(|to, time| to.timeout = time),
    ),
    (
        CHECKS,
        "unhealthy_interval",
        Setter::CheckTime(|to, time| to.unhealthy_interval = Some(time)),
    ),
    (
        CHECKS,
        "unhealthy_edge_interval",
        Setter::CheckTime(|to, time| to.unhealthy_edge_interval = Some(time)),
    ),
    (
        CHECKS,
        "healthy_edge_interval",
        Setter::CheckTime(|to, time| to.healthy_edge_interval = Some(time)),
    ),
    (
        CHECKS,
        "interval_jitter",
        Setter::CheckTime(|to, time| to.interval_jitter = time),
    ),
    (
        CHECKS,
        "unhealthy_threshold",
        Setter::CheckNumber(|to, number| to.unhealthy_threshold = number),
    ),
    (
        CHECKS,
        "healthy_threshold",
        Setter::CheckNumber(|to, number| to.healthy_threshold = number),
    ),
    (
        OUTLIERS,
        "interval",
        Setter::OutlierTime(|to, time| to.interval = time),
    ),
    (
        OUTLIERS,
        "base_ejection_time",
        // Envoy rejects a max_ejection_time below it.
        Setter::OutlierTime(|to, time| {
            to.base_ejection_time = time;
            to.max_ejection_time = to.max_ejection_time.map(|most| most.max(time));
        }),
    ),
    (
        OUTLIERS,
        "max_ejection_time",
        Setter::OutlierTime(|to, time| {
            to.max_ejection_time = Some(time.max(to.base_ejection_time))
        }),
    ),
    (
        OUTLIERS,
        "consecutive_5xx",
        Setter::OutlierNumber(|to, number| to.consecutive_5xx = number),
    ),
    (
        OUTLIERS,
        "consecutive_gateway_failure",
        Setter::OutlierNumber(|to, number| to.consecutive_gateway_failure = number),
    ),
    (
        OUTLIERS,
        "consecutive_local_origin_failure",
        Setter::OutlierNumber(|to, number| to.consecutive_local_origin_failure = number),
    ),
    (
        OUTLIERS,
        "enforcing_consecutive_5xx",
        Setter::OutlierNumber(|to, number| to.enforcing_consecutive_5xx = number.min(100)),
    ),
    (
        OUTLIERS,
        "enforcing_success_rate",
        Setter::OutlierNumber(|to, number| to.enforcing_success_rate = number.min(100)),
    ),
    (
        OUTLIERS,
        "max_ejection_percent",
        Setter::OutlierNumber(|to, number| to.max_ejection_percent = number.min(100)),
    ),
    (
        OUTLIERS,
        "success_rate_minimum_hosts",
        Setter::OutlierNumber(|to, number| to.success_rate_minimum_hosts = number),
    ),
    (
        OUTLIERS,
        "success_rate_request_volume",
        Setter::OutlierNumber(|to, number| to.success_rate_request_volume = number),
    ),
    (
        OUTLIERS,
        "success_rate_stdev_factor",
        Setter::OutlierNumber(|to, number| to.success_rate_stdev_factor = number),
    ),
    (
        OUTLIERS,
        "failure_percentage_threshold",
        Setter::OutlierNumber(|to, number| to.failure_percentage_threshold = number.min(100)),
    ),
    (
        OUTLIERS,
        "enforcing_failure_percentage",
        Setter::OutlierNumber(|to, number| to.enforcing_failure_percentage = number.min(100)),
    ),
    (
        "common_lb_config",
        "update_merge_window",
        Setter::MergeWindow,
    ),
    ("retry_policy", "num_retries", Setter::Retries),
];

impl Setter {
    const fn has_times(self) -> bool {
        matches!(
            self,
            Self::CheckTime(_) | Self::OutlierTime(_) | Self::MergeWindow
        )
    }

    /// Sets the value; false if the cluster has no such message.
    fn set(self, health: &mut IncidentHealth, value: SweepValue) -> bool {
        match (self, value) {
            (Self::CheckTime(set), SweepValue::Time(time)) => {
                health.checks.iter_mut().for_each(|check| set(check, time));
                !health.checks.is_empty()
            }
            (Self::CheckNumber(set), SweepValue::Number(number)) => {
                health
                    .checks
                    .iter_mut()
                    .for_each(|check| set(check, number));
                !health.checks.is_empty()
            }
            (Self::OutlierTime(set), SweepValue::Time(time)) => health
                .outlier
                .as_mut()
                .map(|outlier| set(outlier, time))
                .is_some(),
            (Self::OutlierNumber(set), SweepValue::Number(number)) => health
                .outlier
                .as_mut()
                .map(|outlier| set(outlier, number))
                .is_some(),
            (Self::MergeWindow, SweepValue::Time(time)) => {
                health.merge_window = time;
                true
            }
            _ => false,
        }
    }
}

impl SettingSweep {
    /// Reads `SETTING=FROM..TO`: up to ten values from one to the other. SETTING is a field of `health_checks` or
    /// `outlier_detection`, with or without the name of the message, `update_merge_window` or `num_retries`.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_incident::SettingSweep;
    ///
    /// let sweep = SettingSweep::parse("interval=1s..10s").unwrap();
    /// assert_eq!(sweep.values.len(), 10);
    /// assert!(SettingSweep::parse("intervall=1s..10s").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        const EXPECTED: &str = "SETTING=FROM..TO such as interval=1s..10s";
        let whole = Piece::whole(text).trimmed();
        let fault = |at, message| SpecFault::new("incident/sweep", at, message, EXPECTED);
        let Some((name, range)) = whole.split_once('=') else {
            return Err(vec![fault(whole, "not a setting with values")]);
        };
        let (name, range) = (name.trimmed(), range.trimmed());
        let known = SETTINGS.iter().filter(|(message, field, _)| {
            name.text == *field || name.text.split_once('.') == Some((*message, *field))
        });
        let setters: Vec<Setter> = known.map(|(_, _, setter)| *setter).collect();
        let at = range.text.find("..");
        let bounds = at.and_then(|at| range.cut(at, ".."));
        let mut faults = Vec::new();
        if setters.is_empty() {
            let names = SETTINGS.iter().map(|(_, field, _)| *field);
            faults.push(fault(name, "unknown setting").one_of(names));
        }
        let Some((from, to)) = bounds else {
            faults.push(fault(range, "not a range of values"));
            return Err(faults);
        };
        let has_times = setters.first().is_none_or(|setter| setter.has_times());
        let values = if has_times {
            times(from.trimmed(), to.trimmed())
        } else {
            numbers(from.trimmed(), to.trimmed())
        };
        match values {
            Ok(values) if faults.is_empty() => Ok(Self {
                name: name.text.into(),
                values,
                setters,
            }),
            Ok(_) => Err(faults),
            // Without a setting, it is not known what its values are.
            Err(_) if !faults.is_empty() => Err(faults),
            Err(found) => Err(found),
        }
    }

    /// A cluster with a value of the setting; `None` if it does not have the message of the setting.
    #[must_use]
    pub fn apply(&self, setup: &IncidentSetup, value: SweepValue) -> Option<IncidentSetup> {
        let mut setup = setup.clone();
        for setter in &self.setters {
            if let (Setter::Retries, SweepValue::Number(number)) = (setter, value) {
                setup.retry.retries = number;
                return (!setup.retry.retry_on.is_empty()).then_some(setup);
            }
            let mut found = false;
            for health in setup.health.values_mut() {
                found |= setter.set(health, value);
            }
            if found {
                return Some(setup);
            }
        }
        None
    }
}

impl fmt::Display for SweepValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "{time:?}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

fn times(from: Piece<'_>, to: Piece<'_>) -> Result<Vec<SweepValue>, Vec<SpecFault>> {
    let (first, last) = both(read_time(from), read_time(to))?;
    if first.is_zero() || first > last {
        let expected = "times above 0, the shorter one first";
        let message = "no range of times";
        return Err(vec![SpecFault::new(
            "incident/sweep",
            from,
            message,
            expected,
        )]);
    }
    let steps = MOST_VALUES - 1;
    let step = (last - first) / steps;
    if step.is_zero() {
        return Ok(vec![SweepValue::Time(first)]);
    }
    let values = (0..=steps).map(|at| {
        let value = first + step * at;
        // Envoy counts whole milliseconds.
        let millis = (value.as_micros() + 500) / 1_000;
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    });
    Ok(values.map(SweepValue::Time).collect())
}

fn numbers(from: Piece<'_>, to: Piece<'_>) -> Result<Vec<SweepValue>, Vec<SpecFault>> {
    let read = |text: Piece<'_>| {
        let number = text.text.parse::<u32>();
        number.map_err(|_| {
            let expected = "a whole number from 0";
            SpecFault::new("incident/sweep", text, "not a number", expected)
        })
    };
    let (first, last) = both(read(from), read(to))?;
    if first > last {
        let expected = format!("a number up to {last}");
        let message = "no range of numbers";
        return Err(vec![SpecFault::new(
            "incident/sweep",
            from,
            message,
            expected,
        )]);
    }
    let count = (last - first).min(MOST_VALUES - 1);
    let at = |index: u32| {
        let part = u64::from(last - first) * u64::from(index) / u64::from(count.max(1));
        first.saturating_add(u32::try_from(part).unwrap_or(u32::MAX))
    };
    Ok((0..=count)
        .map(|index| SweepValue::Number(at(index)))
        .collect())
}

fn both<T>(from: Result<T, SpecFault>, to: Result<T, SpecFault>) -> Result<(T, T), Vec<SpecFault>> {
    match (from, to) {
        (Ok(from), Ok(to)) => Ok((from, to)),
        (from, to) => Err(from.err().into_iter().chain(to.err()).collect()),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn values(text: &str) -> Vec<String> {
        let sweep = SettingSweep::parse(text).unwrap();
        sweep.values.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn ranges_have_at_most_ten_values() {
        assert_eq!(values("consecutive_5xx=1..3"), ["1", "2", "3"]);
        assert_eq!(values("health_checks.interval=1s..10s").len(), 10);
        assert_eq!(values("max_ejection_percent=0..90").last().unwrap(), "90");
        assert_eq!(values("timeout=1s..1s"), ["1s"]);
    }

    #[test]
    fn faults_have_columns() {
        let faults = |text: &str| {
            let found = SettingSweep::parse(text).unwrap_err();
            let places = found.iter().map(|fault| (fault.column, fault.message));
            places.collect::<Vec<_>>()
        };
        assert_eq!(faults("interval"), [(1, "not a setting with values")]);
        assert_eq!(faults("intervall=1..2"), [(1, "unknown setting")]);
        assert_eq!(faults("interval=x..2s"), [(10, "not a time")]);
        assert_eq!(
            faults("consecutive_5xx=3..1"),
            [(17, "no range of numbers")]
        );
    }
}
