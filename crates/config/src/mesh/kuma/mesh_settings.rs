//! Mesh documents: the settings of a whole mesh.

use alloc::{string::String, vec::Vec};

use crate::{
    mesh::document::{KUMA_DOCUMENT, MeshDocument, ResourceMeta},
    proto::{
        Irrelevance::{Discovery, Document, Observability, Transport},
        Message, Report, Schema, limit,
    },
};

pub(super) static MESH: Schema = Schema::new(
    "Mesh",
    "mtls routing meshServices skipCreatingInitialPolicies",
)
.ignored(&[
    (Document, KUMA_DOCUMENT),
    (Observability, "tracing logging metrics"),
    // Requests to addresses outside of the mesh; which proxies and policies are in it.
    (Transport, "networking"),
    (Discovery, "constraints"),
])
.of("Mesh");
pub(super) static MTLS: Schema = Schema::new("mtls", "enabledBackend")
    .ignored(&[(Transport, "backends skipValidation")])
    .of("Mesh.mtls");
pub(super) static ROUTING: Schema = Schema::new("routing", "localityAwareLoadBalancing zoneEgress")
    .limits(&[limit(
        "defaultForbidMeshExternalServiceAccess",
        "requests to MeshExternalServices can be refused",
    )])
    .of("Mesh.routing");
pub(super) static MESH_SERVICES: Schema =
    Schema::new("meshServices", "mode").of("Mesh.meshServices");

/// The settings of a Mesh that affect balancing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaMeshSettings {
    /// Its name and place.
    pub meta: ResourceMeta,
    /// Whether other zones get priority 1 without a policy
    /// (`routing.localityAwareLoadBalancing`); default false. Removed after Kuma 2.
    pub locality_aware: bool,
    /// Whether other zones are reached through the zone egress (`routing.zoneEgress`); default
    /// false.
    pub zone_egress: bool,
    /// Whether proxies use mTLS (`mtls.enabledBackend`), which zone ingresses need.
    pub mtls: bool,
    /// Which destinations proxies have (`meshServices.mode`).
    pub mode: MeshServicesMode,
    /// The kinds of policies that Kuma does not create with the mesh (`skipCreatingInitialPolicies`); `*` for all.
    pub skipped_policies: Vec<String>,
}

/// `meshServices.mode` of a Mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MeshServicesMode {
    /// Kuma generates no MeshServices; those that exist are destinations.
    #[default]
    Disabled,
    /// MeshServices and values of `kuma.io/service`.
    Everywhere,
    /// As `Everywhere`, but only proxies with `reachableBackends` have MeshServices.
    ReachableBackends,
    /// Only MeshServices.
    Exclusive,
}

static MODE: [(&str, i64, MeshServicesMode); 4] = [
    ("Disabled", 0, MeshServicesMode::Disabled),
    ("Everywhere", 1, MeshServicesMode::Everywhere),
    ("ReachableBackends", 2, MeshServicesMode::ReachableBackends),
    ("Exclusive", 3, MeshServicesMode::Exclusive),
];

/// Reads a Mesh.
pub(crate) fn read_mesh(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaMeshSettings> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &MESH, report)?;
    let routing = spec.message("routing", &ROUTING, report);
    let mut flag = |field| {
        let routing = routing.as_ref()?;
        routing.bool(field, report)
    };
    let locality_aware = flag("localityAwareLoadBalancing");
    let zone_egress = flag("zoneEgress");
    let mtls = spec.message("mtls", &MTLS, report);
    let services = spec.message("meshServices", &MESH_SERVICES, report);
    Some(KumaMeshSettings {
        meta,
        locality_aware: locality_aware.unwrap_or(false),
        zone_egress: zone_egress.unwrap_or(false),
        mtls: mtls.is_some_and(|mtls| !mtls.text("enabledBackend", report).is_empty()),
        mode: services
            .and_then(|services| services.enumeration("mode", &MODE, report))
            .unwrap_or_default(),
        skipped_policies: spec.texts("skipCreatingInitialPolicies", report),
    })
}
