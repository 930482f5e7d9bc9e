//! The last figures of each Envoy, their age, and the number of errors.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use crate::EnvoyFigures;

/// All targets by their labels.
#[derive(Debug, Clone, Default)]
pub struct TargetTable {
    /// The status of each of them.
    pub(crate) targets: BTreeMap<String, TargetStatus>,
    /// The number of Envoys that are not read, because there are too many.
    pub(crate) left_out: usize,
    /// The number of failed attempts to find the targets: a file that cannot be read, an unknown name.
    pub(crate) discovery_errors: u64,
}

/// What is known of one target.
#[derive(Debug, Clone, Default)]
pub struct TargetStatus {
    /// The number of readings that ended.
    pub(crate) readings: u64,
    /// The number of those that failed.
    pub(crate) errors: u64,
    /// Whether the last one succeeded, and how long it took; `None` before its end.
    pub(crate) last: Option<(bool, Duration)>,
    /// The time of the last figures, and these.
    pub(crate) figures: Option<(Duration, Arc<EnvoyFigures>)>,
}

impl TargetTable {
    /// Sets the targets. Those that stay keep their figures.
    pub fn set_targets<'l>(&mut self, labels: impl IntoIterator<Item = &'l str>, left_out: usize) {
        let mut known = std::mem::take(&mut self.targets);
        let status = |label: &str| (label.to_owned(), known.remove(label).unwrap_or_default());
        self.targets = labels.into_iter().map(status).collect();
        self.left_out = left_out;
    }

    /// Counts failed attempts to find the targets.
    pub const fn count_discovery_errors(&mut self, errors: u64) {
        self.discovery_errors = self.discovery_errors.saturating_add(errors);
    }

    /// The status of a target; `None` if it was removed.
    pub fn status_mut(&mut self, label: &str) -> Option<&mut TargetStatus> {
        self.targets.get_mut(label)
    }
}

impl TargetStatus {
    /// A reading that began at `at` and took that long gives new figures.
    pub fn succeed(&mut self, at: Duration, took: Duration, figures: EnvoyFigures) {
        self.readings += 1;
        self.last = Some((true, took));
        self.figures = Some((at, Arc::new(figures)));
    }

    /// A reading failed. The last figures stay.
    pub const fn fail(&mut self, took: Duration) {
        self.readings += 1;
        self.errors += 1;
        self.last = Some((false, took));
    }
}
