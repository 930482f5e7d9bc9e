//! The runtime values that count.

use super::RuntimeLayers;
use super::{
    limits::{name_keys, name_layers},
    running::read_running,
};
use crate::{
    node::Node,
    proto::{Path, Report},
};

/// Finds the runtime values in effect: those of a running Envoy, or else those of the layers.
/// Names what is unknown about them. Without a bootstrap, the layers are not known.
pub(crate) fn find_runtime(
    running: Option<&(Path, &Node<'_>)>,
    layers: &RuntimeLayers,
    has_bootstrap: bool,
    report: &mut Report,
) {
    if let Some((path, node)) = running {
        let runtime = read_running(node, path, report);
        name_keys(&runtime, report);
        report.found_runtime(runtime.known());
        return;
    }
    name_layers(layers, report);
    let runtime = layers.values.clone();
    name_keys(&runtime, report);
    if has_bootstrap {
        report.found_runtime(runtime.known());
    }
}
