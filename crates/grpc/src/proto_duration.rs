//! `google.protobuf.Duration`, and the range that gRPC accepts.

use core::time::Duration;

/// A duration as received, valid or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProtoDuration {
    /// Whole seconds.
    pub seconds: i64,
    /// Nanoseconds.
    pub nanos: i32,
}

/// A field of a [`ProtoDuration`] that is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DurationField {
    /// Outside 0 to 315,576,000,000 (10,000 years).
    Seconds,
    /// Outside 0 to 999,999,999.
    Nanos,
}

impl DurationField {
    /// The name of the proto field.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Nanos => "nanos",
        }
    }
}

impl ProtoDuration {
    const LONGEST_SECONDS: i64 = 315_576_000_000;

    /// The duration; `None` if a field is out of range.
    #[must_use]
    pub fn get(self) -> Option<Duration> {
        let seconds = u64::try_from(self.seconds).ok()?;
        let nanos = u32::try_from(self.nanos).ok()?;
        let legal = self.seconds <= Self::LONGEST_SECONDS && nanos <= 999_999_999;
        legal.then(|| Duration::new(seconds, nanos))
    }

    /// The fields that are out of range.
    pub fn faults(self) -> impl Iterator<Item = DurationField> {
        let seconds = !(0..=Self::LONGEST_SECONDS).contains(&self.seconds);
        let nanos = !(0..=999_999_999).contains(&self.nanos);
        [
            seconds.then_some(DurationField::Seconds),
            nanos.then_some(DurationField::Nanos),
        ]
        .into_iter()
        .flatten()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_duration_is_valid_exactly_without_invalid_fields() {
        for seconds in [-1, 0, 1, 315_576_000_000, 315_576_000_001] {
            for nanos in [-1, 0, 999_999_999, 1_000_000_000] {
                let duration = ProtoDuration { seconds, nanos };
                let faults: Vec<_> = duration.faults().collect();
                assert_eq!(duration.get().is_some(), faults.is_empty(), "{duration:?}");
            }
        }
        let both = ProtoDuration {
            seconds: -1,
            nanos: -1,
        };
        let both: Vec<_> = both.faults().collect();
        assert_eq!(both, [DurationField::Seconds, DurationField::Nanos]);
    }
}
