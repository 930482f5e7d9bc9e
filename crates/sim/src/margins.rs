//! The distance of a cluster from the next effect: spillover, panic mode, the loss of a zone.
//!
//! The definitions are those of what-if answers. Only a priority with load counts as in panic mode.
//! A zone is a region and a zone, whatever its sub-zones. Each margin is a smallest number of further
//! losses, of usable hosts.

use alloc::string::String;

use spillgate_core::snapshot::{ClusterSnapshotKind, HostRef};

use crate::{LoadState, LossModel, scene, zones};

/// A number of hosts lost in one priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityLoss {
    /// The place of the priority among the priorities of the cluster.
    pub place: usize,
    /// The number of usable hosts that are lost, at least 1.
    pub hosts: usize,
}

/// A loss that moves load to other priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spillover {
    /// The loss.
    pub loss: PriorityLoss,
    /// The load of the priority without the loss, in percent; below 100 if some spills over already.
    pub before: u32,
    /// The load that the loss moves, in percent of all requests.
    pub moved: u32,
}

/// The effect of losing any one zone.
#[derive(Debug, Clone, PartialEq)]
pub enum ZoneMargin {
    /// No priority with load is in panic mode, and every request finds a host.
    Survives,
    /// The first zone whose loss has a worse effect.
    Fails {
        /// The zone: `a`, or `a of eu` if another region has a zone of this name.
        zone: String,
        /// The loads without it.
        state: LoadState,
    },
}

impl ZoneMargin {
    /// The effect of losing any one zone of a cluster. `None` with fewer than two zones, if each
    /// loss would build a snapshot, or if the cluster fails without a loss.
    #[must_use]
    pub fn of(model: &LossModel<'_>) -> Option<Self> {
        let hosts = scene::hosts(model.snapshot(), model.cluster());
        let zones = zones::of_hosts(model.snapshot(), &hosts);
        if zones.len() < 2 || !model.is_counted() || !model.counted_state(&[])?.survives() {
            return None;
        }
        let failing = zones.iter().find_map(|zone| {
            let state = model.counted_state(&zone.hosts)?;
            (!state.survives()).then(|| Self::Fails {
                zone: zone.name_among(&zones),
                state,
            })
        });
        Some(failing.unwrap_or(Self::Survives))
    }
}

impl LossModel<'_> {
    /// The fewest losses in one priority that put a priority with load into panic mode. `None` also
    /// if one is already, if counts do not decide, and for a composite cluster.
    #[must_use]
    pub fn panic_margin(&self) -> Option<PriorityLoss> {
        let now = self.now().filter(|now| now.panicking() == 0)?;
        let places = 0..now.priorities.len();
        let losses = places.filter_map(|place| self.until_panic(&now, place));
        losses.min_by_key(|loss| loss.hosts)
    }

    /// The loss after which the first priority with load gets less. `None` also if counts do not
    /// decide, and for a composite cluster.
    #[must_use]
    pub fn spillover(&self) -> Option<Spillover> {
        let now = self.now()?;
        let first = now.loads().position(|load| load > 0)?;
        self.until_spillover(&now, first)
    }

    /// The loads without a loss. `None` if each loss would build a snapshot, and for a composite
    /// cluster, where a loss changes whose priorities serve.
    fn now(&self) -> Option<LoadState> {
        let cluster = self.snapshot().cluster(self.cluster());
        if let Some(ClusterSnapshotKind::Composite(_)) = cluster.map(|cluster| &cluster.kind) {
            return None;
        }
        self.loads()
    }

    /// The smallest loss of a priority's own hosts after which it has less load; `now` is the state
    /// without a loss.
    #[must_use]
    pub fn until_spillover(&self, now: &LoadState, place: usize) -> Option<Spillover> {
        let before = now.load(place);
        let (hosts, after) = self.first(self.of_place(now, place), &|state| {
            state.load(place) < before
        })?;
        Some(Spillover {
            loss: PriorityLoss { place, hosts },
            before,
            moved: before.saturating_sub(after.load(place)),
        })
    }

    /// The smallest loss of a priority's own hosts after which a priority with load is in panic mode.
    #[must_use]
    pub fn until_panic(&self, now: &LoadState, place: usize) -> Option<PriorityLoss> {
        let panics = |state: &LoadState| state.panicking() > 0;
        let (hosts, _) = self.first(self.of_place(now, place), &panics)?;
        Some(PriorityLoss { place, hosts })
    }

    /// The usable hosts of the priority at a place, in the order in which they are lost.
    pub fn of_place(&self, now: &LoadState, place: usize) -> impl Iterator<Item = HostRef> {
        let row = now.priorities.get(place).into_iter();
        row.flat_map(|row| self.of_priority(row.at.cluster, row.at.priority))
    }
}
