//! Envoy's timers count whole milliseconds.

use core::time::Duration;

use spillgate_core::draw::Draw;

/// The whole milliseconds of a duration; longer ones than 584 million years are cut.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A duration below `limit` milliseconds, at random; without a limit there is no draw.
pub(crate) fn below<D: Draw + ?Sized>(limit: u64, draw: &mut D) -> Duration {
    match limit {
        0 => Duration::ZERO,
        _ => Duration::from_millis(draw.draw() % limit),
    }
}

/// Whether an event of this percentage happens; 0 and 100 percent need no draw.
pub(crate) fn happens<D: Draw + ?Sized>(percent: u32, draw: &mut D) -> bool {
    match percent {
        0 => false,
        1..100 => draw.draw() % 100 < u64::from(percent),
        _ => true,
    }
}
