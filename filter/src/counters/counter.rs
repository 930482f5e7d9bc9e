//! A single counter, and those of configurations.

use crate::host;

/// A counter whose id is asked for once.
#[derive(Default)]
pub(super) struct Counter(Option<u32>);

impl Counter {
    /// Adds one to the counter of this name.
    pub(super) fn add(&mut self, name: &str) {
        self.add_named(|| name);
    }

    /// The same, with a name that is made only when it is needed.
    pub(super) fn add_named<N: AsRef<str>>(&mut self, name: impl FnOnce() -> N) {
        if self.0.is_none() {
            self.0 = host::counter(name().as_ref());
        }
        if let Some(id) = self.0 {
            host::increment(id);
        }
    }
}

/// Counts a configuration that was taken: it serves from now on.
pub(crate) fn configuration_accepted() {
    Counter::default().add("spillgate.config.accepted");
}

/// Counts a configuration that was refused: the one before goes on.
pub(crate) fn configuration_refused() {
    Counter::default().add("spillgate.config.refused");
}
