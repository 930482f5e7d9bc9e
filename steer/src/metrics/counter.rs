//! A single counter, and those of configurations.

use crate::port::{MetricId, Plugin};

/// A counter that is defined once, when it is first needed.
#[derive(Default)]
pub(super) struct Counter(Option<MetricId>);

impl Counter {
    /// Adds one to the counter of this name.
    pub(super) fn add(&mut self, plugin: &impl Plugin, name: &str) {
        self.add_named(plugin, || name);
    }

    /// The same, with a name that is built only when it is needed.
    pub(super) fn add_named<N: AsRef<str>>(
        &mut self,
        plugin: &impl Plugin,
        name: impl FnOnce() -> N,
    ) {
        if self.0.is_none() {
            self.0 = plugin.counter(name().as_ref());
        }
        if let Some(id) = self.0 {
            plugin.increment(id);
        }
    }
}

/// Counts a configuration that was accepted: it serves from now on.
pub(crate) fn configuration_accepted(plugin: &impl Plugin) {
    Counter::default().add(plugin, "spillgate.config.accepted");
}

/// Counts a configuration that was refused: the one before keeps serving.
pub(crate) fn configuration_refused(plugin: &impl Plugin) {
    Counter::default().add(plugin, "spillgate.config.refused");
}
