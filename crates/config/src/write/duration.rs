//! Durations in proto3 JSON.

use alloc::{format, string::String};
use core::time::Duration;

/// Seconds, with as many decimals as needed.
pub(crate) fn duration(duration: Duration) -> String {
    let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
    if nanos == 0 {
        return format!("{seconds}s");
    }
    let decimals = format!("{nanos:09}");
    format!("{seconds}.{}s", decimals.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_no_trailing_zeros() {
        for (nanos, text) in [
            (0, "0s"),
            (1, "0.000000001s"),
            (1_500_000_000, "1.5s"),
            (60_000_000_000, "60s"),
        ] {
            assert_eq!(duration(Duration::from_nanos(nanos)), text);
        }
    }
}
