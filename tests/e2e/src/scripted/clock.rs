//! The clocks of a trial: the time of logs, and the time since the start of the scripts.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The time of Envoy's logs: since 1970.
pub(crate) fn now() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}

/// When the scripts of a batch started. Until then they are at their beginning.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScriptClock(Arc<OnceLock<Instant>>);

impl ScriptClock {
    pub(crate) fn start(&self) {
        self.0.get_or_init(Instant::now);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.get().map(Instant::elapsed).unwrap_or_default()
    }

    /// Waits until that time since the start.
    pub(crate) fn wait_until(&self, time: Duration) {
        std::thread::sleep(time.saturating_sub(self.elapsed()));
    }
}

/// A time in Envoy's JSON, such as `2026-11-30T17:26:09.806Z`.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.split('-').map(str::parse::<i64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let mut time = time.splitn(3, ':');
    let hours: u64 = time.next()?.parse().ok()?;
    let minutes: u64 = time.next()?.parse().ok()?;
    let seconds: f64 = time.next()?.parse().ok()?;
    let days = u64::try_from(days_since_1970(year, month, day)).ok()?;
    let whole = Duration::from_secs(days * 86_400 + hours * 3_600 + minutes * 60);
    // Whole microseconds, without the rounding errors of a fraction.
    Some(whole + Duration::from_micros((seconds * 1e6).round() as u64))
}

/// By counting years from March on, so that the leap day is the last one.
const fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let of_years = 365 * year + year / 4 - year / 100 + year / 400;
    of_years + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_logs_are_read() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Some(Duration::ZERO));
        let leap = parse("2024-02-29T12:00:00.250Z");
        assert_eq!(leap, Some(Duration::from_millis(1_709_208_000_250)));
        assert_eq!(parse("2026-11-30"), None);
    }
}
