//! Objects of control planes, which are not patched: what to do instead.

use spillgate_answers::input::Faults;
use spillgate_config::{
    Diagnostic, NamedText,
    node::{Scalars, read_yaml},
};

use crate::control_planes::string;

/// The end of a group, its control plane, and its object that delivers the filter.
const WAYS: [(&str, &str, &str); 3] = [
    (
        "gateway.envoyproxy.io",
        "Envoy Gateway",
        "an EnvoyExtensionPolicy",
    ),
    (
        "gateway.networking.k8s.io",
        "a Gateway",
        "an EnvoyExtensionPolicy of Envoy Gateway",
    ),
    ("kuma.io", "Kuma", "a MeshProxyPatch"),
];

/// Checks that texts are no objects of a control plane.
///
/// # Errors
/// Every object, with the way to deploy the filter there.
pub(super) fn check(texts: &[NamedText]) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for text in texts {
        let Ok(document) = read_yaml(&text.text, Scalars::Envoy) else {
            continue;
        };
        for root in &document.roots {
            let (Some(version), Some(kind)) = (string(root, "apiVersion"), string(root, "kind"))
            else {
                continue;
            };
            let group = version.split('/').next().unwrap_or_default();
            let way = WAYS.iter().find(|(suffix, ..)| group.ends_with(suffix));
            let what = match way {
                Some((_, plane, _)) => format!(
                    "adopt does not patch objects of {plane}, which writes the configuration of Envoy itself"
                ),
                None => "adopt does not patch objects of Kubernetes".to_owned(),
            };
            let expected = match way {
                Some((.., object)) => {
                    format!(
                        "the filter in {object} (spillgate explain-code adopt/not-carried-over)"
                    )
                }
                None => "a bootstrap of Envoy; of a ConfigMap, the file in it".to_owned(),
            };
            let fault = Diagnostic::error("adopt/not-carried-over", what).at("kind", root.position);
            faults.push(text, &fault.found(kind).expected(expected));
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}
