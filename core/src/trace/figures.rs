//! The figures of a step.

use alloc::{string::String, vec::Vec};

use super::{HostNumbers, LocalityNumbers, NumberSource, PriorityRef, SessionHost};
use crate::{
    load::HostClass,
    model::{ChainStep, OverrideStatuses, StepHealth},
    route::{FractionalPercent, OverrideHost, SplitBy},
    snapshot::{ClusterId, HostRef},
};

/// A route's share of the requests, and the number of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnFraction {
    /// The share (`runtime_fraction`).
    pub share: FractionalPercent,
    /// The random number of the request modulo the denominator.
    pub number: u64,
}

/// A choice among weighted clusters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedChoice {
    /// The chosen cluster.
    pub cluster: String,
    /// What selects the cluster.
    pub by: SplitBy,
    /// The number modulo the total weight, if it is random.
    pub roll: Option<u64>,
    /// How a retry has this cluster; `None` for a first attempt.
    pub retry: Option<RetriedCluster>,
    /// The weights, in configuration order.
    pub weights: Vec<u32>,
    /// The sum of the weights.
    pub total: u32,
}

/// How a retry gets its weighted cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetriedCluster {
    /// The cluster of the earlier attempts.
    Kept,
    /// A cluster that the request has not tried (`refresh_cluster_on_retry`).
    Refreshed,
}

/// The result of one step of the subset fallback chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainStepTried {
    /// The index of the step.
    pub at: usize,
    /// The step as configured.
    pub step: ChainStep,
    /// The result.
    pub outcome: ChainStepOutcome,
    /// The health of the hosts of the step; zero if the step has no hosts for the request.
    pub health: StepHealth,
}

/// Why a step of the subset fallback chain serves, or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainStepOutcome {
    /// The request lacks one of the step's keys.
    Skipped,
    /// No host matches.
    NoHost,
    /// Too few of the hosts are healthy.
    BelowMinimum,
    /// Enough of the hosts are healthy.
    Serves,
    /// The step serves below its minimum as the last resort.
    LastResort,
}

/// The choice of an aggregate cluster. Loads are whole percent, by linearized priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberChoice {
    /// The chosen linearized priority; `None` if no member has a host.
    pub chosen: Option<PriorityRef>,
    /// The index of the linearized priority, from 0.
    pub index: usize,
    /// The number that chooses, 0 to 99.
    pub roll: u64,
    /// What the roll is made of.
    pub roll_from: NumberSource,
    /// The load of the healthy hosts of each linearized priority.
    pub healthy_load: Vec<u32>,
    /// The load of the degraded hosts of each linearized priority.
    pub degraded_load: Vec<u32>,
    /// The panic threshold of the aggregate or of the chain step, in percent.
    pub panic_threshold: u32,
    /// The priorities that a retry avoids; `None` if the loads are not those of a retry.
    pub retry: Option<RetryExclusion>,
}

/// The choice of a priority. Loads are whole percent, by priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriorityChoice {
    /// The chosen priority, from 0.
    pub priority: usize,
    /// The class of hosts that the load is for.
    pub class: HostClass,
    /// Whether the priority is in panic mode.
    pub panic: bool,
    /// Whether panic mode fails requests (`fail_traffic_on_panic`).
    pub fails_on_panic: bool,
    /// Whether an aggregate chose the priority.
    pub by_aggregate: bool,
    /// The number that chooses, 0 to 99.
    pub roll: u64,
    /// What the roll is made of.
    pub roll_from: NumberSource,
    /// The load of the healthy hosts of each priority.
    pub healthy_load: Vec<u32>,
    /// The load of the degraded hosts of each priority.
    pub degraded_load: Vec<u32>,
    /// The sum of all availabilities, at most 100.
    pub total_availability: u32,
    /// The panic threshold in percent.
    pub panic_threshold: u32,
    /// The overprovisioning factor in percent.
    pub overprovisioning_factor: u32,
    /// The priorities that a retry avoids; `None` if the loads are not those of a retry.
    pub retry: Option<RetryExclusion>,
}

/// The priorities that a retry avoids (`envoy.retry_priorities.previous_priorities`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetryExclusion {
    /// Whether each priority is excluded; none of them after a reset.
    pub excluded: Vec<bool>,
    /// Whether all priorities can be chosen again, because no other one is available.
    pub reset: bool,
}

impl RetryExclusion {
    /// The excluded priorities, in order.
    pub fn priorities(&self) -> impl Iterator<Item = usize> + '_ {
        let excluded = self.excluded.iter().enumerate();
        excluded
            .filter(|(_, excluded)| **excluded)
            .map(|(at, _)| at)
    }
}

/// The choice of a locality.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalityChoice {
    /// The region, zone and sub-zone; `None` if the hosts of all localities share the load.
    pub locality: Option<crate::model::Locality>,
    /// The rule that applies.
    pub rule: LocalityRule,
    /// The number of localities.
    pub localities: usize,
    /// The number of hosts that share the load.
    pub hosts: usize,
    /// The numbers that choose.
    pub numbers: LocalityNumbers,
}

/// The rule that chooses a locality, or why none is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalityRule {
    /// Locality weights choose.
    Weights,
    /// The hash table chooses the host, and with it the locality. The table has the configured
    /// weights of localities with usable hosts, whatever the health of their other hosts.
    TableWeights,
    /// No locality has a weight.
    NoWeight,
    /// A session key chooses among the hosts of all localities.
    SessionKey,
    /// The local cluster is in panic mode.
    LocalPanic,
    /// The request is not one of those with zone-aware routing (`routing_enabled`).
    NotEnabled,
    /// Zone-aware routing needs more localities.
    TooFewLocalities,
    /// The local cluster has no host in this zone.
    NoLocalHost,
    /// Zone-aware routing needs more healthy hosts.
    TooFewHosts,
    /// The local zone takes all its requests.
    AllLocal,
    /// The local zone takes what it has capacity for.
    PartlyLocal,
    /// The chosen zone has no hosts of the class, so all of the class serve.
    EmptyZone,
    /// Either of the two.
    NotEnabledOrEmpty,
}

/// The choice of a host.
#[derive(Debug, Clone, PartialEq)]
pub struct HostChoice {
    /// The host; `None` if the policy has no host to choose from.
    pub host: Option<HostRef>,
    /// What chooses.
    pub by: ChosenBy,
    /// The number of hosts to choose from.
    pub hosts: usize,
    /// Why the hash table has none of these hosts, if it is empty.
    pub empty_table: Option<EmptyTable>,
    /// The number of the attempt, from 0.
    pub attempt: u32,
    /// The number of the choice in this attempt, from 0; retry host predicates may reject earlier ones.
    pub choice: u32,
    /// What the number of the choice is made of.
    pub number_from: NumberSource,
    /// The numbers that choose.
    pub numbers: HostNumbers,
}

/// Why a hash table is empty although there are hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyTable {
    /// The size of the ring is 0 (`minimum_ring_size`).
    RingSizeZero,
    /// No locality with usable hosts has a weight.
    NoLocalityWeight,
}

/// What chooses a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChosenBy {
    /// The load-balancing policy, by its name in `Cluster.lb_policy`.
    Policy(&'static str),
    /// Rendezvous hashing of the session's key.
    SessionKey,
}

/// The result for the host that a session cookie or header of Envoy names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHostFound {
    /// The routed cluster.
    pub cluster: ClusterId,
    /// The host that the session names.
    pub requested: OverrideHost,
    /// The result.
    pub found: SessionHost,
    /// The host statuses that keep sessions.
    pub statuses: OverrideStatuses,
}

impl SessionHostFound {
    /// The status of the local reply, if the session is strict and its host cannot serve.
    #[must_use]
    pub fn refusal(&self) -> Option<u16> {
        self.found
            .refusal(&self.requested)
            .filter(|_| self.requested.strict)
    }
}
