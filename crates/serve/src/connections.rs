//! The open connections of a server: at most so many, and awaited at its end.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The maximum number of open connections. A browser opens six to one host.
const MAXIMUM: usize = 64;

/// The number of open connections.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    open: Mutex<usize>,
    closed: Condvar,
}

/// An open connection; it closes with this value.
#[derive(Debug)]
pub(crate) struct OpenConnection(Arc<Connections>);

impl Connections {
    /// Opens another connection; `None` if there are too many.
    pub(crate) fn open(self: &Arc<Self>) -> Option<OpenConnection> {
        let mut open = self.count();
        if *open >= MAXIMUM {
            return None;
        }
        *open += 1;
        Some(OpenConnection(Arc::clone(self)))
    }

    /// Waits until all connections are closed, at most so long.
    pub(crate) fn wait(&self, longest: Duration) {
        let is_open = |open: &mut usize| *open > 0;
        let waited = self
            .closed
            .wait_timeout_while(self.count(), longest, is_open);
        drop(waited);
    }

    /// The count is right also after a panic in another thread, because no code that can fail holds the lock.
    fn count(&self) -> MutexGuard<'_, usize> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.0.count();
        *open = open.saturating_sub(1);
        self.0.closed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_connection_makes_room() {
        let connections = Arc::new(Connections::default());
        let mut open: Vec<_> = (0..MAXIMUM).map_while(|_| connections.open()).collect();
        assert_eq!(open.len(), MAXIMUM);
        assert!(connections.open().is_none());
        open.pop();
        assert!(connections.open().is_some());
        drop(open);
        connections.wait(Duration::MAX);
    }
}
