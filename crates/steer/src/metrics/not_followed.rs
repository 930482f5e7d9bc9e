//! Decisions that had no effect: the proxy did not use the host list.
//!
//! The usual cause is wiring: the cluster reads another header or key. A host list has no effect either if all
//! of its hosts have just been removed, which is no fault. Only a later poll shows that, so with polls a
//! suspicion waits for the next ones; a change of the hosts dismisses it.

use alloc::string::String;

use super::sessions::{ByReason, add};
use crate::{
    messages::REQUESTS,
    port::{PassedHosts, Plugin},
};

/// How a decision had no effect.
#[derive(Clone, Copy)]
pub(crate) enum NotFollowed {
    /// A host outside of the list responds to the first attempt.
    OtherHost,
    /// The proxy found no host, or no cluster.
    NoHost,
}

/// One in about this many decisions is watched while nothing is suspected: the address of the host that responds
/// costs a call of the proxy.
const WATCHED: u32 = 16;
/// The shortest time between two messages of a worker: nanoseconds.
const LOG_PAUSE: u64 = 60_000_000_000;

/// The counters of decisions that had no effect, and the suspected ones.
#[derive(Default)]
pub(crate) struct NotFollowedCounters {
    counters: ByReason,
    /// The decisions until one is watched.
    unwatched: u32,
    /// The watched decisions.
    watched: u32,
    /// Whether every request is watched, because one had no effect.
    suspects: bool,
    /// Whether hosts are polled.
    waits: bool,
    /// Since the last tick.
    recent: Suspicions,
    waiting: Suspicions,
    /// The time of the tick that ended `waiting`: nanoseconds on the clock of polls.
    since: u64,
    logged_at: Option<u64>,
}

/// Decisions that seem to have had no effect.
#[derive(Default)]
struct Suspicions {
    other_host: u32,
    no_host: u32,
    /// The last one: the list, and who responded.
    example: String,
}

impl NotFollowedCounters {
    /// The counters of a configuration; `waits` if its hosts are polled.
    pub(crate) fn new(waits: bool) -> Self {
        Self {
            waits,
            ..Self::default()
        }
    }

    /// Whether to ask who responds to this request, for which hosts were chosen. The distance between two
    /// watched ones varies, so that no request of periodic traffic is left out each time.
    pub(crate) fn watches(&mut self) -> bool {
        if let Some(unwatched) = self.unwatched.checked_sub(1) {
            self.unwatched = unwatched;
            return self.suspects;
        }
        // 5 has no factor in common with the modulus, so each distance occurs.
        self.unwatched = (WATCHED - 1 + 5 * (self.watched % (2 * WATCHED))) % (2 * WATCHED);
        self.watched = self.watched.wrapping_add(1);
        true
    }

    /// Counts a decision without effect, or waits for the next polls. `by` is the host that responds.
    #[cold]
    #[inline(never)]
    pub(crate) fn suspect(
        &mut self,
        plugin: &impl Plugin,
        how: NotFollowed,
        hosts: &PassedHosts,
        by: Option<&str>,
    ) {
        self.suspects = true;
        match how {
            NotFollowed::OtherHost => self.recent.other_host += 1,
            NotFollowed::NoHost => self.recent.no_host += 1,
        }
        let by = by.unwrap_or("no host");
        let example = ["of ", hosts.addresses(), ", ", by, " responded"];
        self.recent.example = example.concat();
        if !self.waits {
            let recent = core::mem::take(&mut self.recent);
            self.confirm(plugin, &recent);
        }
    }

    /// Dismisses the suspicions: the hosts have changed.
    pub(crate) fn dismiss(&mut self) {
        self.suspects = false;
        self.recent = Suspicions::default();
        self.waiting = Suspicions::default();
    }

    /// Counts the suspicions that are older than the last poll of the hosts, which has not changed them.
    pub(crate) fn tick(&mut self, plugin: &impl Plugin, now: u64, polled: Option<u64>) {
        if self.waiting.any() {
            if polled.is_none_or(|polled| polled <= self.since) {
                return;
            }
            let waiting = core::mem::take(&mut self.waiting);
            self.confirm(plugin, &waiting);
        }
        if self.recent.any() {
            self.waiting = core::mem::take(&mut self.recent);
            self.since = now;
        }
    }

    fn confirm(&mut self, plugin: &impl Plugin, suspicions: &Suspicions) {
        let counts = [
            ("other_host", suspicions.other_host),
            ("no_host", suspicions.no_host),
        ];
        for (reason, count) in counts {
            for _ in 0..count {
                add(
                    plugin,
                    &mut self.counters,
                    "spillgate.decisions.not_followed",
                    reason,
                );
            }
        }
        let now = plugin
            .monotonic_clock()
            .unwrap_or_else(|| plugin.wall_clock());
        let pauses = |at: u64| now < at.saturating_add(LOG_PAUSE);
        if !self.logged_at.is_some_and(pauses) {
            self.logged_at = Some(now);
            let (example, wiring) = (&suspicions.example, plugin.wiring());
            log::warn!(target: REQUESTS, "spillgate: a decision had no effect: {example}; {wiring}");
        }
    }
}

impl Suspicions {
    const fn any(&self) -> bool {
        self.other_host > 0 || self.no_host > 0
    }
}
