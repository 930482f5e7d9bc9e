//! Reads the settings of one message, and records their places.

use alloc::{format, vec::Vec};
use core::time::Duration;

use super::LocatedSettings;
use crate::{
    envoy::facts::FieldPlace,
    proto::{Message, Path, Report},
};

/// A message whose settings are read.
pub(super) struct SettingReader<'n, 'a, 'r> {
    pub(super) message: Message<'n, 'a>,
    /// The report of the whole input, which has the runtime values.
    runtime: &'r Report,
    pub(super) faults: &'r mut Report,
    fields: Vec<(&'static str, FieldPlace)>,
}

impl<'n, 'a, 'r> SettingReader<'n, 'a, 'r> {
    pub(super) const fn new(
        message: Message<'n, 'a>,
        runtime: &'r Report,
        faults: &'r mut Report,
    ) -> Self {
        Self {
            message,
            runtime,
            faults,
            fields: Vec::new(),
        }
    }

    /// The settings with their places.
    pub(super) fn finish<T>(self, settings: T) -> LocatedSettings<T> {
        LocatedSettings::new(settings, FieldPlace::of(&self.message), self.fields)
    }

    /// Records the place of a field, if it has a value.
    pub(super) fn found(&mut self, field: &'static str) {
        let place = FieldPlace::of_field(&self.message, field);
        self.fields.extend(place.map(|place| (field, place)));
    }

    /// Records the places of the fields of a message in this one.
    pub(super) fn found_in(&mut self, of: &Message<'_, '_>, field: &'static str) {
        let place = FieldPlace::of_field(of, field);
        self.fields.extend(place.map(|place| (field, place)));
    }

    /// A number.
    pub(super) fn number(&mut self, field: &'static str) -> Option<u32> {
        self.found(field);
        self.message.wrapped_u32(field, self.faults)
    }

    /// A number that must be there; 0 if it is not.
    pub(super) fn required_number(&mut self, field: &'static str) -> u32 {
        self.message.require(field, self.faults);
        self.number(field).unwrap_or_default()
    }

    /// A Boolean.
    pub(super) fn flag(&mut self, field: &'static str, default: bool) -> bool {
        self.found(field);
        self.message.bool(field, self.faults).unwrap_or(default)
    }

    /// A duration in whole milliseconds, possibly 0.
    pub(super) fn optional_time(&mut self, field: &'static str) -> Option<Duration> {
        self.found(field);
        let time = self.message.duration(field, self.faults)?;
        Some(whole_millis(time))
    }

    /// A duration above 0.
    pub(super) fn positive_time(&mut self, field: &'static str) -> Option<Duration> {
        self.found(field);
        let time = self.message.duration(field, self.faults)?;
        if time.is_zero() {
            self.message
                .out_of_range(field, "a duration above 0s", self.faults);
        }
        Some(whole_millis(time))
    }

    /// A duration above 0 that must be there; 0 if it is not.
    pub(super) fn required_time(&mut self, field: &'static str) -> Duration {
        self.message.require(field, self.faults);
        self.positive_time(field).unwrap_or_default()
    }

    /// The value of a runtime key, which then is the place of the field.
    pub(super) fn of_runtime(&mut self, key: &str, field: &'static str) -> Option<u64> {
        let (value, position) = self.runtime.runtime_integer(key)?;
        let path = Path::root().field("layered_runtime");
        self.fields.push((field, FieldPlace::new(&path, position)));
        Some(value)
    }

    /// A number that `outlier_detection.FIELD` in the runtime replaces.
    pub(super) fn number_or_runtime(&mut self, field: &'static str, default: u32) -> u32 {
        let stated = self.number(field).unwrap_or(default);
        let replaced = self.of_runtime(&format!("outlier_detection.{field}"), field);
        replaced.map_or(stated, |value| u32::try_from(value).unwrap_or(u32::MAX))
    }

    /// A percentage that the runtime can replace.
    pub(super) fn percent_or_runtime(&mut self, field: &'static str, default: u32) -> u32 {
        let stated = self.message.wrapped_u32(field, &mut self.faults.attempt());
        if stated.is_some_and(|percent| percent > 100) {
            self.message
                .out_of_range(field, "a number from 0 to 100", self.faults);
        }
        self.number_or_runtime(field, default).min(100)
    }

    /// A duration that `outlier_detection.FIELD_ms` in the runtime replaces.
    pub(super) fn time_or_runtime(
        &mut self,
        field: &'static str,
        stated: Option<Duration>,
    ) -> Option<Duration> {
        let replaced = self.of_runtime(&format!("outlier_detection.{field}_ms"), field);
        replaced.map(Duration::from_millis).or(stated)
    }
}

fn whole_millis(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}
