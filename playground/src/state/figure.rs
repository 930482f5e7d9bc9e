//! The figures that the page can explain.

use super::{HostAt, PriorityAt};

/// A figure on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFigure {
    /// The load of a priority.
    Priority(PriorityAt),
    /// The share of a member of the shown aggregate, by its place in the scenario.
    Cluster(usize),
    /// The share of a host.
    Host(HostAt),
}
