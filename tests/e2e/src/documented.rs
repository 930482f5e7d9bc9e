//! The rows of Envoy's documentation with the figures of Envoy 1.40.
//!
//! One test holds them against the real Envoy and another against the playground, so that the playground
//! shows what Envoy does.

use anyhow::Result;
use spillgate_core::model::{Cluster, Policy, Priority};

use crate::config::{aggregate, plain, priority, with_panic_threshold};

/// Hosts of every priority.
const HOSTS: usize = 100;

/// A row of the table of two priority priorities, the second of them healthy.
#[derive(Debug)]
pub struct PrioritiesRow {
    /// Healthy hosts of priority 0, in percent.
    pub healthy: usize,
    /// The load of the two priorities, in percent.
    pub loads: [u32; 2],
}

/// `intro/arch_overview/upstream/load_balancing/priority`.
pub const PRIORITIES: &[PrioritiesRow] = &[
    PrioritiesRow {
        healthy: 100,
        loads: [100, 0],
    },
    PrioritiesRow {
        healthy: 72,
        loads: [100, 0],
    },
    PrioritiesRow {
        healthy: 71,
        loads: [99, 1],
    },
    PrioritiesRow {
        healthy: 50,
        loads: [70, 30],
    },
    PrioritiesRow {
        healthy: 25,
        loads: [35, 65],
    },
    PrioritiesRow {
        healthy: 0,
        loads: [0, 100],
    },
];

impl PrioritiesRow {
    /// The cluster `priorities-HEALTHY`; the hosts of priority N are at 127.1.N.x.
    ///
    /// # Errors
    /// None that a row of the table has.
    pub fn cluster(&self, policy: Policy, port: u16) -> Result<Cluster> {
        let priorities = vec![percent(0, self.healthy, port)?, percent(1, 100, port)?];
        Ok(plain(
            &format!("priorities-{}", self.healthy),
            policy,
            priorities,
        ))
    }
}

/// A row of the table of an aggregate: a primary of three priorities and a secondary of two.
#[derive(Debug)]
pub struct AggregateRow {
    /// Healthy hosts of each priority, in percent.
    pub primary: [usize; 3],
    /// Healthy hosts of each priority, in percent.
    pub secondary: [usize; 2],
    /// The panic threshold of all three clusters, in percent.
    pub panic_threshold: u32,
    /// The load of primary and secondary, in percent.
    pub member_loads: [u32; 2],
}

/// `intro/arch_overview/upstream/aggregate_cluster`, its nine rows. The table is made without
/// panic; the last row has the default threshold here too, where every priority panics and
/// the hosts are counted whatever their health.
pub const AGGREGATES: &[AggregateRow] = &[
    row([100, 100, 100], [100, 100], 0, [100, 0]),
    row([72, 100, 100], [100, 100], 0, [100, 0]),
    row([71, 1, 0], [100, 100], 0, [100, 0]),
    row([71, 0, 0], [100, 100], 0, [99, 1]),
    row([50, 0, 0], [50, 0], 0, [70, 30]),
    row([20, 20, 10], [25, 25], 0, [70, 30]),
    row([0, 0, 0], [100, 0], 0, [0, 100]),
    row([0, 0, 0], [72, 0], 0, [0, 100]),
    row([20, 0, 0], [20, 0], 0, [50, 50]),
    row([20, 0, 0], [20, 0], 50, [60, 40]),
];

const fn row(
    primary: [usize; 3],
    secondary: [usize; 2],
    panic_threshold: u32,
    member_loads: [u32; 2],
) -> AggregateRow {
    AggregateRow {
        primary,
        secondary,
        panic_threshold,
        member_loads,
    }
}

impl AggregateRow {
    /// The name of the aggregate; its members are `NAME-primary` and `NAME-secondary`.
    #[must_use]
    pub fn name(&self) -> String {
        let [a, b, c] = self.primary;
        let [d, e] = self.secondary;
        format!(
            "aggregate-{a}-{b}-{c}-{d}-{e}-panic-{}",
            self.panic_threshold
        )
    }

    /// The aggregate and its members. The hosts of the primary are at 127.1.0.x to 127.1.2.x,
    /// those of the secondary at 127.1.3.x and 127.1.4.x.
    ///
    /// # Errors
    /// None that a row of the table has.
    pub fn clusters(&self, port: u16) -> Result<[Cluster; 3]> {
        let name = self.name();
        let members = ["primary", "secondary"].map(|member| format!("{name}-{member}"));
        let member = |at: usize, first: usize, healthy: &[usize]| -> Result<Cluster> {
            let priorities = (first..)
                .zip(healthy)
                .map(|(priority, &healthy)| percent(priority, healthy, port));
            Ok(plain(
                &members[at],
                Policy::RoundRobin,
                priorities.collect::<Result<_>>()?,
            ))
        };
        let clusters = [
            member(0, 0, &self.primary)?,
            member(1, 3, &self.secondary)?,
            aggregate(&name, &members.each_ref().map(String::as_str)),
        ];
        Ok(clusters.map(|cluster| with_panic_threshold(cluster, self.panic_threshold)))
    }
}

/// A priority of 100 hosts, the first of which are healthy.
fn percent(number: usize, healthy: usize, port: u16) -> Result<Priority> {
    let health = "h".repeat(healthy) + &"u".repeat(HOSTS - healthy);
    priority(&format!("127.1.{number}"), port, &health)
}
