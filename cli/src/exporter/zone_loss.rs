//! The loss of any one zone of a cluster (N-1).

use spillgate_exporter::ZoneLossFigures;
use spillgate_sim::{Scene, overload};

/// The effect of losing any one zone; `None` with fewer than two zones.
pub(super) fn zone_loss(scene: &Scene) -> Option<ZoneLossFigures> {
    let zones = scene.zones();
    if zones.len() < 2 {
        return None;
    }
    let before = scene.shares(scene.snapshot());
    let start = ZoneLossFigures {
        survives: true,
        overload: None,
    };
    Some(zones.iter().fold(start, |worst, zone| {
        let without = scene.without(&zone.hosts);
        let factor = overload(&before, &scene.shares(&without), &zone.hosts);
        let factor = factor.map(|of| of.factor());
        ZoneLossFigures {
            survives: worst.survives && scene.load_state(&without).survives(),
            overload: worst
                .overload
                .into_iter()
                .chain(factor)
                .max_by(f64::total_cmp),
        }
    }))
}
