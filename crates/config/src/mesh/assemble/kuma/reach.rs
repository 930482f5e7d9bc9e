//! Which endpoints and destinations a proxy reaches: mTLS, the zone egress, `meshServices.mode`.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaDestinationKind, KumaEndpoint};

use super::{
    named::keep_named,
    sources::{KumaDestinationInput, Sources},
};
use crate::{Diagnostic, mesh::kuma::MeshServicesMode, node::quote};

/// Removes what the proxy does not reach, and says why.
pub(super) fn keep_reachable(
    sources: &Sources<'_>,
    destinations: &mut Vec<KumaDestinationInput>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(without_tags(sources, destinations));
    found.extend(keep_named(sources, destinations));
    let mut blocked = Blocked::default();
    let ways = Ways {
        identity: sources.has_identity(),
        egress: sources.own_egresses().next().is_some(),
    };
    for destination in destinations {
        let kind = destination.destination.kind;
        destination.endpoints.retain(|endpoint| {
            let why = sources.obstacle(ways, kind, endpoint);
            match why {
                Some(Obstacle::NoMtls) => blocked.no_mtls += 1,
                Some(Obstacle::NoEgress) => blocked.no_egress += 1,
                None => {}
            }
            why.is_none()
        });
    }
    found.extend(blocked.warnings(sources));
    found.extend(assumed(sources));
    found
}

/// The ways to other zones that a proxy has.
#[derive(Clone, Copy)]
struct Ways {
    /// An identity without mTLS of the mesh.
    identity: bool,
    /// A zone egress of its zone.
    egress: bool,
}

/// Why a proxy does not reach an endpoint.
#[derive(Clone, Copy)]
enum Obstacle {
    /// A zone ingress chooses the service by the SNI of mTLS.
    NoMtls,
    /// The mesh requires a zone egress, and the zone has none.
    NoEgress,
}

impl Sources<'_> {
    /// The zone egresses of the proxy's zone.
    pub(super) fn own_egresses(&self) -> impl Iterator<Item = &str> {
        let egresses = self.documents.kuma.zone_egresses.iter();
        egresses
            .filter(|egress| egress.zone.is_empty() || egress.zone == self.zone)
            .map(|egress| egress.address.as_str())
    }

    /// Whether the proxies have identities without `mtls`: a MeshIdentity, which only MeshServices use.
    fn has_identity(&self) -> bool {
        let mut skipped = self.documents.skipped.iter();
        skipped.any(|document| document.kind == "MeshIdentity")
    }

    /// Why the proxy does not reach an endpoint of a destination.
    fn obstacle(
        &self,
        ways: Ways,
        kind: KumaDestinationKind,
        endpoint: &KumaEndpoint,
    ) -> Option<Obstacle> {
        if endpoint.zone.is_empty() || self.zone.is_empty() || endpoint.zone == self.zone {
            return None;
        }
        let tag = kind == KumaDestinationKind::ServiceTag;
        if !self.mtls && (tag || !ways.identity) {
            return Some(Obstacle::NoMtls);
        }
        // Only tags use the egress (`fillIngressOutbounds`, `fillRemoteMeshServices`).
        (tag && self.egress && !ways.egress).then_some(Obstacle::NoEgress)
    }
}

/// How many endpoints each obstacle takes away.
#[derive(Default)]
struct Blocked {
    no_mtls: usize,
    no_egress: usize,
}

impl Blocked {
    fn warnings(&self, sources: &Sources<'_>) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if self.no_mtls > 0 {
            found.push(
                Diagnostic::warning(
                    "mesh/no-mtls",
                    "the mesh has no mTLS, which zone ingresses need: other zones are not reachable",
                )
                .found(quote(sources.mesh))
                .expected("mtls.enabledBackend"),
            );
        }
        if self.no_egress > 0 {
            found.push(
                Diagnostic::warning(
                    "mesh/no-egress",
                    "the mesh requires the zone egress, and the zone has none: other zones are not \
                     reachable",
                )
                .found(quote(sources.zone))
                .expected("a ZoneEgress"),
            );
        }
        found
    }
}

/// In mode `Exclusive`, values of `kuma.io/service` are no destinations.
fn without_tags(
    sources: &Sources<'_>,
    destinations: &mut Vec<KumaDestinationInput>,
) -> Option<Diagnostic> {
    if sources.mode != MeshServicesMode::Exclusive {
        return None;
    }
    let mut names: BTreeSet<String> = BTreeSet::new();
    destinations.retain(|input| {
        let tag = input.destination.kind == KumaDestinationKind::ServiceTag;
        if tag {
            names.insert(quote(&input.cluster));
        }
        !tag
    });
    let names: Vec<String> = names.into_iter().collect();
    (!names.is_empty()).then(|| {
        Diagnostic::warning(
            "mesh/exclusive",
            "values of kuma.io/service are no destinations (meshServices.mode: Exclusive)",
        )
        .found(names.join(", "))
        .expected("MeshServices")
    })
}

/// What is assumed without a Mesh, if endpoints of other zones depend on it.
fn assumed(sources: &Sources<'_>) -> Option<Diagnostic> {
    let remote = |zone: &str| !zone.is_empty() && !sources.zone.is_empty() && zone != sources.zone;
    let mut dataplanes = sources.dataplanes.iter();
    let mut ingresses = sources.documents.kuma.zone_ingresses.iter();
    let matters = dataplanes.any(|of| !of.inbounds.is_empty() && of.zone().is_some_and(remote))
        || ingresses.any(|ingress| remote(&ingress.zone));
    (sources.settings.is_none() && matters).then(|| {
        Diagnostic::limit(
            "mesh/assumed",
            format!(
                "no Mesh {} is given, assuming mTLS and no zone egress; without mTLS, other zones \
                 are not reachable",
                quote(sources.mesh)
            ),
            crate::Affects::Everything,
        )
    })
}
