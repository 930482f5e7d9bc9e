//! The one thing that a pair changes.

mod clusters;
mod hosts;
mod order;
mod policy;
mod routes;

use serde_json::Value;
use spillgate_testkit::models::Dice;

use crate::differential::DifferentialScenario;

pub(super) use clusters::only_in;

/// What the new side of a pair changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairChange {
    /// A host more.
    HostAdded,
    /// A host less.
    HostRemoved,
    /// Another weight of a host or a locality.
    Weight,
    /// Another health of a host.
    Health,
    /// A host or a locality in another priority.
    Priority,
    /// Another load-balancing policy, panic threshold or overprovisioning factor.
    Policy,
    /// Another size of a hash table.
    TableSize,
    /// Two routes in each other's place.
    RouteOrder,
    /// The same routes, written in another way.
    RouteSpelling,
    /// Another runtime value.
    Runtime,
    /// The same clusters and fields in another order, with comments: nothing differs.
    TextOrder,
    /// The same hosts or localities in another order.
    HostOrder,
    /// A cluster more, to which no route leads.
    ClusterAdded,
    /// A cluster less; routes still lead to it.
    ClusterRemoved,
    /// A cluster with another name, also in its routes.
    ClusterRenamed,
}

impl PairChange {
    /// All changes.
    pub const ALL: [Self; 15] = [
        Self::HostAdded,
        Self::HostRemoved,
        Self::Weight,
        Self::Health,
        Self::Priority,
        Self::Policy,
        Self::TableSize,
        Self::RouteOrder,
        Self::RouteSpelling,
        Self::Runtime,
        Self::TextOrder,
        Self::HostOrder,
        Self::ClusterAdded,
        Self::ClusterRemoved,
        Self::ClusterRenamed,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HostAdded => "host added",
            Self::HostRemoved => "host removed",
            Self::Weight => "weight",
            Self::Health => "health",
            Self::Priority => "priority",
            Self::Policy => "policy",
            Self::TableSize => "table size",
            Self::RouteOrder => "route order",
            Self::RouteSpelling => "route spelling",
            Self::Runtime => "runtime value",
            Self::TextOrder => "text order and comments",
            Self::HostOrder => "host order",
            Self::ClusterAdded => "cluster added",
            Self::ClusterRemoved => "cluster removed",
            Self::ClusterRenamed => "cluster renamed",
        }
    }

    /// The scenario with this change; `None` if it has nothing to change in this way.
    pub(super) fn of(
        self,
        scenario: &DifferentialScenario,
        dice: &mut Dice,
    ) -> Option<DifferentialScenario> {
        let mut changed = scenario.clone();
        let found = match self {
            Self::HostAdded => hosts::add(&mut changed, dice),
            Self::HostRemoved => hosts::remove(&mut changed, dice),
            Self::Weight => hosts::weigh(&mut changed, dice),
            Self::Health => hosts::fail(&mut changed, dice),
            Self::Priority => hosts::lift(&mut changed, dice),
            Self::Policy => policy::replace(&mut changed, dice),
            Self::TableSize => policy::resize(&mut changed, dice),
            Self::RouteOrder => routes::swap(&mut changed, dice),
            Self::RouteSpelling => routes::respell(&mut changed, dice),
            Self::Runtime => routes::tune(&mut changed, dice),
            Self::TextOrder => order::of_text(&mut changed, dice),
            Self::HostOrder => order::of_hosts(&mut changed, dice),
            Self::ClusterAdded => clusters::add(&mut changed, dice),
            Self::ClusterRemoved => clusters::remove(&mut changed, dice),
            Self::ClusterRenamed => clusters::rename(&mut changed, dice),
        };
        found.map(|()| changed)
    }
}

/// The `LocalityLbEndpoints` of all clusters for which a condition holds.
fn groups(scenario: &mut DifferentialScenario, holds: impl Fn(&Value) -> bool) -> Vec<&mut Value> {
    let assignments = scenario.clusters.iter_mut().filter_map(|cluster| {
        cluster
            .pointer_mut("/load_assignment/endpoints")?
            .as_array_mut()
    });
    assignments.flatten().filter(|group| holds(group)).collect()
}

/// The hosts of `LocalityLbEndpoints`.
fn hosts_of(group: &Value) -> &[Value] {
    group["lb_endpoints"].as_array().map_or(&[], Vec::as_slice)
}

/// One of several; `None` without any.
fn one<T>(mut of: Vec<T>, dice: &mut Dice) -> Option<T> {
    let at = dice.below(of.len());
    (at < of.len()).then(|| of.swap_remove(at))
}
