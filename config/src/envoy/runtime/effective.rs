//! The runtime values that count.

use super::{
    limits::{name_keys, name_layers},
    running::read_running,
};
use crate::{envoy::document::Roots, proto::Report};

/// Finds the runtime values in effect: those of a running Envoy, or else those of the bootstrap.
/// Names what is unknown about them.
pub(crate) fn find_runtime(roots: &Roots<'_, '_>, report: &mut Report) {
    if let Some((path, node)) = &roots.runtime {
        let runtime = read_running(node, path, report);
        name_keys(&runtime, report);
        report.found_runtime(runtime.known());
        return;
    }
    let layers = &roots.local.runtime;
    name_layers(layers, report);
    let runtime = layers.values.clone();
    name_keys(&runtime, report);
    if roots.local.stated {
        report.found_runtime(runtime.known());
    }
}
