//! The clusters of an Istio proxy: one for each service or subset that is used.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::time::Duration;

use spillgate_core::model::{
    DEFAULT_MAXIMUM_RING_SIZE, DEFAULT_MINIMUM_RING_SIZE, HashFunction, LeastRequestConfig,
    MaglevConfig, Policy, RingHashConfig, SlowStart,
};
use spillgate_mesh::istio::{
    IstioConsistentHash, IstioEffectiveSetting, IstioLoadBalancer, IstioMergedRule, IstioPolicy,
    IstioSettings, IstioView, destination_rule, istio_assignment, parse_locality,
};

#[cfg(feature = "health")]
use super::istio_over_time::cluster_health;
use super::{
    OutboundCluster, OutboundPanic, OutboundSettings, kuma_balancer::rejected, once::push_once,
};
use crate::{
    Affects, Diagnostic,
    mesh::{IstioInputs, IstioServiceInput, assemble::HOSTNAME},
};

/// The zone of a locality, with its region: `region/zone`.
pub(super) fn zone_of(locality: &str) -> String {
    let locality = parse_locality(locality);
    let zone = format!("{}/{}", locality.region, locality.zone);
    if locality.zone.is_empty() {
        locality.region
    } else {
        zone
    }
}

/// The clusters so far.
pub(super) struct IstioClusters<'a> {
    pub(super) inputs: &'a IstioInputs,
    pub(super) clusters: Vec<OutboundCluster>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'a> IstioClusters<'a> {
    /// The cluster of a service or of one of its subsets.
    pub(super) fn cluster(&mut self, service: &IstioServiceInput, subset: Option<&str>) -> usize {
        let name = match subset {
            Some(subset) => service.subset_cluster(subset),
            None => service.cluster.clone(),
        };
        self.known(&name).unwrap_or_else(|| {
            let cluster = self.build(service, subset, name);
            self.warnings.extend(cluster.all_dropped());
            self.clusters.push(cluster);
            self.clusters.len() - 1
        })
    }

    /// The place of a cluster that Istio does not create, but that a route names.
    pub(super) fn missing(&mut self, name: String) -> usize {
        self.known(&name).unwrap_or_else(|| {
            self.clusters.push(OutboundCluster::missing(name));
            self.clusters.len() - 1
        })
    }

    /// The place of a cluster that does not exist in Envoy either: its requests get the status that their
    /// route has for that.
    pub(super) fn nonexistent(&mut self, name: String) -> usize {
        self.known(&name).unwrap_or_else(|| {
            self.clusters.push(OutboundCluster::nonexistent(name));
            self.clusters.len() - 1
        })
    }

    fn known(&self, name: &str) -> Option<usize> {
        self.clusters.iter().position(|known| known.name == name)
    }

    /// The merged DestinationRule of a service.
    pub(super) fn rule(&self, service: &IstioServiceInput) -> Option<IstioMergedRule> {
        let IstioInputs {
            rules,
            proxy,
            root_namespace,
            ..
        } = self.inputs;
        destination_rule(rules, proxy, &service.service, root_namespace)
    }

    /// Whether the DestinationRule of a service defines a subset.
    pub(super) fn has_subset(&self, service: &IstioServiceInput, name: &str) -> bool {
        let found = self.rule(service);
        found.is_some_and(|found| found.rule.subset(name).is_some())
    }

    /// The node of the endpoints that the proxy reaches; `None` for all nodes.
    fn node_of(&mut self, service: &IstioServiceInput, cluster: &str) -> Option<&'a String> {
        if !service.service.node_local {
            return None;
        }
        let inputs = self.inputs;
        let node = inputs.proxy.labels.get(HOSTNAME);
        if node.is_none() {
            self.warnings.push(Diagnostic::limit(
                "mesh/node-local",
                "the proxy reaches endpoints on its own node only (internalTrafficPolicy: Local), \
                 which is unknown; showing all",
                Affects::Cluster(cluster.into()),
            ));
        }
        node
    }

    fn build(
        &mut self,
        service: &IstioServiceInput,
        subset: Option<&str>,
        name: String,
    ) -> OutboundCluster {
        let found = self.rule(service);
        let rule = found.as_ref().map(|found| &found.rule);
        let policy = rule
            .map(|rule| rule.policy(subset, service.port))
            .unwrap_or_default();
        let labels = subset.and_then(|name| Some(&rule?.subset(name)?.labels));
        let merged = found
            .iter()
            .flat_map(|found| &found.from)
            .filter_map(|&at| self.inputs.rules.get(at));
        let policies: Vec<String> = merged.map(|rule| rule.name.to_string()).collect();
        let node = self.node_of(service, &name);
        let version = self.inputs.version;
        let outlier_detection = policy.outlier_detection.as_ref();
        let received = service.received(version, outlier_detection);
        let endpoints = received.filter(|of| {
            let mut wanted = labels.into_iter().flatten();
            let label = |(key, value): (&String, &String)| of.labels.get(key) == Some(value);
            wanted.all(label) && node.is_none_or(|node| of.labels.get(HOSTNAME) == Some(node))
        });
        let mtls = rule
            .and_then(|rule| rule.tls_mode(subset, service.port, version))
            .map(|mode| mode == "ISTIO_MUTUAL");
        let reached = self.reached(&name, mtls, endpoints.cloned().collect());
        let endpoints = &reached.endpoints;
        let own = policy.load_balancer.as_ref();
        let settings = IstioSettings {
            mesh: self.inputs.mesh.locality_lb_setting.as_ref(),
            destination_rule: own.and_then(|of| of.locality_lb_setting.as_ref()),
            mesh_zone_aware: self.inputs.mesh.zone_aware_lb_setting.as_ref(),
            rule_zone_aware: own.and_then(|of| of.zone_aware_lb_setting.as_ref()),
            traffic_distribution: service.service.traffic_distribution.as_deref(),
            version,
        };
        let effective = settings.effective();
        let off = IstioEffectiveSetting::default();
        let view = |effective| IstioView {
            proxy: &self.inputs.proxy,
            effective,
            outlier_detection,
            resolution: service.service.resolution,
            sends_unready: service.service.sends_unready(version, outlier_detection),
            subset: subset.is_some(),
            version,
        };
        let mut assignment = istio_assignment(view(&effective), endpoints);
        let mut without_policy = istio_assignment(view(&off), endpoints);
        let resolution = service.service.resolution;
        reached.keep_first(resolution, &mut assignment);
        reached.keep_first(resolution, &mut without_policy);
        self.note_repeated(&name, &reached, &assignment);
        self.note_dns(&name, view(&effective), endpoints);
        // The subsets of a cluster keep its type, whatever their own policy is (`buildSubsetCluster`).
        let whole = rule.map(|rule| rule.policy(None, service.port));
        let passes = is_passthrough(&policy) || whole.as_ref().is_some_and(is_passthrough);
        let chosen = self.chosen(service, passes);
        let balancer = self::settings(policy.load_balancer.as_ref()).unwrap_or_else(|fault| {
            push_once(&mut self.warnings, fault);
            OutboundSettings::default()
        });
        let balancer = OutboundSettings {
            outlier_detection: policy.outlier_detection.clone(),
            chosen: chosen.clone(),
            ..balancer
        };
        if let Some(chosen) = chosen {
            self.note_chosen(&name, &chosen);
            return OutboundCluster {
                #[cfg(feature = "health")]
                health: cluster_health(&policy, &balancer, service, version),
                settings: balancer,
                policies,
                ..OutboundCluster::missing(name)
            };
        }
        OutboundCluster {
            name,
            exists: true,
            hosts: endpoints.iter().map(|of| of.host.clone()).collect(),
            zones: endpoints.iter().map(|of| zone_of(&of.locality)).collect(),
            assignment,
            without_policy,
            differences: Vec::new(),
            #[cfg(feature = "health")]
            health: cluster_health(&policy, &balancer, service, version),
            settings: balancer,
            policies,
        }
    }
}

/// Whether a policy sends requests to their original destination.
fn is_passthrough(policy: &IstioPolicy) -> bool {
    let balancer = policy.load_balancer.as_ref();
    balancer.is_some_and(|of| of.simple.as_deref() == Some("PASSTHROUGH"))
}

#[allow(clippy::result_large_err, reason = "called once for each cluster")]
fn settings(of: Option<&IstioLoadBalancer>) -> Result<OutboundSettings, Diagnostic> {
    let simple = of.and_then(|balancer| balancer.simple.as_deref());
    let hash = of.and_then(|balancer| balancer.consistent_hash.as_ref());
    let policy = match (hash, simple) {
        (Some(hash), _) => hashed(hash)?,
        (None, Some("ROUND_ROBIN")) => Policy::RoundRobin,
        (None, Some("RANDOM")) => Policy::Random,
        // The default of Istio.
        _ => Policy::LeastRequest(LeastRequestConfig::default()),
    };
    let warmup = of.and_then(|balancer| balancer.warmup.as_ref());
    Ok(OutboundSettings {
        policy,
        slow_start: warmup.and_then(|warmup| {
            SlowStart::new(
                Duration::from_millis(warmup.duration_ms),
                warmup.aggression.unwrap_or(1.0),
                warmup.minimum_percent.unwrap_or(10.0),
            )
        }),
        chosen: None,
        outlier_detection: None,
        local: None,
        panic: OutboundPanic::default(),
    })
}

#[allow(clippy::result_large_err, reason = "called once for each cluster")]
fn hashed(hash: &IstioConsistentHash) -> Result<Policy, Diagnostic> {
    let size = |size: i64| u64::try_from(size).unwrap_or(0);
    if let Some(table) = hash.maglev_table_size {
        return MaglevConfig::new(size(table))
            .map(Policy::Maglev)
            .map_err(|_| {
                rejected(
                    "table size that Envoy rejects; using the default policy",
                    format!("{table}"),
                    "a prime number up to 5000011",
                )
            });
    }
    let minimum = hash
        .minimum_ring_size
        .map_or(DEFAULT_MINIMUM_RING_SIZE, size);
    let maximum = DEFAULT_MAXIMUM_RING_SIZE.max(minimum);
    RingHashConfig::new(minimum, maximum, HashFunction::XxHash)
        .map(Policy::RingHash)
        .map_err(|_| {
            rejected(
                "ring size that Envoy rejects; using the default policy",
                format!("{minimum}"),
                "at most 8388608",
            )
        })
}
