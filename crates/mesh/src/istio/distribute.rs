//! `distribute`: explicit shares of localities (`applyLocalityWeights`).

use alloc::vec::Vec;

use super::{
    IstioLocalityLbSetting,
    locality::{locality_matches, parse_locality},
};
use crate::{DropReason, DroppedEndpoint, LocalityGroup};

/// Applies the first entry whose `from` matches the proxy. Localities of one target share its weight
/// in proportion to their own; each share is rounded up. Other localities lose their endpoints.
pub(super) fn apply(
    setting: &IstioLocalityLbSetting,
    proxy: &str,
    groups: &mut [LocalityGroup],
) -> Vec<DroppedEndpoint> {
    let proxy = parse_locality(proxy);
    let mut entries = setting.distribute.iter().enumerate();
    let Some((rule, entry)) = entries.find(|(_, entry)| locality_matches(&proxy, &entry.from))
    else {
        return Vec::new();
    };
    let mut rest: Vec<&mut LocalityGroup> = groups.iter_mut().collect();
    for share in &entry.to {
        let (mut taken, left): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|group| locality_matches(&group.locality, &share.locality));
        rest = left;
        let own = |group: &&mut LocalityGroup| u64::from(group.weight.unwrap_or(1));
        let total: u64 = taken.iter().map(own).sum();
        let weight = u64::try_from(share.weight).unwrap_or(0);
        for group in &mut taken {
            // Istio keeps the weight of the locality for a share of 0, which validation rejects.
            let part = own(group).saturating_mul(weight).div_ceil(total.max(1));
            if part > 0 {
                group.weight = Some(u32::try_from(part).unwrap_or(u32::MAX));
            }
        }
    }
    let mut dropped = Vec::new();
    for group in rest {
        dropped.extend(group.endpoints.drain(..).map(|endpoint| DroppedEndpoint {
            endpoint,
            reason: DropReason::NoShare { rule },
        }));
    }
    dropped.sort_by_key(|dropped| dropped.endpoint);
    dropped
}
