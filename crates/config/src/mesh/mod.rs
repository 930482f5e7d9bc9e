//! The documents of service meshes: Kuma, Istio, and the Kubernetes objects that they use.
//!
//! [`read`] reads the documents of a file, in YAML or JSON, as single documents or lists. Like the
//! rest of the crate it reports every fault with its position. The rules on policies are in
//! `spillgate-mesh`; this module knows where their fields are in the text.

mod assemble;
mod document;
mod duration;
mod gateway_api;
mod istio;
mod kube;
mod kuma;
#[cfg(feature = "unread")]
mod not_compared;
mod object;
mod outbound;
mod place;
mod policy_warnings;
mod port;
mod read;
mod repeated;
mod rule;
mod short;
mod unmatched;
#[cfg(feature = "unread")]
mod unread;
mod value;
mod version_warnings;

#[cfg(feature = "health")]
pub use assemble::KumaHealthInputs;
pub use assemble::{
    IstioInputs, IstioProtocol, IstioServiceInput, KumaDestinationInput, KumaInputs, KumaProtocol,
    PointOfView, apply_health,
};
pub use document::{
    AmbientDocument, DocumentKind, ResourceMeta, SkippedDocument, is_ambient, is_mesh,
};
pub use duration::go_duration;
pub use gateway_api::{
    GATEWAY_API_MESSAGES, GatewayApiParent, GatewayApiRoute, GatewayApiRule, RuleRank,
};
pub use istio::{
    ISTIO_MESSAGES, IstioMeshNetwork, IstioMeshNetworkGateway, IstioPolicyPart, IstioServiceEntry,
    IstioServicePort, IstioWorkload, LocatedVirtualService, ReadDestinationRule, ReadMeshConfig,
};
pub use kube::{
    KUBE_MESSAGES, KubeContainerPort, KubeEndpoint, KubeEndpointSlice, KubeNamespace, KubeNode,
    KubePod, KubeReadiness, KubeService, KubeServicePort, KubeSidecar, KubeSlicePort,
};
pub use kuma::{
    AvailableService, DataplaneGateway, DataplaneInbound, KUMA_MESSAGES, KumaDataplane,
    KumaMeshService, KumaMeshSettings, KumaMultiZoneService, KumaZoneAddress, KumaZoneEgress,
    KumaZoneIngress, MeshServicePort, MeshServiceSelector, MeshServicesMode, NamedDestinations,
    ReadKumaPolicy, ReadKumaRoute, SERVICE_TAG, ZONE_TAG,
};
#[cfg(feature = "health")]
pub use kuma::{
    KUMA_HEALTH_MESSAGES, KumaHealthDocuments, KumaHealthPolicy, KumaHostSelection, KumaSetting,
    KumaSettings, KumaValue,
};
#[cfg(feature = "health")]
pub use outbound::OutboundHealth;
pub use outbound::{
    AddedLocalityWeight, MeshKind, MeshOutbound, MeshZone, OutboundChoice, OutboundCluster,
    OutboundDestination, OutboundForm, OutboundLocal, OutboundPanic, OutboundRule,
    OutboundSettings, OutboundShares, OutboundSplit, RULE_HEADER, assignment_line, drop_reason,
    left_out_warnings, row_sentence, traffic_matrices, traffic_matrices_with, zone_warnings,
};
pub use place::{ValuePlace, ValuePlaces};
pub use port::TargetPort;
pub use read::{
    IstioDocuments, KubeDocuments, KumaDocuments, MeshDocuments, ReadMeshText, read, read_text,
};
pub use short::{ShortEndpoint, ShortProxy};
pub use value::TextMap;
