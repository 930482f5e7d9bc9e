//! Zones: partial losses of each zone, and the loss of whole zones.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_core::{
    model::Locality,
    snapshot::{HostRef, Snapshot},
};

use crate::{Amount, Effect, LoadState, Scene, Selector};

/// The losses of the zone matrix, in percent of a zone's usable hosts.
pub const STEPS: [u32; 10] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

/// A zone with hosts of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// Its region; may be empty.
    pub region: String,
    /// Its name, not empty.
    pub zone: String,
    /// Its hosts, in configuration order.
    pub hosts: Vec<HostRef>,
}

/// The effect of a partial loss of a zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZoneCell {
    /// The lost part of the zone, in percent.
    pub percent: u32,
    /// The number of lost hosts, in the order of [`Scene::loss_order`].
    pub lost: usize,
    /// The worst effect.
    pub effect: Effect,
    /// The load that moves to other priorities, in percent of the requests.
    pub moved: u32,
    /// The requests that find no host, in percent.
    pub no_host: f64,
}

/// Which whole zones are lost together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneLoss {
    /// Each single zone (N-1).
    Single,
    /// Each pair of zones (N-2).
    Pairs,
}

/// The effect of losing whole zones.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneFailure {
    /// The lost zones, by their index.
    pub zones: Vec<usize>,
    /// The loads of the cluster without them.
    pub state: LoadState,
}

impl Zone {
    /// A selector of its hosts.
    #[must_use]
    pub fn selector(&self) -> Selector {
        if self.region.is_empty() {
            Selector::zone(&self.zone)
        } else {
            Selector::region(&self.region).and(Selector::zone(&self.zone))
        }
    }

    /// Its name, with the region if another of these zones has the same name: `a`, `a of eu`.
    #[must_use]
    pub fn name_among(&self, zones: &[Self]) -> String {
        let same = zones.iter().filter(|zone| zone.zone == self.zone);
        if same.count() > 1 {
            format!("{} of {}", self.zone, self.region)
        } else {
            self.zone.clone()
        }
    }
}

/// The zones of sorted hosts. Hosts of the same region and zone are in one zone, whatever their
/// sub-zones.
pub(crate) fn of_hosts(snapshot: &Snapshot, hosts: &[HostRef]) -> Vec<Zone> {
    let mut zones: Vec<Zone> = Vec::new();
    // The zone of each locality of a priority, because comparing names for each host takes longer.
    let mut known: Vec<Option<usize>> = Vec::new();
    let mut at = None;
    for &host in hosts {
        let plain = snapshot.plain(host.cluster);
        let Some(priority) = plain.and_then(|plain| plain.priorities.get(host.priority)) else {
            continue;
        };
        if at != Some((host.cluster, host.priority)) {
            at = Some((host.cluster, host.priority));
            known = vec![None; priority.configured.localities.len()];
        }
        let Some(place) = priority.endpoint(host.host).map(|of| of.locality) else {
            continue;
        };
        let locality = priority.configured.localities.get(place);
        let (Some(of), Some(known)) = (locality, known.get_mut(place)) else {
            continue;
        };
        let Locality { region, zone, .. } = &of.locality;
        if zone.is_empty() {
            continue;
        }
        let zone_at = *known.get_or_insert_with(|| {
            let found = zones
                .iter()
                .position(|known| known.region == *region && known.zone == *zone);
            found.unwrap_or_else(|| {
                zones.push(Zone {
                    region: region.clone(),
                    zone: zone.clone(),
                    hosts: Vec::new(),
                });
                zones.len() - 1
            })
        });
        if let Some(zone) = zones.get_mut(zone_at) {
            zone.hosts.push(host);
        }
    }
    zones
}

impl Scene {
    /// The zones of the cluster's hosts, in configuration order. Hosts without a zone are in none.
    #[must_use]
    pub fn zones(&self) -> Vec<Zone> {
        of_hosts(self.snapshot(), self.hosts())
    }

    /// The locality of a host.
    #[must_use]
    pub fn locality(&self, host: HostRef) -> Option<&Locality> {
        let priority = self
            .snapshot()
            .plain(host.cluster)?
            .priorities
            .get(host.priority)?;
        let place = priority.endpoint(host.host)?.locality;
        Some(&priority.configured.localities.get(place)?.locality)
    }

    /// The effects of losing each of the [`STEPS`] of a zone.
    #[must_use]
    pub fn zone_loss_row(&self, zone: &Zone) -> Vec<ZoneCell> {
        self.zone_loss_row_with(zone, &|lost| self.state(lost))
    }

    /// As [`Scene::zone_loss_row`], with other loads without hosts than Envoy's.
    #[must_use]
    pub fn zone_loss_row_with(
        &self,
        zone: &Zone,
        state: &dyn Fn(&[HostRef]) -> LoadState,
    ) -> Vec<ZoneCell> {
        let order = self.loss_order(&zone.hosts);
        let before = state(&[]);
        let cell = |&percent: &u32| {
            let all = order.len();
            let lost = Amount::Percent(f64::from(percent)).of(all).unwrap_or(all);
            let mut states = [before.clone(), state(order.get(..lost).unwrap_or_default())];
            LoadState::align(&mut states);
            let [before, after] = &states;
            let loads = before.loads().zip(after.loads());
            ZoneCell {
                percent,
                lost,
                effect: Effect::of(after),
                // What other priorities gain.
                moved: loads
                    .map(|(before, after)| after.saturating_sub(before))
                    .sum(),
                no_host: after.no_host,
            }
        };
        STEPS.iter().map(cell).collect()
    }

    /// The effects of losing each zone, or each pair of zones.
    #[must_use]
    pub fn failures(&self, zones: &[Zone], loss: ZoneLoss) -> Vec<ZoneFailure> {
        self.failures_with(zones, loss, &|lost| self.state(lost))
    }

    /// As [`Scene::failures`], with other loads without hosts than Envoy's.
    #[must_use]
    pub fn failures_with(
        &self,
        zones: &[Zone],
        loss: ZoneLoss,
        state: &dyn Fn(&[HostRef]) -> LoadState,
    ) -> Vec<ZoneFailure> {
        let lose = |places: Vec<usize>| {
            let hosts = places.iter().filter_map(|&at| zones.get(at));
            let hosts: Vec<HostRef> = hosts.flat_map(|zone| zone.hosts.clone()).collect();
            ZoneFailure {
                state: state(&hosts),
                zones: places,
            }
        };
        let all = 0..zones.len();
        match loss {
            ZoneLoss::Single => all.map(|zone| lose([zone].into())).collect(),
            ZoneLoss::Pairs => all
                .flat_map(|one| (one + 1..zones.len()).map(move |other| [one, other].into()))
                .map(lose)
                .collect(),
        }
    }
}
