//! A text that was imported, kept to point at.

use spillgate_config::Position;
use spillgate_core::model::Cluster;

use super::Fault;

/// What the user pasted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    /// The configuration.
    pub config: String,
    /// What `/clusters` said; empty without.
    pub clusters: String,
}

/// An import: its texts, what they say, and where.
#[derive(Debug)]
pub struct Origin {
    /// The texts.
    pub texts: Texts,
    /// What they said, before any edit.
    pub clusters: Vec<Cluster>,
    /// Where, by cluster.
    pub places: Vec<Places>,
    /// What is doubtful in them, in the order of the text: fields without effect, and what the
    /// lint rules found.
    pub faults: Vec<Fault>,
}

/// Where in the configuration the values of a cluster stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// `common_lb_config.healthy_panic_threshold`.
    pub panic_threshold: Option<Position>,
    /// `load_assignment.policy.overprovisioning_factor`.
    pub overprovisioning_factor: Option<Position>,
    /// The member list of an aggregate.
    pub members: Option<Position>,
    /// By level, by index within the level: the endpoints.
    pub levels: Vec<Vec<HostPlace>>,
}

/// Where an endpoint stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostPlace {
    /// Its beginning.
    pub endpoint: Position,
    /// Its `health_status`.
    pub health_status: Option<Position>,
}
