//! How a Spillgate filter learns of hosts, which hosts it chooses, and how it passes its choices on.

use alloc::{string::String, vec::Vec};

use spillgate_core::{names::Names, route::RouteMatch};

use super::elements::elements;
use crate::{
    envoy::{
        common::name_of,
        matcher::{read_match, route_match_schema},
        plugin::module_name,
    },
    form::FilterForm,
    node::{Node, NodeValue},
    output::Output,
    proto::{Any, Message, Report, field_of},
};

/// What a filter needs of the configuration around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SteeringFacts {
    /// The headers of its decisions.
    pub output: Output,
    /// The clusters whose hosts it can choose, with their weights: its targets, and the members of
    /// those that are aggregates. A weight is absent if others than the weights of `weighted` decide.
    pub owners: Vec<(String, Option<u64>)>,
    /// The clusters that can serve later attempts of each other: the members of a target, and those of
    /// all targets of `weighted`.
    pub followers: Vec<Vec<String>>,
    /// The rules in `targets`.
    pub targets: Vec<SteeredTarget>,
    /// Whether routes can choose the target (`route_settings`).
    pub by_route: bool,
    /// Where the health of hosts comes from.
    pub health: HealthOrigin,
    /// The keys of its criteria.
    pub criteria: Vec<String>,
    /// Whether the metadata of routes are criteria.
    pub route_metadata: bool,
    /// Whether sessions stay on draining hosts (`affinity.override_host_status`).
    pub keeps_draining: bool,
    /// The file of the dynamic module.
    pub module: Option<String>,
    /// The virtual machine of the Wasm filter.
    pub vm_id: String,
    /// Whether a control plane delivers its configuration (ECDS).
    pub discovered: bool,
}

/// The conditions of a rule in `targets`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SteeredTarget {
    /// It matches these requests.
    Matches(RouteMatch),
    /// Its fraction is 0: the filter leaves it out.
    Never,
    /// It is invalid.
    Invalid,
}

/// Where a filter learns of the health of hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthOrigin {
    /// Its own configuration (`health.source: static`).
    Configured,
    /// The admin interface.
    Admin {
        /// The cluster that reaches it (`health.cluster`).
        cluster: String,
        /// Whether it also reads the metadata of hosts.
        metadata: bool,
        /// Whether its configuration has the hosts of all clusters, too.
        configured: bool,
        /// Whether one poller polls for all workers (`health.poller`).
        shared: bool,
        /// Whether requests get 503 while the hosts are unknown (`health.on_unknown`).
        refuses: bool,
    },
    /// Envoy, through the policy of the dynamic module.
    Envoy,
}

impl SteeringFacts {
    /// The facts of a filter's configuration with these clusters.
    pub(super) fn of(
        message: &Message<'_, '_>,
        form: FilterForm,
        filter: &Any<'_, '_>,
        output: Output,
    ) -> Self {
        let clusters = elements(message.get("clusters"));
        let criteria = elements(message.get("criteria")).iter();
        let constant = message
            .get("metadata_match")
            .and_then(|of| field_of(of, "filter_metadata"))
            .and_then(|of| of.get("envoy.lb"));
        let keys = criteria.clone().filter_map(|one| name_of(one, "key"));
        Self {
            owners: owners(message, clusters),
            followers: followers(message, clusters),
            targets: targets(message),
            by_route: message.get("route_settings").is_some_and(is_true),
            health: match form {
                FilterForm::Wasm => health(message, clusters),
                FilterForm::DynamicModule => HealthOrigin::Envoy,
            },
            criteria: keys.chain(members(constant)).map(String::from).collect(),
            route_metadata: criteria
                .clone()
                .any(|one| field_of(one, "route_metadata").is_some_and(is_true)),
            keeps_draining: keeps_draining(message),
            module: module_name(filter.node).map(String::from),
            vm_id: field_of(filter.node, "config")
                .map(vm_id)
                .unwrap_or_default(),
            discovered: false,
            output,
        }
    }
}

/// The clusters with hosts that the filter can choose.
fn owners(message: &Message<'_, '_>, clusters: &[Node<'_>]) -> Vec<(String, Option<u64>)> {
    let mut by_name = Names::default();
    for (at, cluster) in clusters.iter().enumerate() {
        by_name.insert(name_of(cluster, "name").unwrap_or_default(), at);
    }
    let mut named: Vec<(&str, Option<u64>)> = Vec::new();
    let target = message.get("target").and_then(text);
    named.extend(target.map(|target| (target, Some(1))));
    for one in elements(message.get("targets")) {
        named.extend(name_of(one, "cluster").map(|name| (name, None)));
    }
    for one in elements(message.get("weighted")) {
        let weight = field_of(one, "weight").and_then(number);
        named.extend(name_of(one, "cluster").map(|name| (name, weight)));
    }
    if message.get("route_settings").is_some_and(is_true) {
        let all = clusters.iter().filter_map(|one| name_of(one, "name"));
        named.extend(all.map(|name| (name, None)));
    }
    let (mut seen, mut owners) = (Names::default(), Vec::new());
    let mut at = 0;
    while let Some(&(name, weight)) = named.get(at) {
        at += 1;
        if !seen.add(name) {
            continue;
        }
        let cluster = by_name.get(name).and_then(|at| clusters.get(at));
        match cluster.map(aggregated).unwrap_or_default() {
            [] => owners.push((String::from(name), weight)),
            own => named.extend(own.iter().filter_map(text).map(|name| (name, None))),
        }
    }
    owners
}

/// The conditions of `targets`, as the filter reads them.
fn targets(message: &Message<'_, '_>) -> Vec<SteeredTarget> {
    let unreported = &mut Report::strict();
    let rules: Vec<_> = message.list("targets", unreported).collect();
    let targets = rules.into_iter().map(|(path, rule)| {
        let errors = unreported.errors();
        let path = path.field("match");
        let of = field_of(rule, "match")
            .and_then(|of| Message::open(of, path, route_match_schema(), unreported));
        let matcher = of.as_ref().and_then(|of| read_match(of, unreported));
        match matcher {
            Some(matcher) => SteeredTarget::Matches(matcher),
            None if of.is_some() && unreported.errors() == errors => SteeredTarget::Never,
            None => SteeredTarget::Invalid,
        }
    });
    targets.collect()
}

/// The groups of clusters that can follow each other.
fn followers(message: &Message<'_, '_>, clusters: &[Node<'_>]) -> Vec<Vec<String>> {
    if outputs_one_cluster(message) {
        return Vec::new();
    }
    let mut by_name = Names::default();
    for (at, cluster) in clusters.iter().enumerate() {
        by_name.insert(name_of(cluster, "name").unwrap_or_default(), at);
    }
    let members = |name: &str| {
        let cluster = by_name.get(name).and_then(|at| clusters.get(at));
        match cluster.map(aggregated).unwrap_or_default() {
            [] => Vec::from([String::from(name)]),
            own => own.iter().filter_map(text).map(String::from).collect(),
        }
    };
    let named = |field| elements(message.get(field)).iter();
    let of_entries = |field| named(field).filter_map(|one| name_of(one, "cluster"));
    let target = message.get("target").and_then(text);
    let targets = target.into_iter().chain(of_entries("targets"));
    let by_route = message.get("route_settings").is_some_and(is_true);
    let by_route = by_route.then(|| clusters.iter().filter_map(|one| name_of(one, "name")));
    let mut groups: Vec<Vec<String>> = targets
        .chain(by_route.into_iter().flatten())
        .map(members)
        .collect();
    groups.push(of_entries("weighted").flat_map(members).collect());
    groups.retain(|group| group.len() > 1);
    groups
}

/// Whether all attempts of a request stay in the cluster of the first one.
fn outputs_one_cluster(message: &Message<'_, '_>) -> bool {
    let output = message.get("output");
    output
        .and_then(|output| field_of(output, "attempts_per_cluster"))
        .is_none()
}

/// Whether sessions stay on draining hosts.
fn keeps_draining(message: &Message<'_, '_>) -> bool {
    let affinity = message.get("affinity");
    let statuses = affinity.and_then(|affinity| field_of(affinity, "override_host_status"));
    elements(statuses)
        .iter()
        .any(|status| text(status) == Some("DRAINING"))
}

/// The members of an aggregate.
fn aggregated<'n, 'a>(cluster: &'n Node<'a>) -> &'n [Node<'a>] {
    let config = field_of(cluster, "cluster_type").and_then(|of| field_of(of, "typed_config"));
    elements(config.and_then(|config| field_of(config, "clusters")))
}

fn health(message: &Message<'_, '_>, clusters: &[Node<'_>]) -> HealthOrigin {
    let Some(health) = message.get("health") else {
        return HealthOrigin::Configured;
    };
    let (Some("admin"), Some(cluster)) = (name_of(health, "source"), name_of(health, "cluster"))
    else {
        return HealthOrigin::Configured;
    };
    let chain = elements(message.get("subset_chain"));
    let selects = |step| field_of(step, "keys").or(field_of(step, "match")).is_some();
    let selects = chain.iter().any(selects);
    let lacks = |cluster: &Node<'_>| field_of(cluster, "load_assignment").is_none();
    let needs = |cluster: &Node<'_>| {
        lacks(cluster) && (selects || field_of(cluster, "lb_subset_config").is_some())
    };
    let is_unknown = |cluster: &Node<'_>| lacks(cluster) && aggregated(cluster).is_empty();
    let lost = message
        .get("affinity")
        .and_then(|of| field_of(of, "on_lost"));
    let refuses_lost = lost.is_some_and(|lost| field_of(lost, "status").is_some());
    let has = |field| !elements(message.get(field)).is_empty();
    HealthOrigin::Admin {
        cluster: String::from(cluster),
        metadata: clusters.iter().any(needs),
        configured: !clusters.iter().any(is_unknown),
        shared: name_of(health, "poller") != Some("worker"),
        refuses: match name_of(health, "on_unknown") {
            Some(stated) => stated == "refuse",
            None => {
                let criteria = has("criteria") || message.has("metadata_match");
                criteria || !chain.is_empty() || refuses_lost
            }
        },
    }
}

/// The names of the members of an object.
fn members<'n>(object: Option<&'n Node<'_>>) -> impl Iterator<Item = &'n str> {
    let entries = match object.map(|object| &object.value) {
        Some(NodeValue::Map(entries)) => entries.as_slice(),
        _ => &[],
    };
    entries.iter().map(|entry| &*entry.key.name)
}

pub(super) fn text<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

fn number(node: &Node<'_>) -> Option<u64> {
    match node.value {
        NodeValue::Int(number) => u64::try_from(number).ok(),
        _ => None,
    }
}

pub(super) fn is_true(node: &Node<'_>) -> bool {
    node.value == NodeValue::Bool(true)
}

/// The virtual machine of a Wasm plugin.
pub(super) fn vm_id(plugin: &Node<'_>) -> String {
    let vm = field_of(plugin, "vm_config");
    vm.and_then(|vm| name_of(vm, "vm_id"))
        .unwrap_or_default()
        .into()
}
