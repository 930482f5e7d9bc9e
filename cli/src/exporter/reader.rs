//! One reading of one Envoy: its configuration, its hosts and their counters.

use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash as _, Hasher as _},
    time::Duration,
};

use spillgate_admin::AdminClient;
use spillgate_answers::input::Faults;
use spillgate_exporter::EnvoyFigures;
use spillgate_observe::EnvoyReading;

use super::{
    evaluate::{ChosenClusters, evaluate},
    log::first_code,
};
use crate::{config::read_from, running::RunningEnvoy};

/// The time for which counters are kept.
const KEPT: Duration = Duration::from_secs(300);

/// The maximum number of readings that are kept: with an interval of 15 seconds, those of five minutes.
const MOST_KEPT: usize = 21;

/// Reads an Envoy, and keeps what comparisons with its counters need.
#[derive(Debug)]
pub(super) struct EnvoyReader {
    client: AdminClient,
    /// The last readings with the same configuration, the latest last.
    readings: Vec<EnvoyReading>,
    /// A hash of that configuration.
    configuration: u64,
}

impl EnvoyReader {
    pub(super) const fn new(client: AdminClient) -> Self {
        Self {
            client,
            readings: Vec::new(),
            configuration: 0,
        }
    }

    /// Reads the Envoy at a time, and evaluates what it reports.
    ///
    /// # Errors
    /// The code of the first error.
    pub(super) fn read(
        &mut self,
        at: Duration,
        chosen: &ChosenClusters,
    ) -> Result<EnvoyFigures, &'static str> {
        self.try_read(at, chosen)
            .map_err(|faults| first_code(&faults))
    }

    fn try_read(&mut self, at: Duration, chosen: &ChosenClusters) -> Result<EnvoyFigures, Faults> {
        let running = RunningEnvoy::read(&self.client)?;
        let clusters = running.clusters.clone();
        self.forget_other_configurations(&running);
        let config = read_from(running.into())?;
        let at = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        let reading = EnvoyReading::new(at, &clusters.text, None, self.readings.last());
        let reading = reading.map_err(|faults| Faults::all(&clusters.name, &faults))?;
        self.keep(reading);
        evaluate(&config, &clusters, &self.readings, chosen)
    }

    /// Counters before a change of the configuration belong to another prediction.
    fn forget_other_configurations(&mut self, running: &RunningEnvoy) {
        let mut hasher = DefaultHasher::new();
        running.dump.text.hash(&mut hasher);
        running
            .runtime
            .as_ref()
            .map(|of| &of.text)
            .hash(&mut hasher);
        let configuration = hasher.finish();
        if configuration != self.configuration {
            self.readings.clear();
            self.configuration = configuration;
        }
    }

    fn keep(&mut self, reading: EnvoyReading) {
        let kept = u64::try_from(KEPT.as_millis()).unwrap_or(u64::MAX);
        let oldest = reading.at.saturating_sub(kept);
        self.readings.retain(|earlier| earlier.at >= oldest);
        self.readings.push(reading);
        let more = self.readings.len().saturating_sub(MOST_KEPT);
        self.readings.drain(..more);
    }
}
