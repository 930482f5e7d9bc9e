//! Which pollers share an admin interface.

use super::schedule::Schedule;

/// Which pollers share an admin interface.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pollers {
    /// Only this one.
    One,
    /// Every worker: a poll is skipped if another worker has just received a response.
    EveryWorker,
    /// Every worker, in place of the only poller.
    Standby,
}

impl Pollers {
    /// The random delay of the next poll. It lets workers poll at different times.
    pub(super) fn delay(self, schedule: &Schedule, draw: u64) -> u64 {
        match self {
            Self::One => 0,
            Self::EveryWorker | Self::Standby => schedule.delay(draw),
        }
    }
}
