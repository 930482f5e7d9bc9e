//! The zones whose loss a cluster survives on one side only.

use std::collections::BTreeMap;

use spillgate_sim::{Scene, ZoneLoss};

use crate::ZoneDiff;

/// The zones of the hosts of the evaluated cluster.
pub(crate) fn diff(before: &Scene, after: &Scene) -> Vec<ZoneDiff> {
    let (old, new) = (survived(before), survived(after));
    // A zone that had no hosts could be lost; one that has none now says nothing about the cluster.
    let before = |zone| old.get(zone).copied().unwrap_or(true);
    let changed = new
        .iter()
        .filter(|(zone, survives)| before(*zone) != **survives);
    let found = changed.map(|(zone, survives)| ZoneDiff {
        zone: zone.clone(),
        survives: *survives,
    });
    found.collect()
}

/// Each zone of a cluster's hosts, and whether the cluster survives its loss.
fn survived(scene: &Scene) -> BTreeMap<String, bool> {
    let zones = scene.zones();
    let failures = scene.failures(&zones, ZoneLoss::Single).into_iter();
    let named = failures.filter_map(|failure| {
        let zone = zones.get(*failure.zones.first()?)?;
        Some((zone.name_among(&zones), failure.state.survives()))
    });
    named.collect()
}
