//! The input of the rules.

use alloc::{collections::BTreeMap, vec::Vec};

use spillgate_config::{
    Position, SourceMap,
    envoy::{
        ClusterMarks, EnvoyConfig, HealthSettings, RetryLimit,
        facts::{ClusterFacts, ConfigFacts, Discovery, EndpointFacts, FieldPlace},
        is_dns_name,
    },
    isolation::isolates,
    undecided::UndecidedRequests,
};
use spillgate_core::{
    decide::Request,
    model::{Cluster, ClusterKind, CompositeCluster, Metadata, Model, PlainCluster, Priority},
    names::Names,
    route::HeaderList,
    shares::{Distribution, Share},
    snapshot::Snapshot,
};
use spillgate_sim::ClusterIndex;

use crate::{
    figures::{alone, shares},
    ways::{Way, ways},
};

/// A compiled configuration.
pub(crate) struct Context<'c> {
    pub(crate) config: &'c EnvoyConfig,
    pub(crate) facts: &'c ConfigFacts,
    /// Every path from a route to a cluster that it names.
    pub(crate) ways: Vec<Way<'c>>,
    /// The numbers of the ways to each cluster name, and of those whose cluster a header or a filter names.
    named: BTreeMap<&'c str, Vec<usize>>,
    unnamed: Vec<usize>,
    /// The clusters that have a cluster as a member.
    parents: BTreeMap<&'c str, Vec<&'c Cluster>>,
    modeled: ClusterIndex<'c>,
    /// The index of each cluster name in the facts.
    stated: Names,
}

/// A cluster with its own hosts, and its facts.
#[derive(Clone, Copy)]
pub(crate) struct Plain<'c> {
    pub(crate) cluster: &'c Cluster,
    pub(crate) plain: &'c PlainCluster,
    pub(crate) facts: &'c ClusterFacts,
    marks: &'c ClusterMarks,
}

impl<'c> Plain<'c> {
    /// What the policy of the dynamic module does with undecided requests, if the cluster has that policy.
    pub(crate) fn undecided(&self) -> Option<UndecidedRequests> {
        self.marks.undecided
    }

    /// Its health checks and outlier detection; `None` if they have errors, for which Envoy rejects the cluster.
    pub(crate) fn health(&self) -> Option<&'c HealthSettings> {
        self.marks.health.as_deref()
    }

    /// The limit of concurrent retries for a routing priority.
    pub(crate) const fn retry_limit(&self, high_priority: bool) -> &'c RetryLimit {
        &self.marks.circuit_breakers.of(high_priority).retries
    }

    /// The position of `drop_overloads`, or of the limit in the runtime.
    pub(crate) const fn drop_overload_position(&self) -> Option<Position> {
        self.marks.drop_overload
    }

    /// The name of the cluster.
    pub(crate) fn name(&self) -> &'c str {
        &self.cluster.name
    }

    /// The place of its policy: `load_balancing_policy` or `lb_policy`.
    pub(crate) fn policy_place(&self) -> FieldPlace {
        if self.facts.policy.typed {
            self.facts.place.field("load_balancing_policy")
        } else {
            self.facts.policy.place.clone()
        }
    }

    /// The number of its endpoints.
    pub(crate) fn hosts(&self) -> usize {
        self.plain
            .priorities
            .iter()
            .map(|l| l.endpoints.len())
            .sum()
    }

    /// Whether it has subsets for requests. An isolated cluster has a subset policy without hosts.
    pub(crate) fn selects_subsets(&self) -> bool {
        self.plain
            .subsets
            .as_ref()
            .is_some_and(|subsets| !isolates(subsets))
    }

    /// The shares of its hosts, ignoring subsets.
    pub(crate) fn shares(&self) -> Distribution {
        let whole = PlainCluster {
            subsets: None,
            ..self.plain.clone()
        };
        shares(&alone(self.name(), whole))
    }

    /// The share of an address, in percent.
    pub(crate) fn share_of(&self, shares: &Distribution, address: &str) -> f64 {
        let priorities = &self.plain.priorities;
        let of = |share: &Share| priorities.get(share.priority)?.endpoints.get(share.host);
        let own = shares
            .shares
            .iter()
            .filter(|share| of(share).is_some_and(|e| e.address == address));
        own.map(|share| share.share).sum()
    }

    /// The facts of an endpoint: its priority and its index within the priority.
    pub(crate) fn endpoint_facts(
        &self,
        priority: usize,
        index: usize,
    ) -> Option<&'c EndpointFacts> {
        let marks = self.marks.priorities.get(priority)?.get(index)?;
        let localities = self.facts.localities.iter();
        let mut endpoints = localities.flat_map(|locality| &locality.endpoints);
        endpoints.find(|endpoint| endpoint.place.position == marks.endpoint)
    }

    /// The index of the assignment entry of an endpoint: its priority and its index within the priority.
    pub(crate) fn entry_of(&self, priority: usize, index: usize) -> Option<usize> {
        let marks = self.marks.priorities.get(priority)?.get(index)?;
        let mut entries = self.facts.localities.iter();
        entries.position(|entry| {
            let mut endpoints = entry.endpoints.iter();
            endpoints.any(|endpoint| endpoint.place.position == marks.endpoint)
        })
    }

    /// A field of a policy's settings: of the typed policy, or of the classic message of that name.
    pub(crate) fn policy_setting(&self, message: &str, field: &str) -> FieldPlace {
        let policy = &self.facts.policy;
        if policy.typed || policy.settings.path.ends_with(message) {
            policy.settings.field(field)
        } else {
            self.facts.place.field(message).field(field)
        }
    }

    /// Whether every host has an IP address or path. The hosts behind a DNS name are unknown.
    pub(crate) fn knows_hosts(&self) -> bool {
        let priorities = self.plain.priorities.iter();
        let mut endpoints = priorities.flat_map(|priority| &priority.endpoints);
        endpoints.all(|endpoint| !is_dns_name(&endpoint.address))
    }

    /// Whether anything shows Envoy that a host fails: health checks, outlier detection that can
    /// eject, or a control plane.
    pub(crate) fn has_health_signal(&self) -> bool {
        let signals = &self.facts.signals;
        signals.health_checks.is_some()
            || signals.outlier_detection.is_some()
            || self.facts.discovery != Discovery::Stated
    }

    /// The cluster with one priority only, without subsets.
    pub(crate) fn by_itself(&self, priority: &Priority) -> PlainCluster {
        PlainCluster {
            priorities: [priority.clone()].into(),
            subsets: None,
            ..self.plain.clone()
        }
    }

    /// The metadata of every endpoint.
    pub(crate) fn metadata(&self) -> impl Iterator<Item = &'c Metadata> + use<'c> {
        let priorities = self.plain.priorities.iter();
        priorities
            .flat_map(|priority| &priority.endpoints)
            .map(|e| &e.metadata)
    }
}

impl<'c> Context<'c> {
    /// Compiles the model and finds the paths from routes to clusters.
    pub(crate) fn new(config: &'c EnvoyConfig) -> Self {
        let mut stated = Names::default();
        for (at, cluster) in config.facts.clusters.iter().enumerate() {
            stated.insert(&cluster.name, at);
        }
        let ways = ways(config);
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut unnamed = Vec::new();
        for (number, way) in ways.iter().enumerate() {
            match way.cluster {
                Some(cluster) => named.entry(cluster).or_default().push(number),
                None => unnamed.push(number),
            }
        }
        let mut parents: BTreeMap<&str, Vec<&Cluster>> = BTreeMap::new();
        for cluster in config.model.clusters() {
            for member in cluster.members() {
                parents.entry(member).or_default().push(cluster);
            }
        }
        Self {
            config,
            facts: &config.facts,
            ways,
            named,
            unnamed,
            parents,
            modeled: ClusterIndex::new(&config.model),
            stated,
        }
    }

    /// The ways to a cluster that name it, in route order.
    pub(crate) fn ways_to(&self, cluster: &str) -> impl Iterator<Item = &Way<'c>> {
        let numbers = self.named.get(cluster).into_iter().flatten();
        numbers.filter_map(|number| self.ways.get(*number))
    }

    /// The ways that can lead to a cluster: those that name it, and those on which a request names any cluster;
    /// in route order.
    pub(crate) fn ways_perhaps_to(&self, cluster: &str) -> impl Iterator<Item = &Way<'c>> {
        let mut named = self.named.get(cluster).into_iter().flatten().peekable();
        let mut unnamed = self.unnamed.iter().peekable();
        core::iter::from_fn(move || {
            let is_named = match (named.peek(), unnamed.peek()) {
                (Some(named), Some(unnamed)) => named < unnamed,
                (named, _) => named.is_some(),
            };
            let number = if is_named {
                named.next()
            } else {
                unnamed.next()
            };
            self.ways.get(*number?)
        })
    }

    /// Whether retries of a cluster's requests go to other priorities.
    pub(crate) fn retries_elsewhere(&self, cluster: &str) -> bool {
        let mut ways = self.ways_to(cluster);
        ways.any(|way| way.forward.retry.previous_priorities.is_some())
    }

    /// The paths of each route, adjacent.
    pub(crate) fn by_route(&self) -> impl Iterator<Item = &[Way<'c>]> {
        self.ways.chunk_by(|a, b| core::ptr::eq(a.route, b.route))
    }

    /// The aggregate and composite clusters that have a cluster as a member, once for each time.
    pub(crate) fn parents(&self, cluster: &str) -> &[&'c Cluster] {
        self.parents.get(cluster).map_or(&[], Vec::as_slice)
    }

    /// The files of the input, for positions in messages.
    pub(crate) const fn sources(&self) -> &'c SourceMap {
        &self.config.sources
    }

    /// The facts of a cluster.
    pub(crate) fn stated(&self, name: &str) -> Option<&'c ClusterFacts> {
        self.facts.clusters.get(self.stated.get(name)?)
    }

    /// The cluster of that name.
    fn cluster(&self, name: &str) -> Option<&'c Cluster> {
        self.modeled.get(name)
    }

    /// The cluster of that name, if it has its own hosts.
    pub(crate) fn plain(&self, name: &str) -> Option<Plain<'c>> {
        self.plain_of(self.cluster(name)?)
    }

    /// The composite cluster of that name.
    pub(crate) fn composite(&self, name: &str) -> Option<&'c CompositeCluster> {
        match &self.cluster(name)?.kind {
            ClusterKind::Composite(composite) => Some(composite),
            _ => None,
        }
    }

    /// The cluster with its facts, if it has its own hosts. If the input has only its endpoints, its
    /// settings in the model are defaults that no rule must judge.
    fn plain_of(&self, cluster: &'c Cluster) -> Option<Plain<'c>> {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            return None;
        };
        let facts = self.stated(&cluster.name)?;
        (!facts.endpoints_only).then_some(())?;
        Some(Plain {
            cluster,
            plain,
            facts,
            marks: self.config.marks.cluster(&cluster.name)?,
        })
    }

    /// All clusters with their own hosts and known settings.
    pub(crate) fn plains(&self) -> impl Iterator<Item = Plain<'c>> {
        let clusters = self.config.model.clusters().iter();
        clusters.filter_map(|cluster| self.plain_of(cluster))
    }

    /// The cluster of that name if it has its own hosts, or those of its members that do.
    pub(crate) fn owners(&self, name: &str) -> Vec<Plain<'c>> {
        let Some(cluster) = self.cluster(name) else {
            return Vec::new();
        };
        match cluster.members() {
            [] => self.plain_of(cluster).into_iter().collect(),
            members => members
                .iter()
                .filter_map(|member| self.plain(member))
                .collect(),
        }
    }

    /// The cluster of that name, with the others that its decisions read.
    pub(crate) fn part(&self, cluster: &str) -> Model {
        self.modeled.part([cluster])
    }

    /// The compiled cluster of that name, with the others that its decisions read. Few rules need figures, and only
    /// for what they report: the hash tables of all clusters would need much memory.
    pub(crate) fn compiled(&self, cluster: &str) -> Snapshot {
        Snapshot::build(&self.part(cluster))
    }

    /// The shares of requests for a cluster with these criteria.
    pub(crate) fn distribution(&self, cluster: &str, criteria: &Metadata) -> Distribution {
        Self::distribution_in(&self.part(cluster), cluster, criteria)
    }

    /// The shares of requests for a cluster of this model.
    pub(crate) fn distribution_in(
        model: &Model,
        cluster: &str,
        criteria: &Metadata,
    ) -> Distribution {
        let snapshot = Snapshot::build(model);
        let Some(id) = snapshot.cluster_id(cluster) else {
            return Distribution {
                no_host: 100.0,
                shares: Vec::new(),
            };
        };
        let no_headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
        let request = Request {
            criteria,
            ..Request::new(id, &no_headers)
        };
        snapshot.distribution_of(&request, None)
    }

    /// The share of the requests to a cluster that a member gets, in percent.
    pub(crate) fn share_of_member(&self, cluster: &str, member: &str) -> f64 {
        let snapshot = self.compiled(cluster);
        let Some(id) = snapshot.cluster_id(cluster) else {
            return 0.0;
        };
        let member = snapshot.cluster_id(member);
        let shares = snapshot.distribution(id, None).shares.into_iter();
        let own = shares.filter(|share| Some(share.owner) == member);
        own.map(|share| share.share).sum()
    }
}
