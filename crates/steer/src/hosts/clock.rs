//! The time of ages and intervals. It never depends on the wall clock, which can jump.
//!
//! The monotonic clocks of the threads of one process agree, so published times are comparable.
//! Without such a clock, a plugin counts its ticks, and a published time only shows that something
//! new was published.

use core::time::Duration;

use crate::port::Plugin;

/// The shortest time between two warnings about one subject: nanoseconds.
const LOG_PAUSE: u64 = 60_000_000_000;

/// The clock of one plugin: the monotonic clock of its environment, or else counted ticks.
pub(super) struct AgeClock {
    /// The interval of ticks in nanoseconds.
    period: u64,
    /// The last time; without a monotonic clock, it advances with ticks.
    last: u64,
}

/// A time on the clock of a plugin, in nanoseconds.
#[derive(Clone, Copy)]
pub(super) struct Now {
    pub(super) at: u64,
    source: ClockSource,
}

/// Where times come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClockSource {
    /// A clock that all workers share, so that their times are comparable.
    Monotonic,
    /// The ticks of one plugin, which has times of its own.
    Ticks,
}

impl AgeClock {
    /// A clock for a plugin with this interval of ticks.
    pub(super) fn new(period: Duration) -> Self {
        Self {
            period: nanoseconds(period),
            last: 0,
        }
    }

    /// Changes the interval of ticks.
    pub(super) fn set_period(&mut self, period: Duration) {
        self.period = nanoseconds(period);
    }

    /// Counts a tick.
    pub(super) const fn tick(&mut self) {
        self.last = self.last.saturating_add(self.period);
    }

    pub(super) fn now(&mut self, plugin: &impl Plugin) -> Now {
        match plugin.monotonic_clock() {
            Some(at) => {
                self.last = at;
                Now {
                    at,
                    source: ClockSource::Monotonic,
                }
            }
            None => Now {
                at: self.last,
                source: ClockSource::Ticks,
            },
        }
    }
}

/// The last published time stamp of an event, and when the event was, by this plugin's clock.
#[derive(Default)]
pub(super) struct LastEvent {
    stamp: u64,
    at: Option<u64>,
}

impl LastEvent {
    /// When the event with the published `stamp` was. Without a shared clock, that is when this
    /// plugin first saw the stamp.
    pub(super) fn observe(&mut self, stamp: u64, now: Now) -> u64 {
        match self.at {
            Some(at) if stamp == self.stamp => at,
            _ => {
                let at = match now.source {
                    // A time of the future, such as that of another boot, counts as now.
                    ClockSource::Monotonic => stamp.min(now.at),
                    ClockSource::Ticks => now.at,
                };
                (self.stamp, self.at) = (stamp, Some(at));
                at
            }
        }
    }

    /// When the last observed event was.
    pub(super) const fn at(&self) -> Option<u64> {
        self.at
    }
}

/// Limits how often a repeated problem is logged.
#[derive(Default)]
pub(super) struct LogPause {
    logged_at: Option<u64>,
}

impl LogPause {
    /// Whether a warning may be logged now. If so, no other one may be within the pause.
    pub(super) fn may_log(&mut self, now: Now) -> bool {
        let pauses = self
            .logged_at
            .is_some_and(|logged| now.at < logged.saturating_add(LOG_PAUSE));
        if !pauses {
            self.logged_at = Some(now.at);
        }
        !pauses
    }
}

/// A duration in nanoseconds.
pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
