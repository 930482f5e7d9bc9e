//! The zones whose loss a cluster survives on one side only.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_sim::{Scene, ZoneLoss};

use crate::ZoneDiff;

/// The zones of the hosts of the evaluated cluster.
pub(crate) fn diff(before: &Scene, after: &Scene) -> Vec<ZoneDiff> {
    let (old, new) = (survived(before), survived(after));
    let zones: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    // A zone without hosts can be lost.
    let survives =
        |of: &BTreeMap<String, bool>, zone: &String| of.get(zone).copied().unwrap_or(true);
    let both = zones.into_iter();
    let both = both.map(|zone| (zone, survives(&old, zone), survives(&new, zone)));
    both.filter(|(_, old, new)| old != new)
        .map(|(zone, _, survives)| ZoneDiff {
            zone: zone.clone(),
            survives,
        })
        .collect()
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
