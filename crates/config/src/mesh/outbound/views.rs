//! From documents to what proxies receive: one point of view, or all zones.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_mesh::Compat;

use super::{
    MeshKind, MeshOutbound, OutboundDestination, istio, istio_clusters::zone_of, kuma,
    once::push_once,
};
use crate::{
    Diagnostic,
    mesh::{GatewayApiRoute, IstioInputs, KumaDocuments, KumaInputs, MeshDocuments, PointOfView},
    node::quote,
};

/// A zone, as seen from one of its proxies.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshZone {
    /// The name of the zone; for Istio, `region/zone`.
    pub name: String,
    /// What a proxy of the zone without tags and labels receives.
    pub outbound: MeshOutbound,
}

/// The warnings of all zones, each once.
#[must_use]
pub fn zone_warnings(zones: &[MeshZone]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for warning in zones.iter().flat_map(|zone| &zone.outbound.warnings) {
        push_once(&mut found, warning.clone());
    }
    found
}

/// The warnings about requests that figures of zones leave out, each once.
#[must_use]
pub fn left_out_warnings(zones: &[MeshZone]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for destination in zones.iter().flat_map(|zone| &zone.outbound.destinations) {
        if let Some(warning) = left_out(destination) {
            push_once(&mut found, warning);
        }
    }
    found
}

/// The warning of a destination with rules for some requests: the figures of zones are about requests
/// that meet no condition.
fn left_out(destination: &OutboundDestination) -> Option<Diagnostic> {
    let conditional = destination
        .rules
        .iter()
        .filter(|rule| !rule.matches.is_empty());
    let rule = destination.default_rule();
    let status = rule.and_then(|rule| rule.responds);
    let others = match status {
        Some(status) => format!("others get {status} and count as without a host"),
        None => "figures are about the others".into(),
    };
    let conditions: Vec<&str> = conditional.map(|rule| rule.matches.as_str()).collect();
    (!conditions.is_empty() || status.is_some()).then(|| {
        let name = quote(&destination.name);
        let message = if conditions.is_empty() {
            format!("{name}: all requests are answered by the proxy; {others}")
        } else {
            format!("{name}: requests that meet a condition are left out; {others}")
        };
        let warning = Diagnostic::warning("mesh/rules-left-out", message);
        match conditions.as_slice() {
            [] => warning,
            some => warning.found(some.join(", ")),
        }
    })
}

/// The warning of a route of the Gateway API next to Kuma's documents.
fn gateway_api_route(route: &GatewayApiRoute) -> Diagnostic {
    let name = quote(&route.meta.full_name());
    Diagnostic::warning(
        "mesh/route-left-out",
        format!(
            "{} {name} is left out: only those of Istio are modeled",
            route.kind
        ),
    )
}

impl MeshKind {
    /// The mesh that the policies and endpoints of these documents belong to.
    #[must_use]
    pub fn of(documents: &MeshDocuments) -> Self {
        let (kuma, istio) = (&documents.kuma, &documents.istio);
        let is_kuma = !kuma.policies.is_empty()
            || !kuma.dataplanes.is_empty()
            || !kuma.mesh_services.is_empty()
            || !kuma.routes.is_empty();
        let is_istio = !istio.destination_rules.is_empty()
            || !istio.mesh_configs.is_empty()
            || !istio.service_entries.is_empty()
            || !istio.virtual_services.is_empty()
            || !istio.gateways.is_empty()
            || documents.endpoints.iter().any(|of| !of.locality.is_empty())
            // Kuma's own documents are there if its settings matter; Istio's defaults need none.
            || (!documents.kube.services.is_empty() && *kuma == KumaDocuments::default());
        if !is_kuma && is_istio {
            Self::Istio
        } else {
            Self::Kuma
        }
    }
}

impl MeshOutbound {
    /// What a proxy receives.
    ///
    /// # Errors
    /// If the documents do not contain the proxy or its zone.
    #[allow(clippy::result_large_err, reason = "called once for each zone")]
    pub fn new(
        documents: &MeshDocuments,
        mesh: MeshKind,
        view: &PointOfView,
        compat: Compat,
    ) -> Result<Self, Diagnostic> {
        Ok(match mesh {
            MeshKind::Kuma => {
                let mut outbound = kuma::outbound(&KumaInputs::new(documents, view)?, compat);
                let routes = documents.gateway_api.iter();
                outbound.warnings.extend(routes.map(gateway_api_route));
                outbound
            }
            MeshKind::Istio => istio::outbound(&IstioInputs::new(documents, view)?),
        })
    }

    /// The view of each zone, by name.
    ///
    /// # Errors
    /// If the documents do not allow a point of view.
    #[allow(clippy::result_large_err, reason = "called once")]
    pub fn zones(
        documents: &MeshDocuments,
        mesh: MeshKind,
        compat: Compat,
    ) -> Result<Vec<MeshZone>, Diagnostic> {
        let names = zone_names(documents, mesh)?;
        names
            .into_iter()
            .map(|name| {
                let view = PointOfView::Zone(name.clone());
                let outbound = Self::new(documents, mesh, &view, compat)?;
                Ok(MeshZone { name, outbound })
            })
            .collect()
    }
}

/// The names of all zones, also of those whose endpoints have failed.
#[allow(clippy::result_large_err, reason = "called once")]
fn zone_names(documents: &MeshDocuments, mesh: MeshKind) -> Result<Vec<String>, Diagnostic> {
    let empty = PointOfView::Zone(String::new());
    let names: BTreeSet<String> = match mesh {
        MeshKind::Kuma => {
            // Endpoints behind zone ingresses depend on the view, their zones do not.
            let inputs = KumaInputs::new(documents, &empty)?;
            let zones = inputs.zones().into_iter().map(String::from);
            let declared = documents.kuma.zone_ingresses.iter();
            zones
                .chain(declared.map(|ingress| ingress.zone.clone()))
                .collect()
        }
        MeshKind::Istio => {
            let locality = PointOfView::Zone("/".into());
            let inputs = IstioInputs::new(documents, &locality)?;
            inputs.localities.iter().map(|of| zone_of(of)).collect()
        }
    };
    Ok(names.into_iter().filter(|name| !name.is_empty()).collect())
}
