//! What a decision was made of, as data: page, command line and debug header show the same.

use alloc::{string::String, vec::Vec};

use crate::{
    snapshot::{ClusterId, HostRef},
    subset::{Choice, SubsetReason},
};

/// Receives the steps of a decision.
///
/// Steps are handed over as closures, so that a trace nobody reads costs nothing.
pub trait Trace {
    /// Takes a step.
    fn step(&mut self, step: impl FnOnce() -> Step);

    /// Takes a step that there may not be.
    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>);
}

/// Throws every step away.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    fn step(&mut self, _: impl FnOnce() -> Step) {}

    fn step_if(&mut self, _: impl FnOnce() -> Option<Step>) {}
}

impl Trace for Vec<Step> {
    fn step(&mut self, step: impl FnOnce() -> Step) {
        self.push(step());
    }

    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>) {
        self.extend(step());
    }
}

/// Takes the steps where there is somebody to take them.
impl<T: Trace> Trace for Option<T> {
    fn step(&mut self, step: impl FnOnce() -> Step) {
        if let Some(trace) = self {
            trace.step(step);
        }
    }

    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>) {
        if let Some(trace) = self {
            trace.step_if(step);
        }
    }
}

/// One step of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What was decided.
    pub kind: StepKind,
    /// The answer in words.
    pub what: String,
    /// The figures that it rests on, in a fixed order.
    pub values: Vec<(&'static str, Figure)>,
    /// What it rests on most.
    pub ground: Ground,
}

/// What of a configuration a step rests on most, so that whoever knows the text can point at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ground {
    /// The route that the request took, or this cluster where nobody routed it.
    Route(ClusterId),
    /// The route that the request took, and nothing else.
    RouteMatch,
    /// How that route makes the request hash.
    RouteHash,
    /// How that route divides its requests between clusters.
    RouteSplit,
    /// What that route asks of hosts.
    RouteCriteria,
    /// What that route says about retries.
    RouteRetry,
    /// How sessions are kept on that route.
    RouteSession,
    /// A cluster as a whole.
    Cluster(ClusterId),
    /// The members of an aggregate.
    Members(ClusterId),
    /// How sessions are kept.
    Sessions,
    /// The part of the requests that a cluster drops.
    DropOverload(ClusterId),
    /// How the balancer of a cluster makes its own hash.
    ClusterHash(ClusterId),
    /// A subset of a cluster and why it was asked; `None` where nobody was.
    Subset(ClusterId, Option<(Choice, SubsetReason)>),
    /// A step of the chain of subsets, by its place.
    ChainStep(usize),
    /// In which states a host of a cluster keeps its sessions.
    OverrideStatuses(ClusterId),
    /// The panic threshold of a cluster.
    PanicThreshold(ClusterId),
    /// The overprovisioning factor of a cluster.
    OverprovisioningFactor(ClusterId),
    /// How a cluster chooses between localities.
    LocalityLb(ClusterId),
    /// A locality of a level.
    Locality {
        /// The cluster.
        cluster: ClusterId,
        /// Its level.
        priority: usize,
        /// The place of the locality in the level.
        locality: usize,
    },
    /// The policy of a cluster.
    Policy(ClusterId),
    /// A host.
    Host(HostRef),
}

/// What a step decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepKind {
    /// The cluster and the hash of the request.
    Route,
    /// What the request asks of a host.
    Criteria,
    /// The host that the request's session, or the request itself, names.
    Session,
    /// The hosts that the request's criteria select.
    Subset,
    /// The member of an aggregate.
    Cluster,
    /// The priority level.
    Level,
    /// The locality within the level.
    Locality,
    /// The host.
    Host,
    /// Another choice, because a retry must not go to the host that was chosen.
    Retry,
}

impl StepKind {
    /// The name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Route => "route",
            Self::Criteria => "criteria",
            Self::Session => "session",
            Self::Subset => "subset",
            Self::Cluster => "cluster",
            Self::Level => "level",
            Self::Locality => "locality",
            Self::Host => "host",
            Self::Retry => "retry",
        }
    }
}

/// A figure of a step. Whole numbers only.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Figure {
    /// A number.
    Number(u64),
    /// A number for each level.
    Numbers(Vec<u64>),
    /// Yes or no.
    Flag(bool),
    /// A name.
    Text(String),
}

impl From<u64> for Figure {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Figure {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Figure {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<&[u32]> for Figure {
    fn from(numbers: &[u32]) -> Self {
        Self::Numbers(numbers.iter().map(|&number| number.into()).collect())
    }
}

impl From<bool> for Figure {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Figure {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}
