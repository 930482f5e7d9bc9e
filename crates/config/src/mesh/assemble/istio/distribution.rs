//! The traffic distribution of a service (`GetTrafficDistribution`).

use alloc::string::String;

use spillgate_mesh::istio::IstioVersion;

use crate::mesh::{
    document::{DISTRIBUTION, ResourceMeta},
    read::MeshDocuments,
};

/// The values of `trafficDistribution` that Istio knows; it ignores others.
const KNOWN: [&str; 3] = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/// The field of a Service, else the annotation of the Service or ServiceEntry, else, since Istio 1.30,
/// that of its Namespace.
pub(super) fn distribution(
    field: Option<&str>,
    meta: &ResourceMeta,
    documents: &MeshDocuments,
) -> Option<String> {
    let annotation = |of: &ResourceMeta| {
        let text = of.annotation(DISTRIBUTION)?;
        (!text.is_empty()).then(|| String::from(text))
    };
    let of_namespace = || {
        let mut namespaces = documents.kube.namespaces.iter();
        let own = namespaces.find(|known| known.meta.name == meta.namespace)?;
        annotation(&own.meta).filter(|_| documents.istio_version >= IstioVersion::V1_30)
    };
    let field = field.filter(|value| KNOWN.contains(value));
    field
        .map(String::from)
        .or_else(|| annotation(meta))
        .or_else(of_namespace)
}
