//! The clusters, hosts and requests of a scenario.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::{
    model::{
        Cluster, ClusterKind, Endpoint, Metadata, Model, PriorityLocality, SelectorFallback,
        SubsetConfig,
    },
    snapshot::Snapshot,
};

use crate::{Selector, SpecFault, loss::matching};

/// The clusters, hosts and requests of a scenario, before any event.
#[derive(Debug, Clone)]
pub struct Layout {
    /// All clusters, with all hosts.
    pub(crate) model: Model,
    /// The clusters without hosts.
    pub(crate) clusters: Vec<Cluster>,
    /// The target clusters of requests, by number, and their weights.
    pub(crate) targets: Vec<(usize, u32)>,
    /// The clusters whose hosts requests can reach, including member clusters of aggregates, in the
    /// order of the targets and their members.
    pub(crate) reachable: Vec<usize>,
    /// The subset criteria of requests; clients use them in turn.
    pub(crate) criteria: Vec<Metadata>,
    /// All hosts, in configuration order; some may be absent at first.
    pub(crate) hosts: Vec<ConfiguredHost>,
}

/// A host, as it is configured.
#[derive(Debug, Clone)]
pub(crate) struct ConfiguredHost {
    /// The number of its cluster.
    pub(crate) cluster: usize,
    /// Its priority at first.
    pub(crate) priority: usize,
    pub(crate) locality: PriorityLocality,
    pub(crate) endpoint: Endpoint,
    /// Whether it exists from the start.
    pub(crate) present: bool,
}

impl Layout {
    /// A layout of these clusters, with requests for the targets by weight.
    ///
    /// # Errors
    /// All unsupported parts, in words: unknown targets, requests that can reach no host, an
    /// address twice in a cluster, subset settings that the checks do not model.
    pub fn new(
        model: Model,
        targets: &[(String, u32)],
        criteria: Vec<Metadata>,
    ) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let number = |name: &str| model.clusters().iter().position(|c| c.name == name);
        let mut numbers = Vec::new();
        for (name, weight) in targets {
            match number(name) {
                Some(at) => numbers.push((at, *weight)),
                None => faults.push(format!("unknown cluster {name:?}")),
            }
        }
        let hosts = configured_hosts(&model, &mut faults);
        let clusters: Vec<Cluster> = model
            .clusters()
            .iter()
            .map(|own| without_hosts(own))
            .collect();
        let mut layout = Self {
            clusters,
            targets: numbers,
            reachable: Vec::new(),
            criteria: if criteria.is_empty() {
                Vec::from([Metadata::EMPTY])
            } else {
                criteria
            },
            hosts,
            model,
        };
        layout.reachable = layout.reachable_clusters();
        let has_hosts =
            |configured: &ConfiguredHost| layout.reachable.contains(&configured.cluster);
        if faults.is_empty() && !layout.hosts.iter().any(has_hosts) {
            faults.push("no request can reach a host".to_string());
        }
        for &at in &layout.reachable {
            if let Some(config) = layout.subsets(at)
                && layout.model.chain().is_empty()
                && let Some(form) = unknown_form(config)
            {
                let name = layout.clusters.get(at).map_or("", |cluster| &cluster.name);
                faults.push(format!("cluster {name:?}: {form} is not supported"));
            }
        }
        if faults.is_empty() {
            Ok(layout)
        } else {
            Err(faults)
        }
    }

    /// The numbers of the hosts that a selector matches, by their configured state.
    ///
    /// # Errors
    /// If the selector matches no host.
    pub fn select(&self, selector: &Selector) -> Result<Vec<usize>, SpecFault> {
        let snapshot = Snapshot::build(&self.model);
        let hosts = crate::scene::all_hosts(&snapshot);
        let found = matching(&snapshot, &hosts, "", selector)?;
        let numbers = hosts.iter().enumerate();
        let chosen = numbers.filter(|(_, host)| found.contains(host));
        Ok(chosen.map(|(at, _)| at).collect())
    }

    /// The same layout, with these hosts absent at first.
    #[must_use]
    pub fn without(mut self, absent: &[usize]) -> Self {
        for (at, configured) in self.hosts.iter_mut().enumerate() {
            configured.present &= !absent.contains(&at);
        }
        self
    }

    /// The same layout with clusters that differ from its own in names and addresses only; `None` for
    /// others.
    #[must_use]
    pub fn with_names_of(&self, clusters: Vec<Cluster>) -> Option<Self> {
        let model = Model::new(clusters).ok()?;
        let model = model.with_chain(self.model.chain().clone());
        let targets = self.targets.iter().map(|&(at, weight)| {
            let cluster = model.clusters().get(at)?;
            Some((cluster.name.clone(), weight))
        });
        let targets = targets.collect::<Option<Vec<_>>>()?;
        let layout = Self::new(model, &targets, self.criteria.clone()).ok()?;
        let absent = self.hosts.iter().enumerate();
        let absent = absent.filter(|(_, host)| !host.present);
        let absent: Vec<usize> = absent.map(|(at, _)| at).collect();
        (layout.hosts.len() == self.hosts.len()).then(|| layout.without(&absent))
    }

    /// The address of a host; `?` if there is no such host.
    #[must_use]
    pub fn address(&self, host: usize) -> &str {
        self.hosts.get(host).map_or("?", |s| &s.endpoint.address)
    }

    /// The number of hosts, including those that are absent at first.
    #[must_use]
    pub const fn host_count(&self) -> usize {
        self.hosts.len()
    }

    /// The names of the clusters whose hosts requests can reach, in the order of the targets and
    /// their members.
    pub fn reachable_names(&self) -> impl Iterator<Item = &str> {
        let numbers = self.reachable.iter();
        numbers.filter_map(|&at| Some(&*self.clusters.get(at)?.name))
    }

    /// The number of the host with this address in a cluster.
    pub(crate) fn number(&self, cluster: &str, address: &str) -> Option<usize> {
        let mut configured_hosts = self.hosts.iter();
        configured_hosts.position(|configured| {
            let of = self.clusters.get(configured.cluster);
            configured.endpoint.address == address && of.is_some_and(|of| of.name == cluster)
        })
    }

    /// The name of a host's cluster; empty if there is no such host.
    #[must_use]
    pub fn cluster_of(&self, host: usize) -> &str {
        let cluster = self
            .hosts
            .get(host)
            .and_then(|s| self.clusters.get(s.cluster));
        cluster.map_or("", |cluster| &cluster.name)
    }

    pub(crate) fn subsets(&self, cluster: usize) -> Option<&SubsetConfig> {
        match &self.clusters.get(cluster)?.kind {
            ClusterKind::Plain(plain) => plain.subsets.as_ref(),
            _ => None,
        }
    }

    /// The subset criteria of the requests of a client.
    pub(crate) fn criteria_of(&self, client: usize) -> &Metadata {
        static NONE: Metadata = Metadata::EMPTY;
        let turn = client.checked_rem(self.criteria.len()).unwrap_or(0);
        self.criteria.get(turn).unwrap_or(&NONE)
    }

    /// The plain clusters that the targets reach: the members of an aggregate, and the members of
    /// its members if it is flattened.
    fn reachable_clusters(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for &(target, _) in &self.targets {
            let Some(cluster) = self.clusters.get(target) else {
                continue;
            };
            let mut open = Vec::from([(cluster, true)]);
            while let Some((cluster, expands)) = open.pop() {
                match &cluster.kind {
                    ClusterKind::Aggregate(aggregate) if expands => {
                        let members = aggregate.members.iter();
                        let known =
                            members.filter_map(|n| self.clusters.iter().find(|c| c.name == *n));
                        // The last one is taken first.
                        open.extend(known.rev().map(|member| (member, aggregate.flatten)));
                    }
                    ClusterKind::Plain(_) => {
                        let at = self.clusters.iter().position(|c| c.name == cluster.name);
                        found.extend(at.filter(|at| !found.contains(at)));
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

fn configured_hosts(model: &Model, faults: &mut Vec<String>) -> Vec<ConfiguredHost> {
    let mut configured: Vec<ConfiguredHost> = Vec::new();
    for (cluster, of) in model.clusters().iter().enumerate() {
        let first = configured.len();
        for (priority, hosts) in of.priorities().iter().enumerate() {
            for endpoint in &hosts.endpoints {
                let before = configured.get(first..).unwrap_or_default();
                let same =
                    |configured: &ConfiguredHost| configured.endpoint.address == endpoint.address;
                if before.iter().any(same) {
                    faults.push(format!(
                        "duplicate address {} in cluster {:?}",
                        endpoint.address, of.name
                    ));
                }
                configured.push(ConfiguredHost {
                    cluster,
                    priority,
                    locality: hosts
                        .localities
                        .get(endpoint.locality)
                        .cloned()
                        .unwrap_or_default(),
                    endpoint: endpoint.clone(),
                    present: true,
                });
            }
        }
    }
    configured
}

fn without_hosts(cluster: &Cluster) -> Cluster {
    let mut empty = cluster.clone();
    if let ClusterKind::Plain(plain) = &mut empty.kind {
        for priority in &mut plain.priorities {
            priority.endpoints = Vec::new();
        }
    }
    empty
}

/// A subset setting that `check/allowed.rs` does not model, if there is one.
fn unknown_form(config: &SubsetConfig) -> Option<&'static str> {
    let selectors = &config.selectors;
    if config.fallback_list {
        return Some("fallback_list");
    }
    if config.panic_mode_any {
        return Some("panic_mode_any");
    }
    if config.list_as_any {
        return Some("list_as_any");
    }
    if config.allow_redundant_keys {
        return Some("allow_redundant_keys");
    }
    if selectors.iter().any(|s| s.single_host_per_subset()) {
        return Some("single_host_per_subset");
    }
    let keys_subset = |f: &SelectorFallback| matches!(f, SelectorFallback::KeysSubset(_));
    if selectors.iter().any(|s| keys_subset(s.fallback())) {
        return Some("KEYS_SUBSET");
    }
    None
}
