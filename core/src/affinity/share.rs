//! The share of the sessions of each host, for the hot-host limit.
//!
//! `max_share` moves sessions only from a host far above the limit, only as many as exceed it, and
//! only to hosts below it: a limit that moved them at once would overload the next host, and so on.
//! The share of sessions that leave is fixed for five seconds and applies to sessions, not to
//! requests, so the feedback has no delay and frequent clients have no disadvantage. A limit never
//! refuses a request.

use alloc::vec::Vec;

use crate::{
    hash::mix,
    snapshot::{ClusterId, HostRef},
};

/// Counts the session decisions of the last 5 to 10 seconds for each host, and selects the sessions
/// that leave a host above its limit.
///
/// The window consists of two periods of 5 seconds. They start at multiples of 5 seconds, so that
/// all workers of a gateway use the same ones. Sessions begin to leave a host at the start of a
/// period, if the host exceeded the limit by a margin in both periods together; they stop when it
/// did not exceed the limit in the last one. In between, as many leave as were above the limit in
/// the last period. The session and the period determine who leaves, so workers select the same
/// sessions.
///
/// # Examples
/// ```
/// use spillgate_core::{affinity::SessionShares, model::*, snapshot::{HostRef, Snapshot}};
///
/// let model = Model::new(vec![Cluster::plain("shop", PlainCluster::default())]).unwrap();
/// let cluster = Snapshot::build(&model).cluster_id("shop").unwrap();
/// let host = |host| HostRef { cluster, priority: 0, host };
/// let mut shares = SessionShares::default();
/// for _ in 0..60 {
///     shares.count(host(0));
///     shares.count(host(1));
/// }
/// shares.count(host(0));
/// assert!(shares.exceeds(host(0), 50));
/// assert!(!shares.exceeds(host(1), 50));
/// ```
#[derive(Debug, Clone, Default)]
pub struct SessionShares {
    /// The start of the current period, in milliseconds.
    since: u64,
    present: Counts,
    past: Counts,
    /// The hosts that sessions leave in this period, fewer than 100, each with the share of its
    /// sessions that leave, in 2^-32.
    leaving: Vec<(HostRef, u64)>,
}

#[derive(Debug, Clone, Default)]
struct Counts {
    all: u64,
    /// By cluster, priority and host. What lies beyond the end has no decision.
    by_host: Vec<Vec<Vec<u64>>>,
}

impl Counts {
    fn of(&self, host: HostRef) -> u64 {
        let cluster = self.by_host.get(host.cluster.index());
        let priority = cluster.and_then(|priorities| priorities.get(host.priority));
        let count = priority.and_then(|hosts| hosts.get(host.host));
        count.copied().unwrap_or(0)
    }

    fn add(&mut self, host: HostRef) {
        self.all += 1;
        let cluster = grown(&mut self.by_host, host.cluster.index());
        let priority = cluster.and_then(|priorities| grown(priorities, host.priority));
        if let Some(count) = priority.and_then(|hosts| grown(hosts, host.host)) {
            *count += 1;
        }
    }

    /// Every host with a decision, with the number of them.
    fn hosts(&self) -> impl Iterator<Item = (HostRef, u64)> + '_ {
        let priorities = self.by_host.iter().enumerate();
        let hosts = priorities.flat_map(|(cluster, priorities)| {
            let priorities = priorities.iter().enumerate();
            priorities.flat_map(move |(priority, hosts)| {
                let hosts = hosts.iter().enumerate();
                hosts.map(move |(host, &count)| {
                    let host = HostRef {
                        cluster: ClusterId::new(cluster),
                        priority,
                        host,
                    };
                    (host, count)
                })
            })
        });
        hosts.filter(|(_, count)| *count > 0)
    }
}

/// The item at an index. The list grows to have it.
fn grown<T: Default>(list: &mut Vec<T>, index: usize) -> Option<&mut T> {
    if list.len() <= index {
        list.resize_with(index + 1, T::default);
    }
    list.get_mut(index)
}

impl SessionShares {
    /// Half of the window, in milliseconds.
    const PERIOD: u64 = 5_000;
    /// The minimum number of decisions in the window for a share to be meaningful.
    const LEAST: u64 = 100;
    /// The same for one period.
    const LEAST_OF_PERIOD: u64 = Self::LEAST / 2;

    /// Above this share, in percent, sessions begin to leave a host: a quarter of the limit above
    /// it, and at least 5. No host can reach more than 100.
    #[must_use]
    pub const fn leaving_begins(limit: u32) -> u32 {
        let margin = limit / 4;
        limit + if margin < 5 { 5 } else { margin }
    }

    /// Counts a decision for a host in the current period.
    pub fn count(&mut self, host: HostRef) {
        self.present.add(host);
    }

    /// Whether a host has more than `limit` percent of all decisions in the window or in its
    /// current half; always false for fewer than 100 decisions in the window and 50 in the half.
    #[must_use]
    pub fn exceeds(&self, host: HostRef, limit: u32) -> bool {
        let (all, own) = self.window(host);
        let present = (self.present.all, self.present.of(host));
        (all >= Self::LEAST && is_above(own, all, limit))
            || (present.0 >= Self::LEAST_OF_PERIOD && is_above(present.1, present.0, limit))
    }

    /// Whether a session leaves its host in this period.
    #[must_use]
    pub fn leaves(&self, host: HostRef, session: u64) -> bool {
        self.leaving_share(host)
            // The period is a part of the hash, so that not the same sessions leave each time.
            .is_some_and(|share| mix(session ^ mix(self.since)) >> 32 < share)
    }

    fn leaving_share(&self, host: HostRef) -> Option<u64> {
        let mut leaving = self.leaving.iter();
        leaving.find(|(of, _)| *of == host).map(|(_, share)| *share)
    }

    /// Clears all counts, for example when host numbers change.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Starts the period of `now`, in milliseconds. After a gap, or if the clock jumps back, the
    /// window is empty.
    pub fn advance(&mut self, limit: u32, now: u64) {
        let period = now - now % Self::PERIOD;
        if period == self.since {
            return;
        }
        if period == self.since + Self::PERIOD {
            self.leaving = self.selected(limit);
            self.past = core::mem::take(&mut self.present);
        } else {
            self.clear();
        }
        self.since = period;
    }

    /// The decisions in the window: all, and those for a host.
    fn window(&self, host: HostRef) -> (u64, u64) {
        let all = self.present.all + self.past.all;
        (all, self.present.of(host) + self.past.of(host))
    }

    /// The hosts that sessions leave in the next period, with the share of these sessions.
    fn selected(&self, limit: u32) -> Vec<(HostRef, u64)> {
        let all = self.present.all;
        // Few decisions can put a host above its limit by chance.
        if all < Self::LEAST_OF_PERIOD {
            return Vec::new();
        }
        let mut leaving = Vec::new();
        for (host, own) in self.present.hosts() {
            let (in_window, own_in_window) = self.window(host);
            let begins = in_window >= Self::LEAST
                && is_above(own_in_window, in_window, Self::leaving_begins(limit));
            if is_above(own, all, limit) && (begins || self.leaving_share(host).is_some()) {
                let own = own.saturating_mul(100);
                let excess = own.saturating_sub(all.saturating_mul(u64::from(limit)));
                let share = excess.saturating_mul(1 << 32).checked_div(own);
                leaving.push((host, share.unwrap_or(0)));
            }
        }
        leaving
    }
}

/// Whether `own` of `all` are more than `limit` percent.
const fn is_above(own: u64, all: u64, limit: u32) -> bool {
    own.saturating_mul(100) > all.saturating_mul(limit as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Cluster, ClusterKind, Model, PlainCluster},
        snapshot::Snapshot,
    };

    const START: u64 = 1_000_000;
    const LIMIT: u32 = 40;

    fn hosts() -> [HostRef; 2] {
        let cluster = Cluster {
            name: "c".into(),
            kind: ClusterKind::Plain(PlainCluster::default()),
        };
        let model = Model::new([cluster].into()).unwrap();
        let snapshot = Snapshot::build(&model);
        let cluster = snapshot.cluster_id("c").unwrap();
        [0, 1].map(|host| HostRef {
            cluster,
            priority: 0,
            host,
        })
    }

    fn counted(shares: &mut SessionShares, host: HostRef, times: u32) {
        for _ in 0..times {
            shares.count(host);
        }
    }

    #[test]
    fn a_host_above_its_share_exceeds_the_limit() {
        let [a, b] = hosts();
        let mut shares = SessionShares::default();
        for at in 0..49 {
            shares.count(if at % 3 == 0 { b } else { a });
        }
        assert!(!shares.exceeds(a, 50), "too few decisions");
        for at in 49..100 {
            shares.count(if at % 3 == 0 { b } else { a });
        }
        assert!(shares.exceeds(a, 50) && shares.exceeds(a, 65));
        assert!(!shares.exceeds(a, 66) && !shares.exceeds(b, 50));
    }

    #[test]
    fn counts_expire_after_ten_seconds() {
        let [a, b] = hosts();
        let mut shares = SessionShares::default();
        shares.advance(LIMIT, START);
        counted(&mut shares, a, 200);
        shares.advance(LIMIT, START + 6_000);
        counted(&mut shares, b, 100);
        assert!(shares.exceeds(a, 60), "counts last for two periods");
        shares.advance(LIMIT, START + 11_500);
        counted(&mut shares, b, 100);
        assert!(!shares.exceeds(a, 0));
        shares.advance(LIMIT, START * 2);
        counted(&mut shares, a, 100);
        assert!(!shares.exceeds(b, 0), "all counts have expired");
        shares.advance(LIMIT, START);
        assert!(!shares.exceeds(a, 0), "a clock that jumps back");
    }

    /// How many of 1,000 sessions leave a host.
    fn leaving(shares: &SessionShares, host: HostRef) -> usize {
        let sessions = (0..1_000_u64).map(|session| mix(session * 3 + 1));
        sessions
            .filter(|&session| shares.leaves(host, session))
            .count()
    }

    /// Counts these decisions of a period and starts the next one.
    fn pass(shares: &mut SessionShares, counts: [u32; 2]) {
        for (host, times) in hosts().into_iter().zip(counts) {
            counted(shares, host, times);
        }
        let next = shares.since + SessionShares::PERIOD;
        shares.advance(LIMIT, next);
    }

    #[test]
    fn the_sessions_above_the_limit_leave_from_the_margin_on() {
        let [a, b] = hosts();
        let mut shares = SessionShares::default();
        shares.advance(LIMIT, START);
        pass(&mut shares, [49, 51]);
        assert_eq!(SessionShares::leaving_begins(LIMIT), 50);
        assert_eq!(leaving(&shares, a), 0, "within the margin");
        assert!((170..260).contains(&leaving(&shares, b)), "11 of 51");
        pass(&mut shares, [160, 40]);
        assert!(
            (450..550).contains(&leaving(&shares, a)),
            "half: 80 becomes 40"
        );
        assert_eq!(leaving(&shares, b), 0);
    }

    #[test]
    fn leaving_ends_at_the_limit_and_begins_again_above_the_margin() {
        let [a, _] = hosts();
        let mut shares = SessionShares::default();
        shares.advance(LIMIT, START);
        let steps = [
            ([200, 0], true),
            ([90, 110], true),
            ([80, 120], false),
            ([90, 110], false),
            ([99, 101], false),
            ([120, 80], true),
        ];
        for (at, (counts, leaves)) in steps.into_iter().enumerate() {
            pass(&mut shares, counts);
            assert_eq!(leaving(&shares, a) > 0, leaves, "step {at}");
        }
        shares.advance(LIMIT, shares.since + 3 * SessionShares::PERIOD);
        assert_eq!(leaving(&shares, a), 0, "after a gap");
    }

    #[test]
    fn workers_select_the_same_sessions() {
        let [a, _] = hosts();
        let of = |counts| {
            let mut shares = SessionShares::default();
            shares.advance(LIMIT, START);
            pass(&mut shares, counts);
            let sessions = (0..1_000_u64).map(mix);
            sessions
                .filter(|&s| shares.leaves(a, s))
                .collect::<Vec<_>>()
        };
        let (half, quarter) = (of([160, 40]), of([106, 94]));
        assert!(quarter.iter().all(|session| half.contains(session)));
        assert!(quarter.len() < half.len());
    }

    #[test]
    fn few_decisions_move_nothing() {
        let [a, _] = hosts();
        let mut shares = SessionShares::default();
        shares.advance(LIMIT, START);
        pass(&mut shares, [49, 0]);
        assert_eq!(leaving(&shares, a), 0);
    }
}
