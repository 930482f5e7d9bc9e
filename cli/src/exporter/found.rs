//! The present targets.

use spillgate_exporter::EnvoyTarget;

use super::log::Subject;

/// The present targets.
#[derive(Debug, Default)]
pub(super) struct FoundTargets {
    /// At most [`spillgate_exporter::MOST_TARGETS`], each with another label.
    pub(super) targets: Vec<EnvoyTarget>,
    /// The number of others.
    pub(super) left_out: usize,
    /// The files and names that failed, with the codes of their errors.
    pub(super) failures: Vec<(Subject, &'static str)>,
    /// Those that did not.
    pub(super) successes: Vec<Subject>,
}
