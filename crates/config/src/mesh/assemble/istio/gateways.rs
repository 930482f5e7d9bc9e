//! The Gateways of a proxy, and the proxy of a Gateway.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_core::order;
use spillgate_mesh::istio::{IstioGateway, IstioProxy};

use super::{locality::augmented, pod::proxy_of_pod};
use crate::{
    Affects, Diagnostic,
    mesh::{assemble::point_of_view::PointOfView, read::MeshDocuments},
    node::quote,
    proto::nearest,
};

/// The proxy of the Gateway with a name, or `namespace/name`: its first Pod. Without a Pod, one with the
/// labels of its selector, in its namespace, whose locality is unknown.
#[allow(clippy::result_large_err, reason = "called once")]
pub(super) fn proxy_of_gateway(
    documents: &MeshDocuments,
    name: &str,
) -> Result<IstioProxy, Diagnostic> {
    let gateway = find(&documents.istio.gateways, name)?;
    Ok(proxies(documents, gateway).next().unwrap_or_else(|| {
        let labels = augmented(&gateway.selector, "", "", "");
        IstioProxy {
            namespace: gateway.namespace.clone(),
            labels,
            locality: String::new(),
        }
    }))
}

/// The Pods of a Gateway. Without a selector, all gateways of the mesh are its own.
fn proxies<'d>(
    documents: &'d MeshDocuments,
    gateway: &'d IstioGateway,
) -> impl Iterator<Item = IstioProxy> {
    let kube = &documents.kube;
    let own = |labels| !gateway.selector.is_empty() && gateway.selects(labels);
    let pods = kube.pods.iter().filter(move |pod| own(&pod.meta.labels));
    pods.map(|pod| proxy_of_pod(pod, documents))
}

#[allow(clippy::result_large_err, reason = "called once")]
fn find<'d>(known: &'d [IstioGateway], name: &str) -> Result<&'d IstioGateway, Diagnostic> {
    let is = |of: &&IstioGateway| of.name == name || of.full_name() == name;
    let mut found = known.iter().filter(is);
    let names: Vec<String> = known.iter().map(IstioGateway::full_name).collect();
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (Some(first), Some(second)) => Err(Diagnostic::error(
            "mesh/ambiguous-gateway",
            "several namespaces have a Gateway with this name",
        )
        .found(quote(name))
        .expected(format!(
            "NAMESPACE/NAME, such as {} or {}",
            first.full_name(),
            second.full_name()
        ))),
        _ => {
            let short = known.iter().map(|of| of.name.as_str());
            let all = short.chain(names.iter().map(String::as_str));
            Err(Diagnostic::error("mesh/unknown-gateway", "unknown Gateway")
                .found(quote(name))
                .expected(if names.is_empty() {
                    "a document of the kind Gateway of networking.istio.io".into()
                } else {
                    format!("one of {}", names.join(", "))
                })
                .suggest(nearest(name, all)))
        }
    }
}

/// The Gateways of the proxy, oldest first: for a Pod or another proxy, those that select its labels if
/// one of them has a selector. Empty for sidecars.
pub(super) fn gateways_of(
    documents: &MeshDocuments,
    view: &PointOfView,
    proxy: &IstioProxy,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<IstioGateway> {
    let of_own = match view {
        PointOfView::Zone(_) => return Vec::new(),
        PointOfView::Documents(own) => own.istio.gateways.as_slice(),
        PointOfView::Name(_) | PointOfView::Gateway(_) => &[],
    };
    let known = documents.istio.gateways.iter().chain(of_own);
    let found: Vec<IstioGateway> = known
        .filter(|gateway| gateway.selects(&proxy.labels))
        .cloned()
        .collect();
    let is_gateway = match view {
        PointOfView::Gateway(_) => true,
        _ => found.iter().any(|gateway| !gateway.selector.is_empty()),
    };
    if !is_gateway {
        return Vec::new();
    }
    if let PointOfView::Gateway(name) = view {
        warnings.extend(several(documents, name, proxy));
    } else {
        let names: Vec<String> = found.iter().map(IstioGateway::full_name).collect();
        warnings.push(
            Diagnostic::warning(
                "mesh/gateway-proxy",
                "Gateways select the proxy; showing the routes of a gateway, not those of a sidecar",
            )
            .found(names.join(", ")),
        );
    }
    if proxy.locality.is_empty() {
        warnings.push(Diagnostic::limit(
            "mesh/gateway-locality",
            "the locality of the gateway is unknown, and Istio then balances without localities; a \
             Pod that its selector matches, and the Node, give it one",
            Affects::Everything,
        ));
    }
    let by_age = |a: &IstioGateway, b: &IstioGateway| {
        let key = |of: &IstioGateway| (of.created.clone(), of.name.clone(), of.namespace.clone());
        key(a).cmp(&key(b))
    };
    order::sorted(found, by_age)
}

/// The warning of a Gateway with Pods in several localities: figures are about the first one.
fn several(documents: &MeshDocuments, name: &str, proxy: &IstioProxy) -> Option<Diagnostic> {
    let gateway = find(&documents.istio.gateways, name).ok()?;
    let localities = proxies(documents, gateway).map(|proxy| proxy.locality);
    let localities: BTreeSet<String> = localities.collect();
    if localities.len() < 2 {
        return None;
    }
    let names: Vec<String> = localities.into_iter().collect();
    Some(
        Diagnostic::warning(
            "mesh/gateway-localities",
            format!(
                "the gateway has Pods in several localities; showing {}",
                quote(&proxy.locality)
            ),
        )
        .found(names.join(", "))
        .expected("--proxy POD for another one"),
    )
}
