//! A configuration of the HTTP filter.

#![allow(unsafe_code, reason = "the hooks are C functions")]

use std::{cell::RefCell, ptr, sync::Arc};

use crate::{
    abi::{AbiBuffer, Own, hooks},
    lent::Lent,
    scheduler::{ScheduledCall, Scheduling},
};

/// The name and the label names of a metric.
pub(crate) type MetricDefinition = (String, Vec<String>);

/// The configuration while the module reads it.
#[derive(Default)]
pub(crate) struct ConfigObject {
    pub(crate) metrics: RefCell<Vec<MetricDefinition>>,
    pub(crate) scheduling: Scheduling,
}

/// An accepted configuration. All threads share it; the last owner destroys it on its own thread.
#[derive(Debug)]
pub struct LoadedFilter {
    own: Own,
    pub(crate) metrics: Vec<MetricDefinition>,
}

// SAFETY: Envoy shares configurations between its threads, so the module must accept that.
unsafe impl Send for LoadedFilter {}
// SAFETY: as above.
unsafe impl Sync for LoadedFilter {}

impl LoadedFilter {
    /// Passes a configuration to the module. `None` if the module refuses it.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Arc<Self>> {
        let object = Lent::new(ConfigObject::default());
        let text: Box<[u8]> = text.into();
        // SAFETY: the arguments exist during the call.
        let own = unsafe {
            hooks::filter_config_new(
                object.address(),
                AbiBuffer::lent(b"spillgate"),
                AbiBuffer::lent(&text),
            )
        };
        let metrics = object.metrics.take();
        if own.is_null() {
            return None;
        }
        let filter = Arc::new(Self { own, metrics });
        let weak = Arc::downgrade(&filter);
        let _ = object.scheduling.set(weak);
        Some(filter)
    }

    /// The module's object for a new request.
    pub(crate) fn new_filter(&self, stream: crate::abi::Address) -> Own {
        // SAFETY: the configuration exists.
        let filter = unsafe { hooks::filter_new(self.own, stream) };
        assert!(!filter.is_null(), "the module refuses a request");
        filter
    }
}

impl ScheduledCall for LoadedFilter {
    fn call_scheduled(&self, event: u64) {
        // SAFETY: the configuration exists. Envoy's own object is absent, because the module uses it only while
        // it reads a configuration.
        unsafe { hooks::filter_config_scheduled(ptr::null_mut(), self.own, event) }
    }
}

impl Drop for LoadedFilter {
    fn drop(&mut self) {
        // SAFETY: each request holds the configuration, so none of them exists any longer.
        unsafe { hooks::filter_config_destroy(self.own) }
    }
}
