//! Gateways of the Gateway API that Istio runs, and its waypoints: their objects need `targetRefs`, and are by hand.

use serde_json::Value;
use spillgate_answers::input::Faults;
use spillgate_config::NamedText;

use super::route::{Object, objects};

/// The class of Istio's waypoints.
const WAYPOINT: &str = "istio-waypoint";

/// The Gateways of the Gateway API with a class of Istio (`istio`, `istio-waypoint`, `istio-remote`).
///
/// # Errors
/// A Gateway that is not JSON.
pub(super) fn of_istio(texts: &[NamedText]) -> Result<Vec<Object>, Faults> {
    let [mut gateways] = objects(texts, ["Gateway"])?;
    gateways.retain(is_of_istio);
    Ok(gateways)
}

/// Whether Istio runs the proxies of a Gateway.
pub(super) fn is_of_istio(gateway: &Object) -> bool {
    let text = |pointer: &str| gateway.value.pointer(pointer).and_then(Value::as_str);
    let group = text("/apiVersion").is_some_and(|of| of.starts_with("gateway.networking.k8s.io/"));
    group && class(gateway).is_some_and(|class| class == "istio" || class.starts_with("istio-"))
}

fn class(gateway: &Object) -> Option<&str> {
    gateway.value.pointer("/spec/gatewayClassName")?.as_str()
}

/// Its name, as `--as gateway:NAMESPACE/NAME` names it.
pub(super) fn full_name(gateway: &Object) -> String {
    format!("{}/{}", gateway.meta("namespace"), gateway.meta("name"))
}

/// The error of a Gateway whose proxies should get the filter.
pub(super) fn refused(gateway: &Object) -> Faults {
    let (what, remedy) = if class(gateway) == Some(WAYPOINT) {
        (
            "adopt writes no objects for waypoints: their hosts have addresses inside the mesh, which a host list does \
             not name",
            "a Gateway of Istio (networking.istio.io), or sidecars",
        )
    } else {
        (
            "adopt writes no objects for Istio's Gateways of the Gateway API",
            "objects by hand with targetRefs (spillgate explain-code adopt/not-carried-over)",
        )
    };
    let fault = gateway.fault(None, what);
    let found = format!(
        "{}, gatewayClassName {}",
        full_name(gateway),
        class(gateway).unwrap_or_default()
    );
    gateway.faults(&fault.found(found).expected(remedy))
}
