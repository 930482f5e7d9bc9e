//! The distance of a scenario from the next effect: spillover, panic mode, the loss of a zone.
//!
//! Compiling a snapshot for every loss would take many times the time of an edit, so the losses are
//! tried on the counts of hosts alone.

use spillgate_core::load::{PriorityHealth, PriorityLoad, priority_load};
use spillgate_core::model::PanicThreshold;
use spillgate_explain::report::LocalityReport;

use super::{PanicMode, PriorityReport};

/// The smallest losses with an effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Margins {
    /// The priority that enters panic mode after the fewest losses of its own hosts.
    pub panic: Option<PriorityLoss>,
    /// The loss after which the first priority with load gets less, and by how many percent.
    pub spillover: Option<(PriorityLoss, u32)>,
}

/// A number of hosts lost in one priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityLoss {
    /// The place of the priority among the priorities of the cluster.
    pub place: usize,
    /// The number of healthy hosts that are lost, at least 1.
    pub hosts: usize,
}

/// The effect of losing any one zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ZoneMargin {
    /// No panic mode, and every request finds a host.
    Survives,
    /// The first zone whose loss has a worse effect, and that effect.
    Fails(String),
}

impl Margins {
    /// The margins of priorities, from the panic threshold that their loads depend on, in percent.
    #[must_use]
    pub fn of(rows: &[PriorityReport], threshold: u32) -> Self {
        let losses = Losses { rows, threshold };
        Self {
            panic: losses.until_panic(),
            spillover: losses.until_spillover(),
        }
    }
}

impl ZoneMargin {
    /// The effect of losing a zone, from the panic threshold that the loads depend on, in percent, and
    /// the share of the requests without a host; `None` with fewer than two zones, or if a priority is in panic mode
    /// or requests find no host without any loss.
    #[must_use]
    pub fn of(rows: &[PriorityReport], threshold: u32, no_host: f64) -> Option<Self> {
        let calm = rows.iter().all(|row| row.panic == PanicMode::Off);
        let losses = Losses { rows, threshold };
        (calm && no_host == 0.0)
            .then(|| losses.of_zones())
            .flatten()
    }
}

/// The priorities of a cluster with fewer healthy hosts.
struct Losses<'a> {
    rows: &'a [PriorityReport],
    threshold: u32,
}

impl Losses<'_> {
    fn health(&self) -> Vec<PriorityHealth> {
        self.rows.iter().map(|row| row.row.health).collect()
    }

    /// The loads of the cluster.
    fn loads(&self, health: &[PriorityHealth]) -> PriorityLoad {
        load(health, self.threshold)
    }

    /// Whether a priority is in panic mode. A member of an aggregate decides that by its own
    /// priorities and its own threshold.
    fn panics(&self, health: &[PriorityHealth], place: usize) -> bool {
        let Some(row) = self.rows.get(place) else {
            return false;
        };
        let (mut own, mut before) = (Vec::new(), 0);
        for (at, (other, health)) in self.rows.iter().zip(health).enumerate() {
            if other.row.at.cluster == row.row.at.cluster {
                before += usize::from(at < place);
                own.push(*health);
            }
        }
        load(&own, row.panic_threshold).panics(before)
    }

    /// The smallest loss in one priority with an effect that no further loss undoes. Weights shrink
    /// in proportion.
    fn first(
        &self,
        place: usize,
        effect: &dyn Fn(&[PriorityHealth]) -> bool,
    ) -> Option<(PriorityLoss, Vec<PriorityHealth>)> {
        let after = |lost: usize| {
            let mut all = self.health();
            if let Some(health) = all.get_mut(place) {
                let before = u64::from(health.healthy);
                health.healthy = health.healthy.saturating_sub(lost as u32);
                if let Some(weights) = &mut health.weights {
                    let scaled = weights.healthy.saturating_mul(u64::from(health.healthy));
                    weights.healthy = scaled.checked_div(before).unwrap_or(0);
                }
            }
            all
        };
        let (mut without, mut hosts) = (0, self.rows.get(place)?.healthy());
        let mut with = Some(after(hosts)).filter(|all| hosts > 0 && effect(all))?;
        while hosts - without > 1 {
            let middle = usize::midpoint(without, hosts);
            let tried = after(middle);
            if effect(&tried) {
                (hosts, with) = (middle, tried);
            } else {
                without = middle;
            }
        }
        Some((PriorityLoss { place, hosts }, with))
    }

    fn until_panic(&self) -> Option<PriorityLoss> {
        let rows = self.rows.iter().enumerate();
        let calm = rows.filter(|(_, row)| row.panic == PanicMode::Off);
        let losses = calm.filter_map(|(place, _)| {
            let loss = self.first(place, &|health| self.panics(health, place));
            loss.map(|(loss, _)| loss)
        });
        losses.min_by_key(|loss| loss.hosts)
    }

    fn until_spillover(&self) -> Option<(PriorityLoss, u32)> {
        let now = self.loads(&self.health());
        let place = self.rows.iter().position(|row| row.row.load() > 0)?;
        if now.total_panic || self.rows.len() < 2 {
            return None;
        }
        let less = |loads: &PriorityLoad| {
            let load = loads.of_priority(place);
            now.of_priority(place).saturating_sub(load)
        };
        // Total panic follows host counts, which can raise the load again.
        let effect = |health: &[PriorityHealth]| {
            let loads = self.loads(health);
            loads.total_panic || less(&loads) > 0
        };
        let (loss, health) = self.first(place, &effect)?;
        let less = less(&self.loads(&health));
        (less > 0).then_some((loss, less))
    }

    fn of_zones(&self) -> Option<ZoneMargin> {
        let zones = self.rows.iter().flat_map(|row| &row.localities);
        let mut named: Vec<&LocalityReport> = Vec::new();
        for zone in zones.filter(|zone| !zone.hosts.is_empty() && !zone.is_unnamed()) {
            if !named.iter().any(|known| known.locality == zone.locality) {
                named.push(zone);
            }
        }
        if named.len() < 2 {
            return None;
        }
        let failing = named.into_iter().find_map(|zone| {
            let effect = self.of_zone(zone)?;
            Some(format!("after losing {}: {effect}", zone.title()))
        });
        Some(failing.map_or(ZoneMargin::Survives, ZoneMargin::Fails))
    }

    /// The effect of losing a zone, if there is any worse than spillover.
    fn of_zone(&self, lost: &LocalityReport) -> Option<String> {
        let mut health = self.health();
        for (row, health) in self.rows.iter().zip(&mut health) {
            let zones = row.localities.iter();
            for zone in zones.filter(|zone| zone.locality == lost.locality) {
                health.healthy = health.healthy.saturating_sub(zone.healthy as u32);
                health.degraded = health.degraded.saturating_sub(zone.degraded as u32);
                // The weight of the zone is not known here; its hosts are counted instead.
                health.weights = None;
            }
        }
        let loads = self.loads(&health);
        if loads.total_panic {
            return Some("every priority is in panic mode".into());
        }
        let mut rows = self.rows.iter().enumerate();
        let panicking = rows.find(|(place, _)| self.panics(&health, *place));
        match panicking {
            Some((_, row)) => Some(format!("{} is in panic mode", row.name)),
            None => (loads.normalized_total == 0).then(|| "no usable host".into()),
        }
    }
}

fn load(health: &[PriorityHealth], threshold: u32) -> PriorityLoad {
    priority_load(health, PanicThreshold::from_percent(f64::from(threshold)))
}

#[cfg(test)]
mod tests {
    use spillgate_core::{model::Metadata, snapshot::HostRef};
    use spillgate_explain::report::LoadState;
    use spillgate_sim::Scene;

    use super::super::{PriorityAt, ScenarioEdit, ScenarioOutcome, apply, preset};
    use super::*;

    const P0: PriorityAt = PriorityAt {
        cluster: 0,
        priority: 0,
    };

    fn zone_margin(outcome: &ScenarioOutcome) -> Option<ZoneMargin> {
        ZoneMargin::of(outcome.priorities(), outcome.threshold(), outcome.no_host())
    }

    #[test]
    fn the_panic_margin_counts_losses_in_one_priority() {
        let scenario = preset("documented").unwrap();
        let one_priority = apply(&scenario, &ScenarioEdit::RemovePriority(0)).unwrap();
        let one_priority = apply(&one_priority, &ScenarioEdit::RemovePriority(0)).unwrap();
        let one_priority = apply(&one_priority, &ScenarioEdit::HealthyCount(P0, 9)).unwrap();
        let outcome = ScenarioOutcome::of(&one_priority);
        let expected = PriorityLoss { place: 0, hosts: 5 };
        assert_eq!(outcome.margins.panic, Some(expected));
    }

    #[test]
    fn a_healthy_lower_priority_prevents_panic_mode() {
        let outcome = ScenarioOutcome::of(&preset("documented").unwrap());
        assert_eq!(outcome.margins.panic, None);
    }

    #[test]
    fn margins_are_those_of_a_sweep_with_the_engine() {
        for entry in super::super::PRESETS {
            let scenario = preset(entry.id).unwrap();
            let margins = ScenarioOutcome::of(&scenario).margins;
            let name = scenario.name(scenario.root());
            let scene = Scene::new(&scenario.model(), name, Metadata::EMPTY).unwrap();
            let now = scene.load_state(scene.snapshot());
            let sweep = |place: usize| -> Vec<LoadState> {
                let at = now.priorities[place].at;
                let own =
                    |host: &HostRef| (host.cluster, host.priority) == (at.cluster, at.priority);
                let own: Vec<HostRef> = scene.hosts().iter().copied().filter(own).collect();
                scene.sweep(&[], &own).collect()
            };
            let places = 0..now.priorities.len();
            let panics = |state: &LoadState, place: usize| state.priorities[place].own_panic;
            let panic = places
                .clone()
                .filter(|&place| !panics(&now, place))
                .filter_map(|place| sweep(place).iter().position(|state| panics(state, place)));
            assert_eq!(
                margins.panic.map(|loss| loss.hosts),
                panic.min(),
                "{}",
                entry.id
            );
            let place = places.clone().find(|&place| now.load(place) > 0);
            let Some(place) = place.filter(|_| now.panicking() == 0) else {
                continue;
            };
            let less = |state: &LoadState| state.load(place) < now.load(place);
            let spillover = margins.spillover.map(|(loss, _)| loss.hosts);
            assert_eq!(
                spillover,
                sweep(place).iter().position(less),
                "{}",
                entry.id
            );
        }
    }

    #[test]
    fn the_loss_of_a_zone_is_named_with_its_effect() {
        let outcome = ScenarioOutcome::of(&preset("two-priorities").unwrap());
        assert_eq!(zone_margin(&outcome), Some(ZoneMargin::Survives));
        let outcome = ScenarioOutcome::of(&preset("shop").unwrap());
        let zone = zone_margin(&outcome);
        let Some(ZoneMargin::Fails(effect)) = &zone else {
            panic!("{zone:?}");
        };
        assert!(effect.starts_with("after losing zone a: "), "{effect}");
    }
}
