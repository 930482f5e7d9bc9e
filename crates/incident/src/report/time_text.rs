//! Times as text.

use alloc::{format, string::String};
use core::time::Duration;

/// A time: `250 ms`, `5 s`, `12.5 s`.
#[must_use]
pub fn time_text(time: Duration) -> String {
    let millis = (time.as_secs_f64() * 1e3 + 0.5) as u64;
    if millis == 0 {
        return "0 s".into();
    }
    if millis < 1_000 {
        return format!("{millis} ms");
    }
    let tenths = (millis + 50) / 100;
    if tenths.is_multiple_of(10) {
        format!("{} s", tenths / 10)
    } else {
        format!("{}.{} s", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (millis, text) in [
            (0, "0 s"),
            (250, "250 ms"),
            (1_000, "1 s"),
            (12_345, "12.3 s"),
            (59_960, "60 s"),
        ] {
            assert_eq!(time_text(Duration::from_millis(millis)), text);
        }
    }
}
