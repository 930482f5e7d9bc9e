//! The state of a cluster: loads, panic mode and requests without a host.

use alloc::{string::String, vec::Vec};

use spillgate_core::{
    inspect::CountedCluster,
    model::Metadata,
    snapshot::{ClusterId, Snapshot},
};

use super::{
    PriorityRow, PriorityTable,
    source::{Compiled, LoadSource, OnlyLoads},
};
use crate::priority_name;

/// Shares below this result from rounding.
const NOTHING: f64 = 1e-9;

/// The priorities of a cluster, and the requests that find no host.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoadState {
    /// The priorities; of an aggregate, its linearized priorities.
    pub priorities: Vec<PriorityRow>,
    /// The share of the requests that find no host, in percent.
    pub no_host: f64,
}

impl LoadState {
    /// The state of a cluster.
    #[must_use]
    pub fn of(snapshot: &Snapshot, cluster: ClusterId, criteria: &Metadata) -> Self {
        Self::from_source(snapshot, cluster, &Compiled { snapshot, criteria })
    }

    /// The state of a cluster of a snapshot by counts of its hosts. `no_host` is exact only if
    /// [`CountedCluster::decides_no_host`].
    #[must_use]
    pub fn counted(snapshot: &Snapshot, cluster: ClusterId, counted: &CountedCluster<'_>) -> Self {
        Self::from_source(snapshot, cluster, counted)
    }

    /// The same with `no_host` 0. Not for a composite cluster, where it decides whose priorities serve.
    #[must_use]
    pub fn only_loads(
        snapshot: &Snapshot,
        cluster: ClusterId,
        counted: &CountedCluster<'_>,
    ) -> Self {
        Self::from_source(snapshot, cluster, &OnlyLoads(counted))
    }

    fn from_source(snapshot: &Snapshot, cluster: ClusterId, source: &dyn LoadSource) -> Self {
        Self {
            priorities: PriorityTable::from_source(snapshot, cluster, source).rows,
            no_host: match source.no_host(cluster) {
                none if none < NOTHING => 0.0,
                none => none,
            },
        }
    }

    /// The names of the priorities of a cluster: `P0`, or `member P0` under an aggregate.
    #[must_use]
    pub fn names(&self, snapshot: &Snapshot, cluster: ClusterId) -> Vec<String> {
        let priorities = self.priorities.iter();
        priorities
            .map(|priority| priority_name(snapshot, cluster, priority.at))
            .collect()
    }

    /// Gives states of one cluster the same rows, so that their places agree. The rows of a composite
    /// cluster are those of the members that serve, which losses change: a row that a state does not
    /// have gets no load and no usable host. The order is that of the first states.
    pub fn align(states: &mut [Self]) {
        let mut rows: Vec<(usize, PriorityRow)> = Vec::new();
        for state in states.iter() {
            for (key, row) in state.keyed() {
                let is_known =
                    |(known, of): &(usize, PriorityRow)| *known == key && of.at == row.at;
                if !rows.iter().any(is_known) {
                    rows.push((key, row));
                }
            }
        }
        for state in states {
            let own: Vec<(usize, PriorityRow)> = state.keyed().collect();
            let found = rows.iter().map(|(key, row)| {
                let mut own = own.iter();
                let same = own.find(|(known, of)| known == key && of.at == row.at);
                same.map_or_else(|| row.unused(), |(_, own)| *own)
            });
            state.priorities = found.collect();
        }
    }

    /// The rows, each with the number of earlier ones of the same priority: an aggregate can list a
    /// member twice.
    fn keyed(&self) -> impl Iterator<Item = (usize, PriorityRow)> {
        let rows = self.priorities.iter().enumerate();
        rows.map(|(place, row)| {
            let earlier = self.priorities.iter().take(place);
            (earlier.filter(|other| other.at == row.at).count(), *row)
        })
    }

    /// The load of each priority, in percent.
    pub fn loads(&self) -> impl Iterator<Item = u32> {
        self.priorities.iter().map(PriorityRow::load)
    }

    /// The load of a priority, in percent; 0 if there is no such priority.
    #[must_use]
    pub fn load(&self, place: usize) -> u32 {
        self.priorities.get(place).map_or(0, PriorityRow::load)
    }

    /// Whether later priorities get requests although a priority has hosts.
    #[must_use]
    pub fn spills(&self, place: usize) -> bool {
        let priority = self.priorities.get(place);
        priority.is_some_and(|priority| priority.health.hosts > 0)
            && self.loads().skip(place + 1).any(|load| load > 0)
    }

    /// Whether a priority with load is in panic mode.
    #[must_use]
    pub fn panics(&self, place: usize) -> bool {
        let priority = self.priorities.get(place);
        priority.is_some_and(|priority| priority.in_panic_mode() && priority.load() > 0)
    }

    /// The number of priorities with load in panic mode.
    #[must_use]
    pub fn panicking(&self) -> usize {
        let all = 0..self.priorities.len();
        all.filter(|&place| self.panics(place)).count()
    }

    /// Whether every request finds a host, and no priority with load is in panic mode.
    #[must_use]
    pub fn survives(&self) -> bool {
        self.no_host == 0.0 && self.panicking() == 0
    }
}
