//! The nodes of an explanation.

use alloc::vec::Vec;

use super::Formula;
use crate::{
    snapshot::{ClusterId, HostRef},
    trace::{ConfigRef, PriorityRef},
};

/// A figure with its value, its rule, and the figures that the rule uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The figure.
    pub subject: Subject,
    /// The value of the figure.
    pub value: Quantity,
    /// The rule with its values.
    pub formula: Formula,
    /// The figures that the rule uses.
    pub causes: Vec<Why>,
}

/// The value of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// A percentage, 0 to 100.
    Percent(f64),
    /// A plain number.
    Number(u64),
    /// A part of a total, such as usable hosts of all hosts.
    Of {
        /// The part.
        part: u64,
        /// The total.
        whole: u64,
    },
    /// True or false.
    Flag(bool),
}

/// The figure of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// The share of a member in its aggregate.
    MemberShare {
        /// The aggregate.
        aggregate: ClusterId,
        /// The member.
        member: ClusterId,
    },
    /// The load of a linearized priority of an aggregate.
    LinearizedLoad {
        /// The aggregate.
        aggregate: ClusterId,
        /// The priority in the member.
        priority: PriorityRef,
    },
    /// The share of a host in the requests of the cluster in question.
    HostShare(HostRef),
    /// The number of hosts that share a load.
    Sharing(PriorityRef),
    /// The load of a priority: of its healthy and its degraded hosts.
    Load(PriorityRef),
    /// The load of the healthy hosts of a priority.
    HealthyLoad(PriorityRef),
    /// The load of the degraded hosts of a priority.
    DegradedLoad(PriorityRef),
    /// The availability of the healthy hosts of a priority.
    Availability(PriorityRef),
    /// The availability of the degraded hosts of a priority.
    DegradedAvailability(PriorityRef),
    /// Whether a priority is in panic mode, by the threshold of a cluster: its own or that of an
    /// aggregate.
    Panic {
        /// The priority.
        priority: PriorityRef,
        /// The cluster whose threshold applies.
        by: ClusterId,
    },
    /// The healthy hosts of those that availability is relative to.
    Healthy(PriorityRef),
    /// The degraded hosts of those that availability is relative to.
    Degraded(PriorityRef),
    /// The hosts of a priority of all hosts: the measure in total panic.
    Hosts(PriorityRef),
    /// The sum of all availabilities, at most 100.
    TotalAvailability(ClusterId),
    /// The overprovisioning factor.
    OverprovisioningFactor(ClusterId),
    /// The panic threshold.
    PanicThreshold(ClusterId),
    /// The weight of a host.
    Weight(HostRef),
}

impl Subject {
    /// The setting and its cluster, if the figure is a setting.
    #[must_use]
    pub const fn setting(self) -> Option<(ClusterId, ConfigRef)> {
        match self {
            Self::OverprovisioningFactor(cluster) => {
                Some((cluster, ConfigRef::OverprovisioningFactor(cluster)))
            }
            Self::PanicThreshold(cluster) => Some((cluster, ConfigRef::PanicThreshold(cluster))),
            _ => None,
        }
    }
}

impl Why {
    pub(super) const fn leaf(subject: Subject, value: Quantity) -> Self {
        Self::of(subject, value, Formula::Given, Vec::new())
    }

    pub(super) const fn of(
        subject: Subject,
        value: Quantity,
        formula: Formula,
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
