//! A cluster whose hosts fail.

use spillgate_core::{
    model::{Metadata, PlainCluster},
    snapshot::Snapshot,
};
use spillgate_sim::{LoadState, LossModel, shrink_table};

use crate::figures::alone;

/// All hosts of a plain cluster, reduced to what affects loads.
pub(crate) struct Losing {
    snapshot: Snapshot,
}

impl Losing {
    pub(crate) fn new(plain: &PlainCluster) -> Self {
        let mut plain = PlainCluster {
            subsets: None,
            ..plain.clone()
        };
        shrink_table(&mut plain);
        Self {
            snapshot: alone("", plain),
        }
    }

    fn model(&self) -> Option<LossModel<'_>> {
        let (id, _) = self.snapshot.clusters().next()?;
        Some(LossModel::new(&self.snapshot, id, &Metadata::EMPTY))
    }

    /// The loads after losing some usable hosts of a priority.
    pub(crate) fn after(&self, priority: usize, lost: usize) -> LoadState {
        let Some(model) = self.model() else {
            return LoadState::default();
        };
        let now = model.state(&[]);
        let lost: alloc::vec::Vec<_> = model.of_place(&now, priority).take(lost).collect();
        model.state(&lost)
    }

    /// The number of usable hosts of a priority that must fail before it loses load.
    pub(crate) fn spill_point(&self, priority: usize) -> Option<usize> {
        let model = self.model()?;
        let spillover = model.until_spillover(&model.state(&[]), priority)?;
        Some(spillover.loss.hosts)
    }

    /// The number of usable hosts of a priority that must fail before panic mode starts.
    pub(crate) fn panic_point(&self, priority: usize) -> Option<usize> {
        let model = self.model()?;
        let loss = model.until_panic(&model.state(&[]), priority)?;
        Some(loss.hosts)
    }
}
