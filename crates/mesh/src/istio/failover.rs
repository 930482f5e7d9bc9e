//! `failover`: priorities by distance (`applyLocalityFailover`).

use spillgate_core::model::Locality;

use super::{IstioLocalityLbSetting, locality::parse_locality};
use crate::{LocalityGroup, model::squeeze};

/// The number of ranks.
const RANKS: u32 = 5;

/// Refines the priorities of the groups by their distance to the proxy, then removes gaps.
pub(super) fn apply(setting: &IstioLocalityLbSetting, proxy: &str, groups: &mut [LocalityGroup]) {
    let proxy = parse_locality(proxy);
    for group in groups.iter_mut() {
        let rank = rank(setting, &proxy, &group.locality);
        group.priority = group.priority.saturating_mul(RANKS).saturating_add(rank);
    }
    squeeze(groups);
}

/// 0 for the same sub-zone, 1 for the same zone, 2 for the same region, 3 for the region that a
/// failover rule names, or for all other regions without a rule, else 4.
fn rank(setting: &IstioLocalityLbSetting, proxy: &Locality, locality: &Locality) -> u32 {
    if proxy.region != locality.region {
        return match setting.failover_from(&proxy.region) {
            Some(rule) if rule.to != locality.region => 4,
            Some(_) | None => 3,
        };
    }
    if proxy.zone != locality.zone {
        2
    } else if proxy.sub_zone != locality.sub_zone {
        1
    } else {
        0
    }
}
