//! Callbacks of the scheduler of a configuration.

use super::Address;
use crate::{filter::ConfigObject, lent::found, scheduler::SchedulerObject};

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_filter_config_scheduler_new(
    config: Address,
) -> Address {
    let config: &ConfigObject = found(config);
    let scheduler = SchedulerObject(config.scheduling.clone());
    Box::into_raw(Box::new(scheduler)).cast()
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_filter_config_scheduler_commit(
    scheduler: Address,
    event: u64,
) {
    // SAFETY: the module owns the scheduler, and may use it on any thread.
    let scheduler = unsafe { scheduler.cast::<SchedulerObject>().as_ref() };
    scheduler.expect("a scheduler").commit(event);
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_filter_config_scheduler_delete(
    scheduler: Address,
) {
    assert!(!scheduler.is_null(), "the module passes a null address");
    // SAFETY: `new` created it, and the module deletes it once.
    drop(unsafe { Box::from_raw(scheduler.cast::<SchedulerObject>()) });
}
