//! The share of the sessions of each host, for the hot-host limit.

use alloc::collections::BTreeMap;

use crate::snapshot::HostRef;

/// Counts the session decisions of the last 5 to 10 seconds for each host.
///
/// The window consists of two halves of 5 seconds, so that counts expire in steps.
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
///     shares.count(host(0), 0);
///     shares.count(host(1), 0);
/// }
/// shares.count(host(0), 1_000);
/// assert!(shares.exceeds(host(0), 50));
/// assert!(!shares.exceeds(host(1), 50));
/// ```
#[derive(Debug, Clone, Default)]
pub struct SessionShares {
    /// The start of the current half, in milliseconds.
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
    /// Half of the window, in milliseconds.
    const HALF: u64 = 5_000;
    /// The minimum number of decisions for a share to be meaningful.
    const LEAST: u64 = 100;

    /// Counts a decision for a host at `now`, in milliseconds of a monotonic clock.
    pub fn count(&mut self, host: HostRef, now: u64) {
        self.turn(now);
        self.present.all += 1;
        *self.present.by_host.entry(host).or_default() += 1;
    }

    /// Whether a host has more than `percent` of all decisions; always false for fewer than 100
    /// decisions.
    #[must_use]
    pub fn exceeds(&self, host: HostRef, percent: u32) -> bool {
        let all = self.present.all + self.past.all;
        let own = self.present.of(host) + self.past.of(host);
        all >= Self::LEAST && own * 100 > all * u64::from(percent)
    }

    /// Clears all counts, for example when host numbers change.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Moves to the next half if due. A clock that jumps back restarts the window.
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
    fn a_host_above_its_share_exceeds_the_limit() {
        let [a, b] = hosts();
        let mut shares = SessionShares::default();
        for at in 0..99 {
            shares.count(if at % 3 == 0 { b } else { a }, 0);
        }
        assert!(!shares.exceeds(a, 50), "too few decisions");
        shares.count(b, 1);
        assert!(shares.exceeds(a, 50) && shares.exceeds(a, 65));
        assert!(!shares.exceeds(a, 66) && !shares.exceeds(b, 50));
    }

    #[test]
    fn counts_expire_after_ten_seconds() {
        let [a, b] = hosts();
        let mut shares = SessionShares::default();
        for _ in 0..200 {
            shares.count(a, 1_000_000);
        }
        for _ in 0..100 {
            shares.count(b, 1_006_000);
        }
        assert!(shares.exceeds(a, 60), "counts last for two halves");
        for _ in 0..100 {
            shares.count(b, 1_011_500);
        }
        assert!(!shares.exceeds(a, 0));
        for _ in 0..100 {
            shares.count(a, 2_000_000);
        }
        assert!(!shares.exceeds(b, 0), "all counts have expired");
    }
}
