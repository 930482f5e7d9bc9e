//! Calls that the module asks for: the main thread makes them after its present work.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// The events of all configurations, in order.
static EVENTS: Mutex<Vec<ScheduledEvent>> = Mutex::new(Vec::new());

/// What the main thread calls.
pub(crate) trait ScheduledCall: Send + Sync {
    /// Makes the call that the module asked for.
    fn call_scheduled(&self, event: u64);
}

/// The configuration of a scheduler. It is unknown until the module has accepted it.
pub(crate) type Scheduling = Arc<OnceLock<Weak<dyn ScheduledCall>>>;

/// The scheduler that the module owns.
pub(crate) struct SchedulerObject(pub(crate) Scheduling);

struct ScheduledEvent {
    of: Scheduling,
    number: u64,
}

impl SchedulerObject {
    /// The module asks for a call.
    pub(crate) fn commit(&self, number: u64) {
        let of = self.0.clone();
        events().push(ScheduledEvent { of, number });
    }
}

/// Makes the calls, also those that they ask for. Configurations that no longer exist get none.
pub(crate) fn call_scheduled() {
    loop {
        let scheduled = std::mem::take(&mut *events());
        if scheduled.is_empty() {
            return;
        }
        for event in scheduled {
            if let Some(config) = event.of.get().and_then(Weak::upgrade) {
                config.call_scheduled(event.number);
            }
        }
    }
}

fn events() -> MutexGuard<'static, Vec<ScheduledEvent>> {
    EVENTS.lock().unwrap_or_else(PoisonError::into_inner)
}
