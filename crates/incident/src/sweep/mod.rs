//! A setting with several values: `interval=1s..10s`, `outlier_detection.consecutive_5xx=1..5`.

mod change;
mod settings;
mod values;

pub use change::{SettingChange, example_check};
pub use values::SweepValue;

use alloc::{string::String, vec, vec::Vec};

use spillgate_sim::{SpecFault, spec::Piece};

use self::{
    settings::{SETTINGS, Setter},
    values::ValueRange,
};
use crate::setup::IncidentSetup;

/// A setting, and the values that it gets one after the other.
#[derive(Debug, Clone)]
pub struct SettingSweep {
    /// The name as stated.
    pub name: String,
    /// The values.
    pub values: Vec<SweepValue>,
    setters: Vec<Setter>,
}

impl SettingSweep {
    /// Reads `SETTING=FROM..TO`: all whole numbers from one to the other, if these are at most eleven, else up to ten
    /// values. SETTING is a field of `health_checks` or
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
        let known = setters_of(name.text);
        let at = range.text.find("..");
        let bounds = at.and_then(|at| range.cut(at, ".."));
        let mut faults = Vec::new();
        if known.is_none() {
            faults.push(unknown_setting(name, EXPECTED));
        }
        let Some((from, to)) = bounds else {
            faults.push(fault(range, "not a range of values"));
            return Err(faults);
        };
        // Without a setting, it is not known what its values are.
        let Some((values, setters)) = known else {
            return Err(faults);
        };
        Ok(Self {
            name: name.text.into(),
            values: values.between(from.trimmed(), to.trimmed())?,
            setters,
        })
    }

    /// A cluster with a value of the setting; `None` if it does not have the message of the setting.
    #[must_use]
    pub fn apply(&self, setup: &IncidentSetup, value: SweepValue) -> Option<IncidentSetup> {
        let mut setup = setup.clone();
        let mut setters = self.setters.iter();
        setters
            .any(|setter| setter.apply(&mut setup, value))
            .then_some(setup)
    }
}

/// Which values a setting with this name has, and how to set it: in the first message that a cluster has. `None` for
/// another name.
fn setters_of(name: &str) -> Option<(ValueRange, Vec<Setter>)> {
    let known = SETTINGS.iter().filter(|(message, field, ..)| {
        name == *field || name.split_once('.') == Some((*message, *field))
    });
    let (_, _, values, _) = known.clone().next()?;
    Some((*values, known.map(|(.., setter)| *setter).collect()))
}

fn unknown_setting(name: Piece<'_>, expected: &'static str) -> SpecFault {
    let names = SETTINGS.iter().map(|(_, field, ..)| *field);
    SpecFault::new("incident/sweep", name, "unknown setting", expected).one_of(names)
}

impl Setter {
    /// Sets a value in all clusters that have the message; false if none has.
    fn apply(self, setup: &mut IncidentSetup, value: SweepValue) -> bool {
        if let (Self::Retries, SweepValue::Number(number)) = (self, value) {
            setup.retry.retries = number;
            return !setup.retry.retry_on.is_empty();
        }
        let mut found = false;
        for health in setup.health.values_mut() {
            found |= self.set(health, value);
        }
        found
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
    fn ranges_have_all_numbers_or_at_most_ten_values() {
        assert_eq!(values("consecutive_5xx=1..3"), ["1", "2", "3"]);
        let all = (0..=10).map(|number| number.to_string());
        assert_eq!(values("consecutive_5xx=0..10"), all.collect::<Vec<_>>());
        assert_eq!(values("consecutive_5xx=0..11").len(), 10);
        assert_eq!(values("health_checks.interval=1s..10s").len(), 10);
        assert_eq!(values("max_ejection_percent=0..90").last().unwrap(), "90");
        assert_eq!(values("timeout=1s..1s"), ["1s"]);
        assert_eq!(values("interval_jitter=0s..1s").len(), 10);
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
        assert_eq!(
            faults("max_ejection_percent=50..200"),
            [(26, "out of range")]
        );
        assert_eq!(faults("interval=0s..2s"), [(10, "out of range")]);
    }
}
