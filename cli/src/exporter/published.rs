//! The table that the server publishes and the exporter changes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spillgate_exporter::{CONTENT_TYPE, TargetTable, exposition};
use spillgate_serve::MetricsSource;

use crate::clock::SteadyClock;

/// A table that two sides share.
#[derive(Debug, Clone)]
pub(super) struct Published {
    table: Arc<Mutex<TargetTable>>,
    clock: SteadyClock,
}

impl Published {
    pub(super) fn new(table: TargetTable, clock: SteadyClock) -> Self {
        let table = Arc::new(Mutex::new(table));
        Self { table, clock }
    }

    /// The table. It is whole also after a panic of another thread, because each change is a single one.
    pub(super) fn table(&self) -> MutexGuard<'_, TargetTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MetricsSource for Published {
    const CONTENT_TYPE: &'static str = CONTENT_TYPE;

    fn text(&self) -> Option<String> {
        // A copy shares the figures, so that no reading waits for the text.
        let table = self.table().clone();
        exposition(&table, self.clock.elapsed()).ok()
    }
}
