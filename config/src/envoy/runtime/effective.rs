//! The runtime values that count.

use super::limits::{name_keys, name_layers};
use crate::{envoy::document::Roots, proto::Report};

/// Finds the runtime values in effect, for the messages that are read afterwards, and names what is
/// unknown about them.
pub(crate) fn find_runtime(roots: &Roots<'_, '_>, report: &mut Report) {
    let layers = &roots.local.runtime;
    name_layers(layers, report);
    let runtime = layers.values.clone();
    name_keys(&runtime, report);
    report.found_runtime(runtime);
}
