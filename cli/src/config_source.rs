//! The source of a configuration: files, or a running Envoy.

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText, clusters};

use crate::{
    inputs::Inputs,
    running::{ReportedHosts, RunningEnvoy, reported_hosts},
};

/// The texts of a configuration, and the source of its hosts.
#[derive(Debug, Clone)]
pub(crate) struct ConfigSource {
    /// The files of CONFIG, or the dump of a running Envoy.
    pub(crate) inputs: Result<Inputs, Faults>,
    /// The source of hosts and health.
    pub(crate) hosts: HostsSource,
    /// The limits of responses of a running Envoy that are missing.
    pub(crate) missing: Vec<Diagnostic>,
}

/// The source of hosts and health.
#[derive(Debug, Clone)]
pub(crate) enum HostsSource {
    /// The configuration itself.
    Configured,
    /// The file of `--health`.
    File(Result<NamedText, Faults>),
    /// The response of a running Envoy.
    Running(NamedText),
}

impl From<RunningEnvoy> for ConfigSource {
    fn from(running: RunningEnvoy) -> Self {
        Self {
            inputs: Inputs::of([running.dump].into_iter().chain(running.runtime)),
            hosts: HostsSource::Running(running.clusters),
            missing: running.missing,
        }
    }
}

impl HostsSource {
    /// Reads the hosts; `None` if the configuration itself has them.
    ///
    /// # Errors
    /// Every error of the text.
    pub(crate) fn read(&self) -> Result<Option<ReportedHosts<'_>>, Faults> {
        match self {
            Self::Configured => Ok(None),
            Self::File(Err(faults)) => Err(faults.clone()),
            Self::File(Ok(text)) => {
                let clusters =
                    clusters::read(&text.text).map_err(|faults| Faults::all(text, &faults))?;
                Ok(Some(ReportedHosts {
                    name: &text.name,
                    clusters,
                    warnings: Vec::new(),
                }))
            }
            Self::Running(text) => reported_hosts(text).map(Some),
        }
    }
}
