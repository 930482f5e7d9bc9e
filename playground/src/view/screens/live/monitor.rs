//! What the playground has read so far, and the pace of the next reads.

use crate::bridge::LiveReply;
use spillgate_observe::{EnvoyReading, FilterCounters};

use super::{LiveInput, delay_ms, input::SPANS};

/// The readings and the state of the polling.
#[derive(Debug, Default)]
pub struct LiveMonitor {
    /// The readings of the longest window, oldest first.
    pub readings: Vec<EnvoyReading>,
    /// Why the latest read failed; `None` if it succeeded.
    pub fault: Option<LiveFault>,
    /// Whether the user paused the polling.
    pub is_paused: bool,
    /// The failures since the latest success.
    failures: u32,
    /// Whether the server refuses `/live/stats`.
    is_without_counters: bool,
    /// When the latest read ended, in milliseconds of a steady clock.
    ended: Option<u64>,
}

/// Why a read failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveFault {
    /// The playground is from a file, which has no server.
    NoServer,
    /// The server returned another status than 200.
    Status(u16),
    /// The request failed; the reason of the browser.
    Unreachable(String),
    /// The response is not that of `/clusters?format=json`; the first error.
    Unreadable(String),
}

impl LiveMonitor {
    /// The latest reading.
    #[must_use]
    pub fn last(&self) -> Option<&EnvoyReading> {
        self.readings.last()
    }

    /// Whether the next read also needs `/live/stats`.
    #[must_use]
    pub const fn needs_counters(&self) -> bool {
        !self.is_without_counters
    }

    /// Whether the server has no `/live/`: the first read failed, and nothing announced it.
    #[must_use]
    pub fn is_absent(&self, is_announced: bool) -> bool {
        self.readings.is_empty()
            && match &self.fault {
                None => false,
                Some(LiveFault::NoServer) => true,
                Some(_) => !is_announced,
            }
    }

    /// Keeps the responses of a read that ended at `now`, or why it failed. The readings so far remain after a
    /// failure.
    pub fn received(
        &mut self,
        now: u64,
        clusters: Result<LiveReply, LiveFault>,
        stats: Option<&LiveReply>,
    ) {
        self.ended = Some(now);
        if stats.is_some_and(|reply| reply.status != 200) {
            self.is_without_counters = true;
        }
        let counters = stats
            .filter(|reply| reply.status == 200)
            .map(|reply| FilterCounters::read(&reply.text));
        let reading = clusters.and_then(|reply| match reply.status {
            200 => EnvoyReading::new(now, &reply.text, counters, self.last()).map_err(unreadable),
            status => Err(LiveFault::Status(status)),
        });
        match reading {
            Ok(reading) => {
                self.readings.push(reading);
                self.forget_old(now);
                self.failures = 0;
                self.fault = None;
            }
            Err(fault) => {
                self.failures = self.failures.saturating_add(1);
                self.fault = Some(fault);
            }
        }
    }

    /// Milliseconds until the next read is due.
    #[must_use]
    pub fn due_in(&self, now: u64, input: &LiveInput) -> u32 {
        let Some(ended) = self.ended else {
            return 0;
        };
        let since = u32::try_from(now.saturating_sub(ended)).unwrap_or(u32::MAX);
        delay_ms(input.every, self.failures).saturating_sub(since)
    }

    /// The age of the latest reading in milliseconds.
    #[must_use]
    pub fn age_ms(&self, now: u64) -> Option<u64> {
        Some(now.saturating_sub(self.last()?.at))
    }

    /// Removes the readings that no window can start with.
    fn forget_old(&mut self, now: u64) {
        let longest = u64::from(SPANS.into_iter().max().unwrap_or(0)) * 1_000;
        let is_recent = |reading: &EnvoyReading| now.saturating_sub(reading.at) <= longest;
        let recent = self.readings.iter().position(is_recent).unwrap_or(0);
        // The one before is the start of the longest window.
        self.readings.drain(..recent.saturating_sub(1));
    }
}

fn unreadable(faults: Vec<impl std::fmt::Display>) -> LiveFault {
    let first = faults.first().map(ToString::to_string);
    LiveFault::Unreadable(first.unwrap_or_default())
}
