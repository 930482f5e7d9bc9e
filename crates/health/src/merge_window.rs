//! When the load balancers of the workers get a changed health (`common_lb_config.update_merge_window`).
//!
//! The main thread runs health checks and outlier detection. Each change of a host's health makes it compute the host
//! lists of all priorities again. It sends the lists of a priority to the workers at once if hosts were added or
//! removed, or if the last lists of this priority were sent more than a window ago. Otherwise it waits for the window,
//! which starts with the first change that waits, and then sends the latest lists. The default window is 1 s, so a
//! first change reaches the workers at once, and one shortly after it up to 1 s later. A new cluster has sent no lists.
//!
//! Until then, workers choose hosts from the earlier lists. What they read from the host itself is up to date at once:
//! the health that sticky sessions compare (`override_host_status`).

use core::time::Duration;

use crate::millis::millis;

/// The pending changes of one priority of a cluster (`ClusterManagerImpl::scheduleUpdate`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergedUpdates {
    window: Duration,
    last_sent: Option<Duration>,
    due: Option<Duration>,
}

/// What changed in a priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriorityChange {
    /// Hosts were added or removed.
    Hosts,
    /// Only health, weight or metadata of hosts changed.
    State,
}

/// When the workers get a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateDelivery {
    /// At once, with all changes before it.
    Now,
    /// At this time, with all changes until then.
    At(Duration),
}

impl MergedUpdates {
    /// Envoy's default of `update_merge_window`.
    pub const DEFAULT_WINDOW: Duration = Duration::from_secs(1);

    /// A new cluster with this window; 0 sends each change at once.
    #[must_use]
    pub const fn new(window: Duration) -> Self {
        Self {
            window,
            last_sent: None,
            due: None,
        }
    }

    /// When pending changes are sent; `None` if nothing is pending.
    #[must_use]
    pub const fn due(&self) -> Option<Duration> {
        self.due
    }

    /// A change of this priority. A change of a host's health changes all priorities of its cluster.
    pub fn on_change(&mut self, now: Duration, change: PriorityChange) -> UpdateDelivery {
        let window = millis(self.window);
        let is_outside = self
            .last_sent
            .is_none_or(|sent| millis(now.saturating_sub(sent)) > window);
        if window == 0 || is_outside || change == PriorityChange::Hosts {
            self.due = None;
            self.last_sent = Some(now);
            return UpdateDelivery::Now;
        }
        let due = *self.due.get_or_insert(now.saturating_add(self.window));
        UpdateDelivery::At(due)
    }

    /// Call it when pending changes are [`due`](Self::due). Returns whether the workers get the latest lists now.
    pub fn on_due(&mut self, now: Duration) -> bool {
        let is_due = self.due.is_some_and(|due| due <= now);
        if is_due {
            self.due = None;
            self.last_sent = Some(now);
        }
        is_due
    }
}
