//! The figures of the engine for each kind of `locality-vector/1`.

mod assigned;
mod common;
mod istio;
mod kuma;
mod kuma_input;
mod scenario;

use serde_json::Value;

use super::Figures;

type Find = fn(&Value, &Figures) -> Result<Figures, String>;

/// The kinds with their functions.
const KINDS: [(&str, Find); 9] = [
    ("kuma.locality", kuma::locality),
    ("kuma.split", kuma::split),
    ("kuma.default-weights", kuma::default_weights),
    ("kuma.overprovisioning", kuma::overprovisioning),
    ("kuma.egress-locality-name", kuma::egress_locality_name),
    ("kuma.validate", kuma::validate),
    ("istio.locality", istio::locality),
    ("istio.effective-setting", istio::effective_setting),
    ("istio.validate", istio::validate),
];

/// The figures of a vector.
pub(in super::super) fn find(
    kind: &str,
    input: &Value,
    asked: &Figures,
) -> Result<Figures, String> {
    match KINDS.iter().find(|(name, _)| *name == kind) {
        Some((_, find)) => find(input, asked),
        None => Err(format!("unknown kind {kind:?}")),
    }
}
