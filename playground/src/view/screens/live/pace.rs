//! When the next read is due.

/// The longest pause after failures.
const LONGEST_S: u32 = 30;
/// The shortest one.
const SHORTEST_S: u32 = 2;

/// Milliseconds between two reads. Each failure in a row doubles the pause, from 2 to 30 seconds, so that a page
/// does not add load to a server in trouble.
#[must_use]
pub fn delay_ms(every_s: u32, failures: u32) -> u32 {
    let seconds = match failures {
        0 => every_s,
        failures => {
            let doubled = 1_u32.checked_shl(failures - 1).unwrap_or(u32::MAX);
            let pause = every_s.max(SHORTEST_S).saturating_mul(doubled);
            pause.min(LONGEST_S)
        }
    };
    seconds.saturating_mul(1_000)
}
