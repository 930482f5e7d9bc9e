//! Names the runtime values that are not modeled, and the layers whose values are unknown.

use alloc::format;

use super::layers::{OtherLayer, RuntimeLayers};
use crate::{
    Affects,
    proto::{Path, Report},
    runtime::{KeyEffect, Runtime, key_effect},
};

/// The code of all limits about runtime values.
const CODE: &str = "config/runtime-not-modeled";

/// Names the layers of a bootstrap whose values are not in the input.
pub(crate) fn name_layers(layers: &RuntimeLayers, report: &mut Report) {
    for layer in &layers.other {
        let OtherLayer {
            name,
            kind,
            path,
            position,
        } = layer;
        let what = match *kind {
            "admin_layer" => "can set runtime values after the start (POST /runtime_modify)",
            "disk_layer" => "reads runtime values from files",
            _ => "gets runtime values from a control plane",
        };
        let effect = format!(
            "{kind} {name} {what}: they can override thresholds, fractions and weights; --admin and \
             capture read them from a running Envoy"
        );
        report.limit("config/runtime-layer", effect, path, *position);
    }
    for (key, path, position) in &layers.doubtful {
        let effect =
            format!("one layer has two values for runtime key {key}; Envoy can use either one");
        report.limit("config/runtime-layer", effect, path, *position);
    }
}

/// Names the keys with an effect that is not modeled.
pub(crate) fn name_keys(runtime: &Runtime, report: &mut Report) {
    for (key, entry) in runtime.iter() {
        let (what, name) = match key_effect(key) {
            Some((KeyEffect::Named(what), name)) => (what, name),
            Some((KeyEffect::NamedAtZero(what), name)) if entry.value.integer() == Some(0) => {
                (what, name)
            }
            Some((KeyEffect::Modeled, _)) | None => continue,
            Some((KeyEffect::Irrelevant(_) | KeyEffect::NamedAtZero(_), _)) => {
                #[cfg(feature = "unread")]
                report.note_text(
                    "Bootstrap",
                    "layered_runtime",
                    &format!("{key}: {}", entry.value.text()),
                );
                continue;
            }
        };
        let cluster = match key {
            _ if key.starts_with("upstream.maintenance_mode.") => Some(name),
            // The name, the routing priority and the threshold.
            _ if key.starts_with("circuit_breakers.") => name.rsplitn(3, '.').nth(2),
            _ => None,
        };
        let affects = cluster.map_or(Affects::Everything, |name| Affects::Cluster(name.into()));
        let value = entry.value.text();
        let effect = format!("runtime key {key} = {value} is not modeled; it can change {what}");
        let path = Path::root().field(entry.path.clone());
        report.within(affects, |report| {
            report.limit(CODE, effect, &path, entry.position);
        });
    }
}
