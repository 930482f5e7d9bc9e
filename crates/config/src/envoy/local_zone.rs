//! What is not known of the proxy's own zone, so that zone-aware routing can differ.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    model::{Cluster, ClusterKind, LocalInfo, Locality, Model, PlainCluster},
    order::sorted,
};

use super::Marks;
use crate::{Affects, Diagnostic, node::quote};

/// The code of these limits.
const CODE: &str = "config/local-zone-unknown";
/// The effect of a bootstrap that is not known.
const NO_BOOTSTRAP: &str = "the bootstrap is not in the input; with a local_cluster_name, zone-aware routing can \
                            prefer the proxy's own zone";
/// The most zones in a message.
const SHOWN: usize = 5;

/// Replaces the limits: Envoy's option `--service-zone` sets the zone that `node.locality` lacks, the
/// hosts of the local cluster can be unknown, and so can the bootstrap.
pub(crate) fn limit_unknown_zone(model: &Model, marks: &Marks, findings: &mut Vec<Diagnostic>) {
    findings.retain(|finding| finding.code != CODE);
    let info = model.local();
    let own = info.cluster.as_deref();
    let local = own.and_then(|name| model.cluster(name));
    if local.is_none() && !marks.lacks_bootstrap {
        return;
    }
    let place = |name: &str| {
        marks
            .cluster(name)
            .map(|of| of.locality_lb.unwrap_or(of.cluster))
    };
    for cluster in model.clusters() {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            continue;
        };
        if own == Some(cluster.name.as_str()) || !marks.knows_hosts(&cluster.name) {
            continue;
        }
        let effect = match local {
            _ if !can_use_zones(plain) => None,
            None => Some(NO_BOOTSTRAP.into()),
            Some(local) if marks.knows_hosts(&local.name) => of_zone(plain, local, info),
            Some(local) => Some(format!(
                "the hosts of the local cluster {} are not known; zone-aware routing can prefer the \
                 proxy's own zone",
                quote(&local.name)
            )),
        };
        if let Some(effect) = effect {
            let affects = Affects::Cluster(cluster.name.clone());
            findings.push(Diagnostic {
                path: marks.local_cluster_path.clone(),
                position: marks.local_cluster.or_else(|| place(&cluster.name)),
                ..Diagnostic::limit(CODE, effect, affects)
            });
        }
    }
}

/// Whether the settings and the hosts of priority 0 permit zone-aware routing.
fn can_use_zones(plain: &PlainCluster) -> bool {
    let Some(zone_aware) = plain.locality_lb.zone_aware() else {
        return false;
    };
    let priority = plain.priorities.first();
    !plain.policy.hashes()
        && zone_aware.routing_enabled > 0
        && priority.is_some_and(|priority| {
            priority.localities.len() > 1
                && priority.endpoints.len() as u64 >= zone_aware.min_cluster_size
        })
}

/// The effect of a zone that the configuration does not state.
fn of_zone(plain: &PlainCluster, local: &Cluster, info: &LocalInfo) -> Option<String> {
    let node = info.locality.clone().unwrap_or_default();
    let ClusterKind::Plain(of_local) = &local.kind else {
        return None;
    };
    let localities = &of_local.priorities.first()?.localities;
    let zone_aware = plain.locality_lb.zone_aware()?;
    if !node.zone.is_empty() || (localities.len() < 2 && zone_aware.force_local_zone.is_none()) {
        return None;
    }
    // The option changes only the zone; Envoy compares whole localities.
    let possible = |locality: &Locality| {
        !locality.zone.is_empty()
            && locality.region == node.region
            && locality.sub_zone == node.sub_zone
    };
    let zones = localities
        .iter()
        .map(|one| &one.locality)
        .filter(|one| possible(one))
        .map(|one| &one.zone);
    let mut zones = sorted(zones.collect(), Ord::cmp);
    zones.dedup();
    let shown: Vec<String> = zones.iter().take(SHOWN).map(|zone| quote(zone)).collect();
    let more = match zones.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!zones.is_empty()).then(|| {
        format!(
            "node.locality has no zone; if Envoy's option --service-zone sets it to {}{more}, \
             zone-aware routing can prefer that zone",
            shown.join(", ")
        )
    })
}
