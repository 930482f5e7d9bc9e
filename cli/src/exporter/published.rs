//! The table that the server publishes and the exporter changes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spillgate_exporter::{CONTENT_TYPE, TargetTable, exposition};
use spillgate_serve::MetricsSource;

use crate::clock::SteadyClock;

/// A table that two sides share.
#[derive(Debug, Clone)]
pub(super) struct Published {
    table: Arc<Mutex<Arc<TargetTable>>>,
    clock: SteadyClock,
}

impl Published {
    pub(super) fn new(table: TargetTable, clock: SteadyClock) -> Self {
        let table = Arc::new(Mutex::new(Arc::new(table)));
        Self { table, clock }
    }

    /// Changes the table. It is copied while a text is written from it, so that no reading waits for the text.
    pub(super) fn change(&self, change: impl FnOnce(&mut TargetTable)) {
        change(Arc::make_mut(&mut self.table()));
    }

    /// The table. It is whole also after a panic of another thread, because each change is a single one.
    fn table(&self) -> MutexGuard<'_, Arc<TargetTable>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MetricsSource for Published {
    const CONTENT_TYPE: &'static str = CONTENT_TYPE;

    fn text(&self) -> Option<String> {
        let table = Arc::clone(&self.table());
        exposition(table, self.clock.elapsed()).ok()
    }
}
