//! The nodes of an explanation.

use alloc::{string::String, vec::Vec};

use crate::snapshot::ClusterId;

/// A figure, and what it follows from.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// Which figure.
    pub subject: Subject,
    /// What it comes to.
    pub value: Quantity,
    /// The rule with its values, such as `floor(140 x 5 / 10)`; empty for what the configuration
    /// says.
    pub formula: String,
    /// The figures that the rule uses.
    pub causes: Vec<Why>,
}

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// Percent of something, 0 to 100.
    Percent(f64),
    /// A plain number.
    Number(u64),
    /// A part of a number of things.
    Of {
        /// How many.
        part: u64,
        /// Of how many.
        whole: u64,
    },
    /// Yes or no.
    Flag(bool),
}

/// Which figure a node is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// The share of a member in its aggregate.
    ClusterShare {
        /// The aggregate.
        aggregate: ClusterId,
        /// The member.
        member: ClusterId,
    },
    /// The load of a level of a member, seen from the aggregate.
    LineLoad {
        /// The aggregate.
        aggregate: ClusterId,
        /// The place in its line of levels.
        line: usize,
    },
    /// The share of a host in the traffic of the cluster asked for.
    HostShare {
        /// The cluster that owns the host.
        cluster: ClusterId,
        /// The host's level.
        priority: usize,
        /// Its index in the level.
        host: usize,
    },
    /// How many hosts share a load.
    Sharing {
        /// The cluster.
        cluster: ClusterId,
        /// The level.
        priority: usize,
    },
    /// The load of a level: what its healthy and its degraded hosts get.
    Load(LevelRef),
    /// What the healthy hosts of a level get.
    HealthyLoad(LevelRef),
    /// What the degraded hosts of a level get.
    DegradedLoad(LevelRef),
    /// What the healthy hosts of a level could take.
    Availability(LevelRef),
    /// What the degraded hosts of a level could take.
    DegradedAvailability(LevelRef),
    /// The usable part of a level, as panic sees it.
    Usable(LevelRef),
    /// Whether a level is in panic.
    Panic(LevelRef),
    /// Healthy hosts of the hosts that count.
    Healthy(LevelRef),
    /// Degraded hosts of the hosts that count.
    Degraded(LevelRef),
    /// Hosts of a level, of all hosts: the measure of total panic.
    Hosts(LevelRef),
    /// The sum of all availabilities, at most 100.
    TotalAvailability(ClusterId),
    /// A setting.
    OverprovisioningFactor(ClusterId),
    /// A setting.
    PanicThreshold(ClusterId),
    /// A weight of the host.
    Weight {
        /// The cluster that owns the host.
        cluster: ClusterId,
        /// The host's level.
        priority: usize,
        /// Its index in the level.
        host: usize,
    },
}

/// A level of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LevelRef {
    /// The cluster.
    pub cluster: ClusterId,
    /// The level.
    pub priority: usize,
}

impl Why {
    pub(super) const fn leaf(subject: Subject, value: Quantity) -> Self {
        Self {
            subject,
            value,
            formula: String::new(),
            causes: Vec::new(),
        }
    }

    pub(super) const fn of(
        subject: Subject,
        value: Quantity,
        formula: String,
        causes: Vec<Self>,
    ) -> Self {
        Self {
            subject,
            value,
            formula,
            causes,
        }
    }
}
