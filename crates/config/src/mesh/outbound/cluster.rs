//! One cluster of a proxy.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use spillgate_core::model::{
    Cluster, ClusterKind, LocalInfo, LocalityLb, OriginalDstCluster, PanicThreshold, PlainCluster,
    Policy, SlowStart,
};
use spillgate_mesh::{
    MeshAssignment, MeshHost, istio::IstioOutlierDetection, kuma::KumaDifference, plain_cluster,
};

#[cfg(feature = "health")]
use super::over_time::OutboundHealth;
use super::sentences::drop_reason;
use crate::{Diagnostic, node::quote};

/// A cluster that a proxy receives.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboundCluster {
    /// The name in Envoy.
    pub name: String,
    /// Whether Envoy has the cluster; if not, its requests get the status of a missing cluster.
    pub exists: bool,
    /// The endpoints, in the order that the assignments refer to.
    pub hosts: Vec<MeshHost>,
    /// The zone of each endpoint. For Istio, `region/zone`. Behind a zone egress, the locality in
    /// Envoy has another name.
    pub zones: Vec<String>,
    /// The priority groups.
    pub assignment: MeshAssignment,
    /// The priority groups without a locality policy.
    pub without_policy: MeshAssignment,
    /// Kuma: the rules that the released code and the decision record read differently.
    pub differences: Vec<KumaDifference>,
    /// The settings that do not depend on localities.
    pub settings: OutboundSettings,
    /// The names of the policies that apply, least specific first.
    pub policies: Vec<String>,
    /// What decides when its hosts are ejected, and which requests it refuses.
    #[cfg(feature = "health")]
    pub health: OutboundHealth,
}

/// The settings of a cluster that do not depend on localities.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutboundSettings {
    /// The load-balancing policy within a priority.
    pub policy: Policy,
    /// Slow start; `None` disables it.
    pub slow_start: Option<SlowStart>,
    /// Istio: what chooses the host of each request in place of a policy; the cluster then has no
    /// endpoints.
    pub chosen: Option<OutboundChoice>,
    /// Istio: outlier detection, which ejects hosts that fail.
    pub outlier_detection: Option<IstioOutlierDetection>,
    /// Istio: the hosts of the proxy's own workload, which zone-aware routing compares.
    pub local: Option<Arc<OutboundLocal>>,
    /// Kuma: panic mode.
    pub panic: OutboundPanic,
}

/// When panic mode of a cluster starts, and what it does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutboundPanic {
    /// The threshold (`healthyPanicThreshold`); `None` for that of the assignment.
    pub threshold: Option<PanicThreshold>,
    /// Whether a priority in panic mode fails its requests (`failTrafficOnPanic`).
    pub fails_traffic: bool,
}

/// The part of a request that names its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutboundChoice {
    /// The original destination of its connection (`ORIGINAL_DST`).
    OriginalDst(OriginalDstCluster),
    /// The name in its header `host`, which Envoy resolves (`dynamic_forward_proxy`).
    HostName,
}

/// Envoy's local cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboundLocal {
    /// Its name, and the locality of the proxy.
    pub info: LocalInfo,
    /// The cluster.
    pub cluster: Cluster,
}

impl OutboundPanic {
    fn apply(self, cluster: &mut PlainCluster) {
        if let Some(threshold) = self.threshold {
            cluster.panic_threshold = threshold;
        }
        // With weighted localities, Kuma leaves the setting out.
        if let LocalityLb::ZoneAware(zone_aware) = &mut cluster.locality_lb {
            zone_aware.fail_traffic_on_panic |= self.fails_traffic;
        }
    }
}

impl OutboundCluster {
    /// A cluster without endpoints, in place of one that the control plane does not create: Envoy
    /// answers 503 in both cases.
    #[must_use]
    pub fn missing(name: String) -> Self {
        Self {
            name,
            exists: true,
            hosts: Vec::new(),
            zones: Vec::new(),
            assignment: MeshAssignment::default(),
            without_policy: MeshAssignment::default(),
            differences: Vec::new(),
            settings: OutboundSettings::default(),
            policies: Vec::new(),
            #[cfg(feature = "health")]
            health: OutboundHealth::default(),
        }
    }

    /// A cluster that does not exist in Envoy either: its requests get the status that their route has
    /// for that.
    #[must_use]
    pub fn nonexistent(name: String) -> Self {
        Self {
            exists: false,
            ..Self::missing(name)
        }
    }

    /// The cluster with another assignment of the same endpoints, or other health.
    #[must_use]
    pub fn model_of(&self, assignment: &MeshAssignment, hosts: &[MeshHost]) -> Cluster {
        if let Some(OutboundChoice::OriginalDst(original)) = &self.settings.chosen {
            return Cluster {
                name: self.name.as_str().into(),
                kind: ClusterKind::OriginalDst(original.clone()),
            };
        }
        let mut plain = PlainCluster {
            policy: self.settings.policy,
            slow_start: self.settings.slow_start,
            ..plain_cluster(assignment, |at| hosts.get(at))
        };
        self.settings.panic.apply(&mut plain);
        Cluster::plain(self.name.as_str(), plain)
    }

    /// The cluster as the control plane writes it.
    #[must_use]
    pub fn model(&self) -> Cluster {
        self.model_of(&self.assignment, &self.hosts)
    }

    /// The warning of a cluster whose policy leaves out all of its endpoints.
    pub(super) fn all_dropped(&self) -> Option<Diagnostic> {
        let MeshAssignment {
            groups, dropped, ..
        } = &self.assignment;
        let first = dropped.first().filter(|_| groups.is_empty())?;
        Some(
            Diagnostic::warning(
                "mesh/all-dropped",
                format!(
                    "cluster {}: the proxy receives none of its {} endpoints; {}",
                    quote(&self.name),
                    dropped.len(),
                    drop_reason(&first.reason)
                ),
            )
            .found(quote(self.address(first.endpoint))),
        )
    }

    /// The zone of an endpoint.
    #[must_use]
    pub fn zone(&self, endpoint: usize) -> &str {
        self.zones.get(endpoint).map_or("", String::as_str)
    }

    /// The address of an endpoint.
    #[must_use]
    pub fn address(&self, endpoint: usize) -> &str {
        self.hosts
            .get(endpoint)
            .map_or("", |host| host.address.as_str())
    }
}
