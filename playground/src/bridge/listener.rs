//! An event listener that is removed on drop.

use wasm_bindgen::{JsCast as _, prelude::Closure};
use web_sys::{Event, EventTarget};

/// A registered listener.
#[derive(Debug)]
pub struct EventListener {
    target: EventTarget,
    event: &'static str,
    closure: Closure<dyn FnMut(Event)>,
}

impl EventListener {
    /// Calls `react` for every event of that name at `target`.
    pub(super) fn new(
        target: &EventTarget,
        event: &'static str,
        react: impl FnMut(Event) + 'static,
    ) -> Self {
        let closure = Closure::new(react);
        let function = closure.as_ref().unchecked_ref();
        // Browsers accept every listener; without one the playground only misses an update.
        let _ = target.add_event_listener_with_callback(event, function);
        Self {
            target: target.clone(),
            event,
            closure,
        }
    }
}

impl Drop for EventListener {
    fn drop(&mut self) {
        let function = self.closure.as_ref().unchecked_ref();
        let _ = self
            .target
            .remove_event_listener_with_callback(self.event, function);
    }
}
