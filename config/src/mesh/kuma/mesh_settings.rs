//! Mesh documents: the settings of a whole mesh.

use crate::{
    mesh::document::{MeshDocument, ResourceMeta},
    proto::{Message, Report},
};

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
}

/// Reads a Mesh.
pub(crate) fn read_mesh(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaMeshSettings> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open_partly(document.spec, path, "Mesh", report)?;
    let routing = spec.object("routing", "routing", report);
    let mut flag = |field| {
        let routing = routing.as_ref()?;
        routing.bool(field, report)
    };
    let locality_aware = flag("localityAwareLoadBalancing");
    let zone_egress = flag("zoneEgress");
    Some(KumaMeshSettings {
        meta,
        locality_aware: locality_aware.unwrap_or(false),
        zone_egress: zone_egress.unwrap_or(false),
    })
}
