//! An Envoy with the dynamic module.

use spillgate_config::{
    Diagnostic, filter::dynamic_module_yaml, isolation::ListFallback, write::Written,
};

use super::{
    ExportSource,
    filter::{filter_of, filter_target},
    filter_clusters::comment,
    owners::owners,
};

/// The first lines of the file.
const HEAD: &str = "\
# Envoy finds the dynamic module, libspillgate.so, in the folder ENVOY_DYNAMIC_MODULES_SEARCH_PATH.
# The filter gets its hosts from the clusters of Envoy.
";

/// A bootstrap whose listener steers all requests to the target, by the dynamic module.
///
/// # Errors
/// If the target is ambiguous, unknown or without clusters that have hosts, and every setting that Envoy
/// or the filter does not support.
pub fn native_bootstrap(
    source: &ExportSource<'_>,
    fallback: ListFallback,
) -> Result<Written, Vec<Diagnostic>> {
    let target = filter_target(source)?;
    let clusters = owners(source.model, &target)?;
    let (filter, warning) = filter_of(source, target);
    let written = dynamic_module_yaml(&filter, &clusters, fallback)?;
    Ok(Written {
        text: format!("{HEAD}{}{}", comment(fallback), written.text),
        warnings: written.warnings.into_iter().chain(warning).collect(),
    })
}
