//! The proxy that receives the configuration: the point of view.

use alloc::{collections::BTreeMap, string::String};

/// A proxy of Istio.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioProxy {
    /// The namespace; empty means `default`.
    pub namespace: String,
    /// `region/zone/sub-zone`, from the node or from the label `istio-locality`; empty if unknown.
    pub locality: String,
    /// The labels of the workload, with the locality labels that Istio adds
    /// (`topology.kubernetes.io/region`, `topology.kubernetes.io/zone`,
    /// `topology.istio.io/subzone`, `topology.istio.io/network`, `topology.istio.io/cluster`,
    /// `kubernetes.io/hostname`).
    pub labels: BTreeMap<String, String>,
}
