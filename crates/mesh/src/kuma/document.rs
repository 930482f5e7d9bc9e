//! A policy document with `to`, such as a MeshLoadBalancingStrategy, before validation.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::KumaConf;

/// One policy. Policies of all kinds select proxies and destinations in the same way; `C` is the configuration of the
/// kind, by default that of a MeshLoadBalancingStrategy (`api/v1alpha1/meshloadbalancingstrategy.go`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaPolicy<C = KumaConf> {
    /// Name, mesh and labels.
    pub meta: KumaMeta,
    /// The proxies that the policy configures (`spec.targetRef`); `None` selects the whole mesh.
    pub target_ref: Option<KumaTargetRef>,
    /// One configuration for each group of destinations (`spec.to`), in document order.
    pub to: Vec<KumaTo<C>>,
}

/// The identity of a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaMeta {
    /// The name (`name`, `metadata.name`).
    pub name: String,
    /// The mesh (`mesh`, label `kuma.io/mesh`); empty means `default`.
    pub mesh: String,
    /// The Kubernetes namespace (`metadata.namespace`, label `k8s.kuma.io/namespace`); `None`
    /// outside of Kubernetes.
    pub namespace: Option<String>,
    /// All labels. Merging reads `kuma.io/origin` (`global` or `zone`), `kuma.io/policy-role`,
    /// `kuma.io/zone` and `kuma.io/display-name`.
    pub labels: BTreeMap<String, String>,
}

/// One entry of `spec.to`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaTo<C = KumaConf> {
    /// The destinations (`targetRef`).
    pub target_ref: KumaTargetRef,
    /// The configuration for them (`default`).
    pub conf: C,
}

/// A reference to proxies or destinations (`api/common/v1alpha1/targetref.go`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaTargetRef {
    /// The kind as written, for example `Mesh` or `MeshMultiZoneService`.
    pub kind: String,
    /// The name of the resource; until Kuma 2.14.
    pub name: Option<String>,
    /// The namespace of the resource; until Kuma 2.14.
    pub namespace: Option<String>,
    /// The labels of the resources; `None` differs from an empty map.
    pub labels: Option<BTreeMap<String, String>>,
    /// The tags of the proxies or endpoints, for `MeshSubset` and `MeshServiceSubset`; until Kuma
    /// 2.14.
    pub tags: BTreeMap<String, String>,
    /// The port or inbound of the resource, by its name or number.
    pub section_name: Option<String>,
    /// The mesh of the resource. A destination in another mesh cannot be configured.
    pub mesh: Option<String>,
    /// The types of proxies as written (`Sidecar`, `Gateway`); empty selects all. Until Kuma 2.14.
    pub proxy_types: Vec<String>,
}
