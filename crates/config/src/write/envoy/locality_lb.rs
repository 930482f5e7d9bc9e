//! Locality weights and zone-aware routing, in `common_lb_config` or in a typed policy.

use spillgate_core::model::{LocalityBasis, LocalityLb, ZoneAware};

use super::super::{
    names::name_of,
    tree::{Fields, Tree, within},
};
use crate::envoy::LOCALITY_BASIS;

/// The field with the settings, the same in both forms; empty for the default.
pub(super) fn locality_lb(of: &LocalityLb) -> Fields {
    match of {
        LocalityLb::Weighted => weighted(),
        LocalityLb::ZoneAware(zones) => {
            Fields::new().with_filled("zone_aware_lb_config", zone_aware(zones))
        }
    }
}

/// A message without fields.
pub(super) fn weighted() -> Fields {
    within("locality_weighted_lb_config", Fields::new())
}

/// Whether the classic fields can express all settings.
pub(super) fn is_classic(of: &LocalityLb) -> bool {
    of.zone_aware().is_none_or(|zones| {
        zones.force_local_zone.is_none() && zones.locality_basis == LocalityBasis::default()
    })
}

fn zone_aware(zones: &ZoneAware) -> Fields {
    let default = ZoneAware::DEFAULT;
    let enabled = zones.routing_enabled;
    let enabled = (enabled != default.routing_enabled).then(|| percent(enabled));
    let force = zones.force_local_zone.map(|size| within("min_size", size));
    Fields::new()
        .with_some("routing_enabled", enabled)
        .with_unless(
            "min_cluster_size",
            zones.min_cluster_size,
            default.min_cluster_size,
        )
        .with_flag("fail_traffic_on_panic", zones.fail_traffic_on_panic)
        .with_some("force_local_zone", force)
        .with_unless(
            "locality_basis",
            name_of(&LOCALITY_BASIS, &zones.locality_basis),
            name_of(&LOCALITY_BASIS, &default.locality_basis),
        )
}

/// A `type.v3.Percent`.
pub(super) fn percent(percent: impl Into<Tree>) -> Fields {
    within("value", percent)
}
