//! Where requests go and the hosts that there may be.

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

/// The clusters, the requests for them and the hosts, as they are before anything happens.
#[derive(Debug, Clone)]
pub struct Layout {
    /// All clusters, with all hosts.
    pub(in crate::world) model: Model,
    /// The clusters without hosts.
    pub(in crate::world) bare: Vec<Cluster>,
    /// What a request is for, by weight; numbers of clusters.
    pub(in crate::world) targets: Vec<(usize, u32)>,
    /// The clusters whose hosts requests may get to, members of aggregates included.
    pub(in crate::world) reachable: Vec<usize>,
    /// What requests ask of a host: the first client the first, and so on in turns.
    pub(in crate::world) criteria: Vec<Metadata>,
    /// Every host that there may be, in configuration order.
    pub(in crate::world) sites: Vec<Site>,
}

/// A host that there may be, and where it stands at first.
#[derive(Debug, Clone)]
pub(in crate::world) struct Site {
    /// The number of its cluster.
    pub(in crate::world) cluster: usize,
    /// Its priority.
    pub(in crate::world) priority: usize,
    pub(in crate::world) locality: PriorityLocality,
    pub(in crate::world) endpoint: Endpoint,
    /// Whether it is there from the beginning.
    pub(in crate::world) present: bool,
}

/// Why a model is nothing to simulate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutFault(String);

impl core::fmt::Display for LayoutFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for LayoutFault {}

impl Layout {
    /// A layout of these clusters, with requests for the targets by weight.
    ///
    /// # Errors
    /// Everything that cannot be simulated: a target without hosts of its own or of its members,
    /// an address that stands twice in a cluster, forms of subsets that the checks do not know.
    pub fn new(
        model: Model,
        targets: &[(String, u32)],
        criteria: Vec<Metadata>,
    ) -> Result<Self, Vec<LayoutFault>> {
        let mut faults = Vec::new();
        let number = |name: &str| model.clusters().iter().position(|c| c.name == name);
        let mut numbers = Vec::new();
        for (name, weight) in targets {
            match number(name) {
                Some(at) => numbers.push((at, *weight)),
                None => faults.push(LayoutFault(format!("no cluster is named {name:?}"))),
            }
        }
        let sites = sites(&model, &mut faults);
        let bare: Vec<Cluster> = model.clusters().iter().map(without_hosts).collect();
        let mut layout = Self {
            bare,
            targets: numbers,
            reachable: Vec::new(),
            criteria: match criteria.is_empty() {
                true => Vec::from([Metadata::EMPTY]),
                false => criteria,
            },
            sites,
            model,
        };
        layout.reachable = layout.reach();
        let has_hosts = |site: &Site| layout.reachable.contains(&site.cluster);
        if faults.is_empty() && !layout.sites.iter().any(has_hosts) {
            faults.push(LayoutFault("no request can get to any host".to_string()));
        }
        for &at in &layout.reachable {
            if let Some(config) = layout.subsets(at)
                && layout.model.chain().is_empty()
                && let Some(form) = unknown_form(config)
            {
                let name = layout.bare.get(at).map_or("", |cluster| &cluster.name);
                faults.push(LayoutFault(format!(
                    "the subsets of {name:?} have {form}, which is not checked here"
                )));
            }
        }
        match faults.is_empty() {
            true => Ok(layout),
            false => Err(faults),
        }
    }

    /// The numbers of the hosts that a selector means, as they stand at first.
    ///
    /// # Errors
    /// When there is none.
    pub fn select(&self, selector: &Selector) -> Result<Vec<usize>, SpecFault> {
        let snapshot = Snapshot::build(&self.model);
        let hosts = crate::scene::all_hosts(&snapshot);
        let found = matching(&snapshot, &hosts, selector)?;
        let numbers = hosts.iter().enumerate();
        let chosen = numbers.filter(|(_, host)| found.contains(host));
        Ok(chosen.map(|(at, _)| at).collect())
    }

    /// The same with these hosts not there from the beginning.
    #[must_use]
    pub fn without(mut self, absent: &[usize]) -> Self {
        for (at, site) in self.sites.iter_mut().enumerate() {
            site.present &= !absent.contains(&at);
        }
        self
    }

    /// The address of a host.
    #[must_use]
    pub fn address(&self, host: usize) -> &str {
        self.sites.get(host).map_or("?", |s| &s.endpoint.address)
    }

    /// The number of the host of a cluster with this address.
    pub(in crate::world) fn number(&self, cluster: &str, address: &str) -> Option<usize> {
        let mut sites = self.sites.iter();
        sites.position(|site| {
            let of = self.bare.get(site.cluster);
            site.endpoint.address == address && of.is_some_and(|of| of.name == cluster)
        })
    }

    /// The name of a host's cluster.
    pub(in crate::world) fn cluster_of(&self, host: usize) -> &str {
        let cluster = self.sites.get(host).and_then(|s| self.bare.get(s.cluster));
        cluster.map_or("", |cluster| &cluster.name)
    }

    pub(in crate::world) fn subsets(&self, cluster: usize) -> Option<&SubsetConfig> {
        match &self.bare.get(cluster)?.kind {
            ClusterKind::Plain(plain) => plain.subsets.as_ref(),
            _ => None,
        }
    }

    /// What the requests of a client ask of a host.
    pub(in crate::world) fn criteria_of(&self, client: usize) -> &Metadata {
        static NONE: Metadata = Metadata::EMPTY;
        let turn = client.checked_rem(self.criteria.len()).unwrap_or(0);
        self.criteria.get(turn).unwrap_or(&NONE)
    }

    /// Plain clusters behind the targets: an aggregate stands for its members, and its members'
    /// members where it is flattened.
    fn reach(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for &(target, _) in &self.targets {
            let Some(cluster) = self.bare.get(target) else {
                continue;
            };
            let mut open = Vec::from([(cluster, true)]);
            while let Some((cluster, expands)) = open.pop() {
                match &cluster.kind {
                    ClusterKind::Aggregate(aggregate) if expands => {
                        let members = aggregate.members.iter();
                        let known = members.filter_map(|n| self.bare.iter().find(|c| c.name == *n));
                        open.extend(known.map(|member| (member, aggregate.flatten)));
                    }
                    ClusterKind::Plain(_) => {
                        let at = self.bare.iter().position(|c| c.name == cluster.name);
                        found.extend(at.filter(|at| !found.contains(at)));
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

fn sites(model: &Model, faults: &mut Vec<LayoutFault>) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    for (cluster, of) in model.clusters().iter().enumerate() {
        let first = sites.len();
        for (priority, hosts) in of.priorities().iter().enumerate() {
            for endpoint in &hosts.endpoints {
                let before = sites.get(first..).unwrap_or_default();
                let same = |site: &Site| site.endpoint.address == endpoint.address;
                if before.iter().any(same) {
                    faults.push(LayoutFault(format!(
                        "{} stands twice in the cluster {:?}",
                        endpoint.address, of.name
                    )));
                }
                sites.push(Site {
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
    sites
}

fn without_hosts(cluster: &Cluster) -> Cluster {
    let mut bare = cluster.clone();
    if let ClusterKind::Plain(plain) = &mut bare.kind {
        for priority in &mut plain.priorities {
            priority.endpoints = Vec::new();
        }
    }
    bare
}

/// What the second opinion on subsets (`check/allowed.rs`) does not model.
fn unknown_form(config: &SubsetConfig) -> Option<&'static str> {
    let selectors = &config.selectors;
    if config.fallback_list {
        return Some("a fallback list");
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
