//! What the loop of the exporter waits for.

use std::time::Duration;

use spillgate_exporter::EnvoyFigures;

use super::{found::FoundTargets, reader::EnvoyReader};

/// What the loop waits for.
#[derive(Debug)]
pub(super) enum Event {
    /// The present targets.
    Found(FoundTargets),
    /// The end of a reading.
    Read(Box<EndedReading>),
    /// The end of the exporter.
    Stop,
}

/// A reading that ended.
#[derive(Debug)]
pub(super) struct EndedReading {
    /// The label of the target.
    pub(super) label: String,
    /// When it began.
    pub(super) at: Duration,
    /// Its reader, for the next one.
    pub(super) reader: EnvoyReader,
    /// The figures, or the code of the first error.
    pub(super) result: Result<EnvoyFigures, &'static str>,
}
