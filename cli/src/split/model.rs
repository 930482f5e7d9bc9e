//! A split as data. The order of the fields is that of the JSON.

use serde::Serialize;

/// The clusters of a configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Split {
    /// In configuration order.
    pub clusters: Vec<ClusterSplit>,
}

/// Who gets the requests of one cluster. Shares are percent of them, 0 to 100.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterSplit {
    /// Its name.
    pub name: String,
    /// `plain`, `aggregate` or `original_dst`.
    pub kind: &'static str,
    /// The name in `Cluster.lb_policy`.
    pub policy: &'static str,
    /// The requests that find no host.
    pub no_host: f64,
    /// `null` in a cluster without subsets; an aggregate has no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subset: Option<Option<SubsetChoice>>,
    /// The members of an aggregate, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<MemberShare>>,
    /// The levels; of an aggregate, those of its members in one line.
    pub priorities: Vec<PrioritySplit>,
    /// Every endpoint, those without a share too.
    pub endpoints: Vec<EndpointShare>,
}

/// The subset that a request's criteria lead to. The levels of the cluster then are those of the
/// subset, and hosts outside of it get nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubsetChoice {
    /// `selected`, `selector_fallback`, `fallback`, or `none` where nothing serves the request.
    pub reason: &'static str,
    /// What the hosts of the subset have in common; `null` where the whole cluster serves, or
    /// nothing.
    pub criteria: Option<serde_json::Map<String, serde_json::Value>>,
}

/// What an aggregate gives to a member.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemberShare {
    /// Its name.
    pub cluster: String,
    /// The load of its levels.
    pub share: f64,
}

/// One level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrioritySplit {
    /// Its number; under an aggregate its place in the line.
    pub priority: usize,
    /// Under an aggregate: the member that owns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// Under an aggregate: its number in that member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_priority: Option<usize>,
    /// All hosts, the excluded ones too.
    pub hosts: u32,
    /// The healthy ones.
    pub healthy: u32,
    /// The degraded ones.
    pub degraded: u32,
    /// Those left out of the level's size.
    pub excluded: u32,
    /// What the healthy hosts could take, in percent, at most 100.
    pub availability: u32,
    /// What the degraded hosts could take, in percent, at most 100.
    pub degraded_availability: u32,
    /// What the healthy hosts get, in percent.
    pub healthy_load: u32,
    /// What the degraded hosts get, in percent.
    pub degraded_load: u32,
    /// Whether it serves from all its hosts. Under an aggregate by the aggregate's threshold; the
    /// members go by their own when they choose a host.
    pub panic: bool,
    /// Its localities, in configuration order.
    pub localities: Vec<LocalityShare>,
}

/// One locality of a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LocalityShare {
    /// The region.
    pub region: String,
    /// The zone.
    pub zone: String,
    /// The sub-zone.
    pub sub_zone: String,
    /// Its weight, if it states one.
    pub weight: Option<u32>,
    /// What its endpoints get together.
    pub share: f64,
}

/// One endpoint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EndpointShare {
    /// Its address, `ip:port`.
    pub address: String,
    /// The cluster that owns it.
    pub cluster: String,
    /// Its level in that cluster.
    pub priority: usize,
    /// What it gets.
    pub share: f64,
}
