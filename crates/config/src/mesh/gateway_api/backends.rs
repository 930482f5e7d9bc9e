//! Backends of rules.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::istio::{IstioWeightedDestination, kube_host};

use super::filters::read_filters;
use crate::proto::{Message, Report, Schema};

pub(super) static BACKEND: Schema = Schema::new(
    "backendRef",
    "group kind name namespace port weight filters",
)
.of("HTTPRoute.rules.backendRefs");

/// The backends of a rule with their weights, by default 1; without a sum above 0, the list is empty
/// (`buildHTTPDestination`). An error is the reason why Istio ignores the whole route.
pub(super) fn read_backends(
    rule: &Message<'_, '_>,
    namespace: &str,
    filters: &'static Schema,
    report: &mut Report,
) -> Result<Vec<IstioWeightedDestination>, String> {
    let mut backends = Vec::new();
    let mut fault = None;
    for (path, node) in rule.items("backendRefs", report) {
        let Some(backend) = Message::open(node, path, &BACKEND, report) else {
            continue;
        };
        let weight = backend.u32("weight", report).unwrap_or(1);
        let read = read_filters(&backend, filters, report);
        if weight == 0 {
            continue;
        }
        fault = fault.or(read.rejected_of_backend());
        let name = backend.text("name", report);
        let kind = backend.text("kind", report);
        let group = backend.text("group", report);
        let port = backend.port("port", report);
        let host = match (group.as_str(), kind.as_str()) {
            ("networking.istio.io", "Hostname") => name,
            ("" | "core", "" | "Service") => {
                let of = backend.text("namespace", report);
                let namespace = match of.as_str() {
                    "" => namespace,
                    of => of,
                };
                kube_host(&name, namespace)
            }
            (group, kind) => format!("{group}/{kind}/{name}"),
        };
        if port.is_none() {
            fault.get_or_insert_with(|| format!("backend {host} without a port"));
        }
        backends.push(IstioWeightedDestination {
            host,
            subset: None,
            port,
            weight: Some(weight),
            headers: read.headers,
            authority: read.authority,
        });
    }
    fault.map_or(Ok(backends), Err)
}
