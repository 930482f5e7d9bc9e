//! References to proxies and destinations.

use spillgate_mesh::kuma::KumaTargetRef;

use crate::{
    mesh::value::TextMap,
    proto::{Message, Report, Schema},
};

/// The fields of a `targetRef`.
pub(super) static TARGET_REF: Schema = Schema::new(
    "targetRef",
    "kind name namespace labels tags sectionName mesh proxyTypes",
)
.of("MeshLoadBalancingStrategy.targetRef");

/// The fields of a `backendRef`: a `targetRef` with a weight.
pub(super) static BACKEND_REF: Schema = Schema::new(
    "backendRef",
    "kind name namespace labels tags sectionName mesh proxyTypes weight port",
)
.of("MeshHTTPRoute.to.rules.default.backendRefs");

/// The reference in a field.
pub(super) fn read_target_ref(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<KumaTargetRef> {
    let reference = parent.message("targetRef", &TARGET_REF, report)?;
    Some(target_ref(&reference, report))
}

/// The reference that a message is.
pub(super) fn target_ref(reference: &Message<'_, '_>, report: &mut Report) -> KumaTargetRef {
    let mut text = |field| reference.string(field, report).map(Into::into);
    let (kind, name, namespace) = (text("kind"), text("name"), text("namespace"));
    let (section_name, mesh) = (text("sectionName"), text("mesh"));
    let labels = reference.has("labels");
    KumaTargetRef {
        kind: kind.unwrap_or_default(),
        name,
        namespace,
        labels: labels.then(|| reference.text_map("labels", report)),
        tags: if reference.has("tags") {
            reference.text_map("tags", report)
        } else {
            TextMap::new()
        },
        section_name,
        mesh,
        proxy_types: reference.texts("proxyTypes", report),
    }
}
