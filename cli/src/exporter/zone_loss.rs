//! The loss of any one zone of a cluster (N-1).

use spillgate_exporter::ZoneLossFigures;
use spillgate_sim::{Overload, Scene, ZoneLoss, overload};

/// The effect of losing any one zone; `None` with fewer than two zones.
pub(super) fn zone_loss(scene: &Scene) -> Option<ZoneLossFigures> {
    let zones = scene.zones();
    if zones.len() < 2 {
        return None;
    }
    let failures = scene.failures(&zones, ZoneLoss::Single);
    let before = scene.shares(scene.snapshot());
    let factors = zones.iter().filter_map(|zone| {
        let after = scene.shares(&scene.without(&zone.hosts));
        overload(&before, &after, &zone.hosts).map(|of: Overload| of.factor())
    });
    Some(ZoneLossFigures {
        survives: failures.iter().all(|failure| failure.state.survives()),
        overload: factors.max_by(f64::total_cmp),
    })
}
