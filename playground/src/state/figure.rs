//! What can be selected: every figure that the page can explain.

use super::{HostAt, PriorityAt};

/// A figure on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFigure {
    /// The load of a priority.
    Priority(PriorityAt),
    /// The share of a member of the aggregate that is shown, by its place in the scenario.
    Cluster(usize),
    /// The share of a host.
    Host(HostAt),
}
