//! Calls of the main thread after its present hook.

use super::{Address, ConfigHandle, imports};

/// Asks Envoy to call the hook `http_filter_config_scheduled` of a configuration on the main thread. Envoy
/// does not call it if it has destroyed the configuration by then.
pub(crate) struct Scheduler(Address);

// SAFETY: Envoy's scheduler may be used from any thread; it only adds to a locked queue.
unsafe impl Send for Scheduler {}
// SAFETY: as above.
unsafe impl Sync for Scheduler {}

impl Scheduler {
    /// The scheduler of a configuration that Envoy creates.
    pub(crate) fn new(config: &ConfigHandle<'_>) -> Self {
        // SAFETY: the configuration belongs to the present hook.
        Self(unsafe { imports::scheduler_new(config.address()) })
    }

    /// Envoy calls the hook after what its main thread does now.
    pub(crate) fn schedule(&self) {
        // The hook has one purpose, so all events are alike.
        // SAFETY: the scheduler exists until it is dropped.
        unsafe { imports::scheduler_commit(self.0, 0) }
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        // SAFETY: `new` created it, and nothing uses it afterwards.
        unsafe { imports::scheduler_delete(self.0) }
    }
}
