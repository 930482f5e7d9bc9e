//! How many requests wait for late answers, as an expectation over time.

use alloc::{collections::BTreeMap, vec::Vec};
use core::time::Duration;

/// After this many changes, only the mean number is followed.
const MOST_CHANGES: u32 = 2_000;
/// Smaller rates and numbers count as 0.
const NEGLIGIBLE: f64 = 1e-9;

/// Requests that wait: each one from its arrival to the end of its time.
#[derive(Debug)]
pub(super) struct Waiting {
    limit: f64,
    number: f64,
    /// Until when the number is up to date.
    at: Duration,
    /// Requests per second that arrive, by the time that they wait.
    arriving: Vec<(Duration, f64)>,
    /// Requests per second whose time ends.
    ending: f64,
    /// How that rate changes, by time.
    ends: BTreeMap<Duration, f64>,
    changes: u32,
}

impl Waiting {
    pub(super) const fn new(at: Duration) -> Self {
        Self {
            limit: f64::INFINITY,
            number: 0.0,
            at,
            arriving: Vec::new(),
            ending: 0.0,
            ends: BTreeMap::new(),
            changes: 0,
        }
    }

    pub(super) const fn set_limit(&mut self, limit: f64) {
        self.limit = limit;
    }

    pub(super) const fn number(&self) -> f64 {
        self.number
    }

    /// Follows the requests up to a time.
    pub(super) fn advance(&mut self, now: Duration) {
        while let Some((at, change)) = self.ends.first_key_value().map(|(at, of)| (*at, *of)) {
            if at > now {
                break;
            }
            self.ends.pop_first();
            self.pass(at);
            self.ending = (self.ending + change).max(0.0);
        }
        self.pass(now);
    }

    /// The part of new requests for which there is a place.
    pub(super) fn admitted(&self, arriving: f64) -> f64 {
        if self.limit < NEGLIGIBLE {
            return 0.0;
        }
        if arriving <= 0.0 {
            return 1.0;
        }
        if self.changes >= MOST_CHANGES {
            let mean = self
                .arriving
                .iter()
                .map(|(time, rate)| time.as_secs_f64() * rate);
            return (self.limit / mean.sum::<f64>().max(NEGLIGIBLE)).min(1.0);
        }
        if !self.is_full() {
            1.0
        } else {
            (self.ending / arriving).min(1.0)
        }
    }

    /// Whether requests take all places.
    pub(super) fn is_full(&self) -> bool {
        self.number >= self.limit * (1.0 - NEGLIGIBLE)
    }

    /// When requests that end leave the next places free, if no further ones wait: half of one, where the first of them ends,
    /// then twice as many each time. `None` if none ends now.
    pub(super) fn next_free(&self) -> Option<Duration> {
        let free = (self.limit - self.number).max(0.0);
        let more = if self.is_full() { 0.5 } else { free.max(0.5) };
        let seconds = more / -self.net();
        let is_soon = self.net() < -NEGLIGIBLE && seconds < 1e9 && self.number > more;
        is_soon.then(|| self.at + Duration::from_nanos(libm::ceil(seconds * 1e9) as u64))
    }

    /// These requests per second arrive from now on, by the time that they wait.
    pub(super) fn arrive(&mut self, arriving: Vec<(Duration, f64)>) {
        if self.arriving == arriving || self.changes >= MOST_CHANGES {
            return;
        }
        self.changes += 1;
        let before = core::mem::replace(&mut self.arriving, arriving);
        let after = self.arriving.clone();
        let ended = before.into_iter().map(|(time, rate)| (time, -rate));
        for (time, change) in ended.chain(after) {
            // A request without any timeout never ends.
            if let Some(end) = self.at.checked_add(time) {
                *self.ends.entry(end).or_default() += change;
            }
        }
        self.ends.retain(|_, change| change.abs() > NEGLIGIBLE);
    }

    /// When there is a place, or none any more; `None` if nothing changes.
    pub(super) fn next_change(&self) -> Option<Duration> {
        if self.changes >= MOST_CHANGES {
            return None;
        }
        let end = self.ends.first_key_value().map(|(at, _)| *at);
        let more = self.net();
        let full = (more > NEGLIGIBLE && self.number < self.limit)
            .then(|| (self.limit - self.number) / more)
            .filter(|seconds| *seconds < 1e9)
            // Rounded up, so that no place is left then.
            .map(|seconds| self.at + Duration::from_nanos(libm::ceil(seconds * 1e9) as u64));
        match (end, full) {
            (Some(end), Some(full)) => Some(end.min(full)),
            (end, full) => end.or(full),
        }
    }

    /// By how many more requests wait after a second.
    fn net(&self) -> f64 {
        let arriving: f64 = self.arriving.iter().map(|(_, rate)| rate).sum();
        arriving - self.ending
    }

    fn pass(&mut self, to: Duration) {
        let seconds = to.saturating_sub(self.at).as_secs_f64();
        // A lower limit ends no request.
        let most = self.limit.max(self.number);
        self.number = (self.number + self.net() * seconds).clamp(0.0, most);
        self.at = self.at.max(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// 10 requests per second that wait 3 s, with 12 places: Envoy refuses all after 1.2 s, until the first ones end.
    #[test]
    fn places_are_free_when_the_first_requests_end() {
        let mut waiting = Waiting::new(Duration::ZERO);
        waiting.set_limit(12.0);
        let mut admitted = Vec::new();
        let mut at = Duration::ZERO;
        while at < seconds(7) {
            waiting.advance(at);
            let part = waiting.admitted(10.0);
            admitted.push((at.as_millis(), part));
            waiting.arrive([(seconds(3), 10.0 * part)].into());
            at = waiting.next_change().unwrap();
        }
        let found: Vec<(u128, f64)> = admitted.iter().map(|(at, part)| (*at, *part)).collect();
        let expected = [(0, 1.0), (1200, 0.0), (3000, 1.0), (4200, 0.0), (6000, 1.0)];
        assert_eq!(found, expected);
    }

    #[test]
    fn fewer_requests_than_places_all_wait() {
        let mut waiting = Waiting::new(Duration::ZERO);
        waiting.set_limit(31.0);
        waiting.arrive([(seconds(3), 10.0)].into());
        waiting.advance(seconds(10));
        assert_eq!(waiting.number(), 30.0);
        assert_eq!(waiting.admitted(10.0), 1.0);
        waiting.arrive(Vec::new());
        waiting.advance(seconds(20));
        assert_eq!(waiting.number(), 0.0);
    }
}
