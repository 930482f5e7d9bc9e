//! Runtime values that balance load in Envoy, and that the filter does not read.

use spillgate_config::Diagnostic;

use super::{files::Files, place::Place};

/// The keys, and the field that says the same for one cluster.
const KEYS: [(&str, &str); 4] = [
    (
        "upstream.healthy_panic_threshold",
        "common_lb_config.healthy_panic_threshold of the clusters",
    ),
    (
        "upstream.zone_routing.enabled",
        "common_lb_config.zone_aware_lb_config.routing_enabled of the clusters",
    ),
    (
        "upstream.zone_routing.min_cluster_size",
        "common_lb_config.zone_aware_lb_config.min_cluster_size of the clusters",
    ),
    (
        "upstream.zone_routing.force_local_zone.min_size",
        "common_lb_config.zone_aware_lb_config.force_local_zone of the clusters",
    ),
];

/// Such values in a bootstrap are errors.
pub(super) fn check_runtime(
    files: Files<'_>,
    bootstrap: &Place<'_>,
) -> Result<(), Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let layers = bootstrap.field("layered_runtime");
    let layers = layers.map(|runtime| runtime.items("layers"));
    let layers = layers.unwrap_or_default().into_iter();
    let mut open: Vec<(String, Place<'_>)> = layers
        .filter_map(|layer| Some((String::new(), layer.field("static_layer")?)))
        .collect();
    while let Some((prefix, place)) = open.pop() {
        for (name, inner) in place.children() {
            let key = format!("{prefix}{name}");
            match KEYS.iter().find(|(known, _)| *known == key) {
                Some((_, instead)) => {
                    let what = "the filter does not read this runtime value, which decides shares";
                    let fault = inner.fault(files, what);
                    faults.push(fault.found(key).expected(*instead));
                }
                None => open.push((format!("{key}."), inner)),
            }
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}
