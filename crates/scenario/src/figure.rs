//! The figures that the playground can explain.

use super::{HostAt, PriorityAt};

/// A figure in the playground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFigure {
    /// The load of a priority.
    Priority(PriorityAt),
    /// The availability of a priority.
    Availability(PriorityAt),
    /// Whether a priority is in panic mode.
    Panic(PriorityAt),
    /// The share of a member of the shown aggregate, by its place in the scenario.
    Cluster(usize),
    /// The share of a locality in a priority, by its index.
    Zone(PriorityAt, usize),
    /// The share of a host.
    Host(HostAt),
}

impl PageFigure {
    /// The priority, if it is a figure of a whole priority.
    #[must_use]
    pub const fn priority(self) -> Option<PriorityAt> {
        match self {
            Self::Priority(at) | Self::Availability(at) | Self::Panic(at) => Some(at),
            Self::Cluster(_) | Self::Zone(..) | Self::Host(_) => None,
        }
    }
}
