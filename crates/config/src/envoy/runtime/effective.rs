//! The runtime values that count.

use super::{
    RuntimeLayers,
    limits::{name_keys, name_layers},
    running::read_running,
};
use crate::{
    node::Node,
    proto::{Path, Report},
};

/// Finds the runtime values in effect: those of a running Envoy, or else those of the layers of a
/// bootstrap. Names what is unknown about them.
pub(crate) fn find_runtime(
    running: Option<&(Path, &Node<'_>)>,
    layers: Option<&RuntimeLayers>,
    report: &mut Report,
) {
    let runtime = match (running, layers) {
        (Some((path, node)), _) => read_running(node, path, report),
        (None, Some(layers)) => {
            name_layers(layers, report);
            layers.values.clone()
        }
        (None, None) => return,
    };
    name_keys(&runtime, report);
    report.found_runtime(runtime.known());
}
