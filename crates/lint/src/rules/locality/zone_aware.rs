//! Zone-aware settings without effect.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_core::model::CoarseHealth;

use crate::{
    context::{Context, Plain},
    figures::{counted, locality_shares, percent},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// A cluster has zone-aware settings, and the bootstrap has no `local_cluster_name`.
///
/// Zone-aware routing is off: requests from all zones are spread equally.
pub(crate) static NO_LOCAL_CLUSTER: Rule = Rule {
    id: "zone-aware-no-local-cluster",
    severity: Severity::Warning,
    summary: "zone-aware settings without local_cluster_name",
    check: no_local_cluster,
};

/// A cluster with zone-aware settings has fewer healthy hosts in priority 0 than `min_cluster_size`
/// (default 6).
///
/// Zone-aware routing is off.
pub(crate) static BELOW_MIN_SIZE: Rule = Rule {
    id: "zone-aware-below-min-size",
    severity: Severity::Warning,
    summary: "fewer hosts than min_cluster_size: zone-aware routing is off",
    check: below_min_size,
};

/// Whether the settings have an effect without zone-aware routing.
fn has_other_effect(cluster: &Plain<'_>) -> bool {
    let settings = cluster.plain.locality_lb.zone_aware();
    settings.is_some_and(|settings| settings.fail_traffic_on_panic)
}

/// The shares of the zones of priority 0.
fn zones(cluster: &Plain<'_>) -> String {
    let found = cluster.shares();
    let shares = locality_shares(cluster.plain, &found, 0);
    let localities = cluster
        .plain
        .priorities
        .first()
        .map(|priority| priority.localities.iter());
    let zones: Vec<String> = localities
        .into_iter()
        .flatten()
        .zip(shares)
        .map(|(locality, share)| format!("{} {}", locality.locality, percent(share)))
        .collect();
    zones.join(", ")
}

/// Finds zone-aware settings without a local cluster.
fn no_local_cluster(context: &Context<'_>, sink: &mut Sink) {
    let local = context.config.model.local();
    if !context.facts.whole || local.cluster.is_some() {
        return;
    }
    for cluster in context
        .plains()
        .filter(|cluster| !cluster.plain.policy.hashes())
    {
        let Some(place) = &cluster.facts.policy.zone_aware else {
            continue;
        };
        if has_other_effect(&cluster) {
            continue;
        }
        let cause = format!(
            "cluster {} has zone-aware settings, but cluster_manager.local_cluster_name is not set",
            quoted(cluster.name())
        );
        let effect = match cluster.hosts() {
            0 => String::from("zone-aware routing is off"),
            _ => format!(
                "requests from all zones are spread equally: {}",
                zones(&cluster)
            ),
        };
        let fix = "set local_cluster_name to the proxies' own cluster, and node.locality; or remove the \
                   settings";
        sink.add(place, cause, effect, fix).remove(&place.path);
    }
}

/// Finds clusters with fewer hosts than `min_cluster_size`.
fn below_min_size(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context
        .plains()
        .filter(|cluster| !cluster.plain.policy.hashes())
    {
        let (Some(place), Some(zone_aware), Some(priority)) = (
            &cluster.facts.policy.zone_aware,
            cluster.plain.locality_lb.zone_aware(),
            cluster.plain.priorities.first(),
        ) else {
            continue;
        };
        let healthy = priority
            .endpoints
            .iter()
            .filter(|e| e.health.coarse() == CoarseHealth::Healthy)
            .count();
        let is_large = healthy as u64 >= zone_aware.min_cluster_size;
        if healthy == 0 || is_large || has_other_effect(&cluster) {
            continue;
        }
        let cause = format!(
            "cluster {} has {} in priority 0, below min_cluster_size {}",
            quoted(cluster.name()),
            counted(healthy, "healthy host"),
            zone_aware.min_cluster_size
        );
        let effect = format!(
            "zone-aware routing is off, and requests from all zones are spread equally: {}",
            zones(&cluster)
        );
        let fix = format!("set min_cluster_size to at most {healthy}");
        sink.add(place, cause, effect, fix)
            .set(place.field("min_cluster_size").path, format!("{healthy}"));
    }
}
