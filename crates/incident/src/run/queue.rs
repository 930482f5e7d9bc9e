//! The events of a simulation by time.

use alloc::collections::BinaryHeap;
use core::{cmp::Reverse, time::Duration};

use spillgate_core::snapshot::ClusterId;

/// What happens at a time. Of events at the same time, the earlier variant happens first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum QueuedEvent {
    /// The script changes the hosts or the load.
    Edge,
    /// A check of a host is due.
    Check { host: usize },
    /// The answer to a check of a slow host arrives.
    Answer { host: usize, checker: usize },
    /// A row of failures can be complete, unless the host changed since (`version`).
    Row { host: usize, version: u32 },
    /// A sweep of outlier detection is due.
    Sweep { cluster: ClusterId },
    /// A circuit breaker admits more or fewer requests, unless the load changed since (`version`).
    Breaker { cluster: ClusterId, version: u32 },
    /// The weights of hosts in slow start grow.
    SlowStart { cluster: ClusterId },
    /// Sessions have moved for a while, unless requests changed since (`version`).
    Sessions { version: u32 },
    /// Collected changes reach the workers.
    Deliver { cluster: ClusterId, priority: usize },
}

/// Events by time.
#[derive(Debug, Default)]
pub(super) struct EventQueue {
    events: BinaryHeap<Reverse<(Duration, QueuedEvent)>>,
}

impl EventQueue {
    pub(super) fn add(&mut self, at: Duration, event: QueuedEvent) {
        self.events.push(Reverse((at, event)));
    }

    /// The time of the next event.
    pub(super) fn next_at(&self) -> Option<Duration> {
        self.events.peek().map(|Reverse((at, _))| *at)
    }

    /// The next event if it is not after this time.
    pub(super) fn pop_until(&mut self, until: Duration) -> Option<(Duration, QueuedEvent)> {
        let at = self.next_at()?;
        if at > until {
            return None;
        }
        self.events.pop().map(|Reverse(event)| event)
    }
}
