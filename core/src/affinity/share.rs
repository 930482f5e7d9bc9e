//! The part of all sessions that each host gets, so that none gets too many.

use alloc::collections::BTreeMap;

use crate::snapshot::HostRef;

/// Counts decisions about sessions over the last ten seconds, by host.
///
/// Counted in halves of five seconds, so that the past goes in steps and not at once.
#[derive(Debug, Clone, Default)]
pub struct SessionShares {
    /// When the present half began, in milliseconds.
    since: u64,
    present: Counts,
    past: Counts,
}

#[derive(Debug, Clone, Default)]
struct Counts {
    all: u64,
    by_host: BTreeMap<HostRef, u64>,
}

impl Counts {
    fn of(&self, host: HostRef) -> u64 {
        self.by_host.get(&host).copied().unwrap_or(0)
    }
}

impl SessionShares {
    /// Half of the time that counts, in milliseconds.
    const HALF: u64 = 5_000;
    /// Among fewer decisions a share says nothing.
    const LEAST: u64 = 100;

    /// Counts a decision for a host at a time in milliseconds.
    pub fn count(&mut self, host: HostRef, now: u64) {
        self.turn(now);
        self.present.all += 1;
        *self.present.by_host.entry(host).or_default() += 1;
    }

    /// Whether a host has more than so many percent of all. Never among fewer than 100 decisions.
    #[must_use]
    pub fn exceeds(&self, host: HostRef, percent: u32) -> bool {
        let all = self.present.all + self.past.all;
        let own = self.present.of(host) + self.past.of(host);
        all >= Self::LEAST && own * 100 > all * u64::from(percent)
    }

    /// Forgets everything: numbers of hosts mean something else now.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// A clock that jumps back begins anew.
    fn turn(&mut self, now: u64) {
        let elapsed = now.checked_sub(self.since).unwrap_or(u64::MAX);
        if elapsed < Self::HALF {
            return;
        }
        let present = core::mem::take(&mut self.present);
        self.past = match elapsed < 2 * Self::HALF {
            true => present,
            false => Counts::default(),
        };
        self.since = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Cluster, ClusterKind, Model, PlainCluster},
        snapshot::Snapshot,
    };

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

    #[test]
    fn a_host_with_more_than_its_share_is_noticed() {
        let [a, b] = hosts();
        let mut shares = SessionShares::default();
        for at in 0..99 {
            shares.count(if at % 3 == 0 { b } else { a }, 0);
        }
        assert!(!shares.exceeds(a, 50), "too few to say anything");
        shares.count(b, 1);
        assert!(shares.exceeds(a, 50) && shares.exceeds(a, 65));
        assert!(!shares.exceeds(a, 66) && !shares.exceeds(b, 50));
    }

    #[test]
    fn what_was_is_forgotten_after_ten_seconds() {
        let [a, b] = hosts();
        let mut shares = SessionShares::default();
        for _ in 0..200 {
            shares.count(a, 1_000_000);
        }
        for _ in 0..100 {
            shares.count(b, 1_006_000);
        }
        assert!(shares.exceeds(a, 60), "it counts for two halves");
        for _ in 0..100 {
            shares.count(b, 1_011_500);
        }
        assert!(!shares.exceeds(a, 0));
        for _ in 0..100 {
            shares.count(a, 2_000_000);
        }
        assert!(!shares.exceeds(b, 0), "nothing for a long time");
    }
}
