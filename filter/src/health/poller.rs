//! Asks admins about clusters, in the pace that was configured.

use super::target::{Question, Target};
use crate::counters::Polls;
use spillgate_config::filter::Poll;
use std::time::Duration;

/// Who asks.
pub(crate) struct Poller {
    asked: Vec<Asked>,
    polls: Polls,
}

/// One admin, and what it is asked about.
struct Asked {
    poll: Poll,
    targets: Vec<Target>,
    /// When it is asked again: nanoseconds since the epoch.
    hosts_due: u64,
    endpoints_due: u64,
    /// Whether others ask too, so that a fresh answer of theirs will do.
    shares_work: bool,
}

impl Poller {
    /// The one poller of all workers.
    pub(crate) fn alone(polls: Vec<Poll>) -> Self {
        Self::new(polls, false)
    }

    /// One of many: each worker asks by itself, unless another has just done so.
    pub(crate) fn among_others(poll: Poll) -> Self {
        Self::new(vec![poll], true)
    }

    fn new(polls: Vec<Poll>, shares_work: bool) -> Self {
        let asked = polls.into_iter().map(|poll| Asked {
            targets: poll
                .targets
                .iter()
                .map(|target| Target::new(&poll.cluster, target))
                .collect(),
            poll,
            hosts_due: 0,
            endpoints_due: 0,
            shares_work,
        });
        Self {
            asked: asked.collect(),
            polls: Polls::default(),
        }
    }

    /// How often [`Self::tick`] need be called.
    pub(crate) fn pace(&self) -> Option<Duration> {
        let paces = self.asked.iter().map(|asked| asked.poll.interval);
        paces.min()
    }

    /// Asks what is due. `draw` spreads those who ask about the same.
    pub(crate) fn tick(&mut self, now: u64, mut draw: impl FnMut() -> u64) {
        for asked in &mut self.asked {
            asked.ask_hosts(now, draw(), &mut self.polls);
            asked.ask_endpoints(now, draw(), &mut self.polls);
        }
    }

    /// Takes the answer to a call.
    pub(crate) fn answered(&mut self, token: u32, size: usize, now: u64) {
        for asked in &mut self.asked {
            for target in &mut asked.targets {
                let admin = &asked.poll.cluster;
                if target
                    .answered(admin, token, size, now, &mut self.polls)
                    .is_some()
                {
                    return;
                }
            }
        }
    }
}

impl Asked {
    fn ask_hosts(&mut self, now: u64, draw: u64, polls: &mut Polls) {
        if now < self.hosts_due {
            return;
        }
        let interval = nanoseconds(self.poll.interval);
        self.hosts_due = self.next(now, interval, draw);
        for target in &mut self.targets {
            // Most of an interval: a poller that is a little late must not be doubled.
            let fresh = now.saturating_sub(interval / 4 * 3);
            if !self.shares_work || target.polled_at() <= fresh {
                target.ask(&self.poll.cluster, Question::Hosts, now, polls);
            }
        }
    }

    fn ask_endpoints(&mut self, now: u64, draw: u64, polls: &mut Polls) {
        let Some(interval) = self.poll.metadata_interval else {
            return;
        };
        if now < self.endpoints_due {
            return;
        }
        self.endpoints_due = self.next(now, nanoseconds(interval), draw);
        for target in &mut self.targets {
            for question in [Question::DynamicEndpoints, Question::StaticEndpoints] {
                target.ask(&self.poll.cluster, question, now, polls);
            }
        }
    }

    /// Those who share the work come at different times: up to a fifth of the interval later.
    fn next(&self, now: u64, interval: u64, draw: u64) -> u64 {
        // A tick that comes a little early must not wait for the next one.
        let early = interval / 10;
        let later = match self.shares_work {
            true => draw.checked_rem(interval / 5).unwrap_or(0),
            false => 0,
        };
        now + interval - early + later
    }
}

/// A duration as the host's clock counts.
pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
