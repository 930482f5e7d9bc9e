//! What outlier detection leaves of a priority whose hosts all fail.

use alloc::{format, string::String};

use spillgate_config::envoy::facts::most_ejected;
use spillgate_core::model::PlainCluster;

use crate::{figures::counted, losing::Losing};

/// How many hosts outlier detection may eject at the same time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EjectionCap {
    /// Maximum share of all hosts of the cluster, in percent.
    pub(crate) percent: u64,
    /// Whether one host may be ejected regardless of the percentage.
    pub(crate) always_one: bool,
}

/// The failure of all hosts of the first priority with hosts, if the cap keeps some of them.
pub(crate) struct CappedFailure {
    /// The priority.
    priority: usize,
    /// Its hosts.
    pub(crate) hosts: usize,
    /// The hosts of the whole cluster.
    total: usize,
    /// How many of them can be ejected.
    most: usize,
    /// The load of the priority that stays on failed hosts, in percent.
    pub(crate) kept: u32,
    /// Where spillover starts, if the cap does not allow that many ejections.
    spill: Option<usize>,
}

impl EjectionCap {
    /// The maximum number of ejected hosts of a cluster.
    pub(crate) fn most(self, hosts: usize) -> usize {
        most_ejected(self.percent, self.always_one, hosts)
    }

    /// What stays on the first priority with hosts if all of them fail; `None` if there is no lower
    /// priority with hosts, or if the requests can leave.
    pub(crate) fn keeps(self, plain: &PlainCluster) -> Option<CappedFailure> {
        let priority = first_of_several(plain)?;
        let sizes = || plain.priorities.iter().map(|one| one.endpoints.len());
        let hosts = sizes().nth(priority)?;
        let total = sizes().sum();
        let most = self.most(total).min(hosts);
        let losing = Losing::new(plain);
        let before = losing.after(priority, 0).load(priority);
        let kept = losing.after(priority, most).load(priority);
        let spills = kept < before;
        if spills && (kept == 0 || most == hosts) {
            return None;
        }
        Some(CappedFailure {
            priority,
            hosts,
            total,
            most,
            kept,
            spill: (!spills).then(|| losing.spill_point(priority).unwrap_or(hosts)),
        })
    }
}

impl CappedFailure {
    /// The limit: `at most 20 % of 10 hosts: 2 hosts`.
    pub(crate) fn limit(&self, cap: EjectionCap) -> String {
        format!(
            "at most {} % of {}: {}",
            cap.percent,
            counted(self.total, "host"),
            match self.most {
                0 => String::from("0 hosts"),
                most => counted(most, "host"),
            }
        )
    }

    /// Whether some requests leave the priority.
    pub(crate) const fn spills(&self) -> bool {
        self.spill.is_none()
    }

    /// The effect on requests, `from` some proxies.
    pub(crate) fn effect(&self, from: &str) -> String {
        let (priority, kept) = (self.priority, self.kept);
        let hosts = counted(self.hosts, "host");
        match self.spill {
            Some(spill) => format!(
                "priority {priority} keeps {kept} % of requests{from}; spillover starts with {spill} of {hosts} ejected"
            ),
            None => format!(
                "if all {hosts} of priority {priority} fail, {kept} % of requests{from} stay on failed hosts"
            ),
        }
    }
}

/// The first priority with hosts, if there is a lower one with hosts.
pub(crate) fn first_of_several(plain: &PlainCluster) -> Option<usize> {
    let mut priorities = plain.priorities.iter().enumerate();
    let (first, _) = priorities.find(|(_, priority)| !priority.endpoints.is_empty())?;
    priorities
        .any(|(_, priority)| !priority.endpoints.is_empty())
        .then_some(first)
}
