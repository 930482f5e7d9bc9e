//! The clusters of a Kuma proxy: one for each destination or split that is used.

use alloc::{
    borrow::Cow,
    collections::BTreeMap,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::route::HashPolicy;
use spillgate_mesh::{
    Compat, MeshAssignment,
    kuma::{
        KumaDestinationKind, KumaEffectiveConf, KumaListener, KumaLocalityRules, KumaProxy,
        KumaView, assignment, effective_conf, kuma_differences, select_endpoints, split_assignment,
        split_cluster_name,
    },
};

#[cfg(feature = "health")]
use super::kuma_health::{cluster_health, panic_of};
use super::{
    OutboundCluster, OutboundSettings, hashing::kuma_hash_policies, kuma_balancer, once::push_once,
};
use crate::{
    Affects, Diagnostic,
    mesh::{KumaDestinationInput, KumaInputs},
};

/// The clusters so far.
pub(super) struct KumaClusters<'a> {
    pub(super) inputs: &'a KumaInputs,
    compat: Compat,
    /// The proxy, with the tags of a listener if it is a gateway.
    proxy: Cow<'a, KumaProxy>,
    /// The end of the names of clusters that only a listener has.
    suffix: String,
    pub(super) clusters: Vec<OutboundCluster>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'a> KumaClusters<'a> {
    pub(super) const fn new(inputs: &'a KumaInputs, compat: Compat) -> Self {
        Self {
            inputs,
            compat,
            proxy: Cow::Borrowed(&inputs.proxy),
            suffix: String::new(),
            clusters: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Continues with the proxy of a listener. Policies can select listeners with own tags, which
    /// have clusters of their own.
    pub(super) fn of_listener(&mut self, proxy: KumaProxy, listener: &KumaListener) {
        self.proxy = Cow::Owned(proxy);
        self.suffix = if listener.tags.is_empty() {
            String::new()
        } else {
            format!("@{}", listener.port)
        };
    }

    /// The cluster of a destination.
    pub(super) fn whole(&mut self, input: &KumaDestinationInput) -> usize {
        let name = format!("{}{}", input.cluster, self.suffix);
        match self.known(&name) {
            Some(known) => known,
            None => self.add(input, name, None),
        }
    }

    /// The cluster of the endpoints with these tags.
    pub(super) fn part(
        &mut self,
        input: &KumaDestinationInput,
        tags: &BTreeMap<String, String>,
    ) -> usize {
        let name = split_cluster_name(&input.cluster, tags) + &self.suffix;
        match self.known(&name) {
            Some(known) => known,
            None => {
                let selected = select_endpoints(&input.endpoints, tags);
                self.add(input, name, Some(&selected))
            }
        }
    }

    /// The cluster of a backend that no document describes: it has no endpoints.
    pub(super) fn missing(&mut self, name: &str) -> usize {
        if let Some(known) = self.known(name) {
            return known;
        }
        self.clusters.push(OutboundCluster::missing(name.into()));
        self.clusters.len() - 1
    }

    /// The place of a cluster that a gateway names and does not have.
    pub(super) fn nonexistent(&mut self, name: &str) -> usize {
        if let Some(known) = self.known(name) {
            return known;
        }
        self.clusters
            .push(OutboundCluster::nonexistent(name.into()));
        self.clusters.len() - 1
    }

    /// The destination of a cluster.
    pub(super) fn destination_of(&self, cluster: usize) -> Option<&'a KumaDestinationInput> {
        let name = &self.clusters.get(cluster)?.name;
        let inputs = self.inputs.destinations.iter();
        let inputs = inputs.filter(|input| name.starts_with(&input.cluster));
        inputs.max_by_key(|input| input.cluster.len())
    }

    /// The hash policies for the destination of a cluster.
    pub(super) fn hash_policies(&self, cluster: Option<usize>) -> Vec<HashPolicy> {
        let of = |cluster: usize| {
            let input = self.destination_of(cluster)?;
            effective_conf(&self.inputs.policies, &self.proxy, &input.destination)
        };
        let conf = cluster.and_then(of).map(|found| found.conf);
        kuma_hash_policies(conf.unwrap_or_default().hash_policies_in_use())
    }

    fn known(&self, name: &str) -> Option<usize> {
        self.clusters.iter().position(|known| known.name == name)
    }

    fn add(
        &mut self,
        input: &KumaDestinationInput,
        name: String,
        selected: Option<&[usize]>,
    ) -> usize {
        let inputs = self.inputs;
        let proxy = self.proxy.clone();
        let found = effective_conf(&inputs.policies, &proxy, &input.destination);
        let view = KumaView {
            proxy: &proxy,
            destination: input.destination.kind,
        };
        let absent = input.prefers_local_zone.then(KumaLocalityRules::default);
        let conf = found.as_ref().map(|found| &found.conf);
        let rules = match conf {
            None => absent.clone(),
            // Values without a legal form have been reported by the reader.
            Some(conf) => KumaLocalityRules::new(conf.locality_awareness.as_ref()).ok(),
        };
        let assign = |rules: Option<&KumaLocalityRules>| match selected {
            Some(selected) => {
                split_assignment(view, rules, &input.endpoints, selected, self.compat)
            }
            None => assignment(view, rules, &input.endpoints, self.compat),
        };
        let mut endpoints = input.endpoints.clone();
        let balancer = conf.and_then(|conf| conf.load_balancer.as_ref());
        let settings = kuma_balancer::settings(balancer).unwrap_or_else(|fault| {
            push_once(&mut self.warnings, fault);
            OutboundSettings::default()
        });
        let mut cluster = OutboundCluster {
            exists: true,
            assignment: assign(rules.as_ref()),
            without_policy: assign(absent.as_ref()),
            differences: match selected {
                Some(selected) => {
                    endpoints = selected
                        .iter()
                        .filter_map(|&at| input.endpoints.get(at).cloned())
                        .collect();
                    kuma_differences(view, rules.as_ref(), &endpoints)
                }
                None => kuma_differences(view, rules.as_ref(), &endpoints),
            },
            name,
            hosts: endpoints.iter().map(|of| of.host.clone()).collect(),
            zones: endpoints.iter().map(|of| of.zone.to_string()).collect(),
            settings,
            policies: names(inputs, found.as_ref()),
            #[cfg(feature = "health")]
            health: cluster_health(inputs, &proxy, input),
        };
        #[cfg(feature = "health")]
        {
            cluster.settings.panic = panic_of(inputs, &proxy, input);
        }
        if let Some(selected) = selected {
            renumber(&mut cluster.assignment, selected);
            renumber(&mut cluster.without_policy, selected);
        }
        self.keep_first_of_equal(input, &mut cluster);
        self.warnings.extend(cluster.all_dropped());
        self.clusters.push(cluster);
        self.clusters.len() - 1
    }
}

impl KumaClusters<'_> {
    /// All services of other zones have the address of the zone egress, which chooses among them.
    fn keep_first_of_equal(&mut self, input: &KumaDestinationInput, cluster: &mut OutboundCluster) {
        let hosts = cluster.hosts.iter();
        let addresses: Vec<&str> = hosts.map(|host| host.address.as_str()).collect();
        cluster.without_policy.keep_first_of_equal(&addresses);
        cluster.assignment.keep_first_of_equal(&addresses);
        let is_remote = cluster.zones.iter().any(|zone| *zone != self.proxy.zone);
        let by_tag = input.destination.kind == KumaDestinationKind::ServiceTag;
        if self.proxy.egress_enabled && by_tag && is_remote {
            let limit = "the zone egress chooses the zone of the requests that it gets, by its own policies and \
                         the instances of each zone; that choice is not modeled, and its requests are shown \
                         in one of the zones";
            push_once(
                &mut self.warnings,
                Diagnostic::limit("mesh/assumed", limit, Affects::Everything),
            );
        }
    }
}

/// The names of merged policies, each once.
fn names(inputs: &KumaInputs, found: Option<&KumaEffectiveConf>) -> Vec<String> {
    let origins = found.into_iter().flat_map(|found| &found.origins);
    let policies = origins.filter_map(|origin| inputs.policies.get(origin.policy));
    let mut names: Vec<String> = Vec::new();
    for policy in policies {
        if !names.contains(&policy.meta.name) {
            names.push(policy.meta.name.clone());
        }
    }
    names
}

/// Makes the positions of an assignment those of the selected endpoints.
fn renumber(assignment: &mut MeshAssignment, selected: &[usize]) {
    let place = |at: &mut usize| {
        let found = selected.iter().position(|known| known == at);
        *at = found.unwrap_or_default();
    };
    for group in &mut assignment.groups {
        group.endpoints.iter_mut().for_each(place);
    }
    for dropped in &mut assignment.dropped {
        place(&mut dropped.endpoint);
    }
}
