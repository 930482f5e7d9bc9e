//! A configuration of the filter.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use spillgate_config::Diagnostic;
use spillgate_config::filter::{self, AffinityConfig, FilterConfig, VariableKeys};
use spillgate_core::model::{ChainHosts, ClusterKind, HealthStatus};
use spillgate_steer::messages::{self, PreviousConfig};

use crate::{
    abi::{self, ConfigHandle, Scheduler},
    metrics::CounterIds,
    published::{HostBoard, Published},
};

/// A configuration of the filter. All threads share it.
pub(crate) struct FilterState {
    pub(crate) config: FilterConfig,
    /// The metadata keys of hosts that the configuration reads.
    pub(crate) keys: Vec<Arc<str>>,
    pub(crate) counters: CounterIds,
    pub(crate) board: HostBoard,
    /// For work that the main thread must do after its present hook.
    pub(crate) scheduler: Scheduler,
    unknown_hosts: UnknownHosts,
}

/// Whether requests to clusters without known hosts have been reported.
#[derive(Default)]
struct UnknownHosts(AtomicBool);

const DRAINING_UNKNOWN: &str = "spillgate: affinity.override_host_status has DRAINING, but Envoy reports \
    draining hosts as unhealthy; add this module as a bootstrap extension";

/// One line for each finding.
pub(crate) fn rendered(findings: &[Diagnostic]) -> Vec<String> {
    let lines = findings.iter().map(|finding| finding.render(NAME));
    lines.collect()
}

/// The name of a configuration in messages.
const NAME: &str = "configuration";

impl FilterState {
    /// Reads a configuration. `None` if it is invalid; the log says why, and whether a `previous` one serves.
    pub(crate) fn read(
        envoy: &ConfigHandle<'_>,
        text: &[u8],
        previous: PreviousConfig,
    ) -> Option<Arc<Self>> {
        let variable = |name: &str| match std::env::var_os(name) {
            Some(value) => VariableKeys::Text(value.into_encoded_bytes()),
            None => VariableKeys::NotSetInEnvoy,
        };
        let text = spillgate_config::node::decode(text).map_err(|fault| vec![fault]);
        let read = text.and_then(|text| filter::read_native(text, &variable));
        let mut config = match read {
            Ok(config) => config,
            Err(faults) => {
                log::error!("{}", messages::rejected(&rendered(&faults), previous));
                return None;
            }
        };
        if let Some(message) = messages::warned(&rendered(&std::mem::take(&mut config.warnings))) {
            log::warn!("{message}");
        }
        let keeps_draining =
            |affinity: &AffinityConfig| affinity.statuses.contains(HealthStatus::Draining);
        if config.affinity.as_ref().is_some_and(keeps_draining) && !abi::has_extension() {
            log::warn!("{DRAINING_UNKNOWN}");
        }
        // The decision is not in headers that an upstream host could send too. Only a trace is.
        config.output.route_strips_response_headers |= config.trace.is_none();
        let state = Arc::new(Self {
            keys: metadata_keys(&config),
            counters: CounterIds::define(envoy, &config),
            board: HostBoard::new(&config),
            scheduler: Scheduler::new(envoy),
            unknown_hosts: UnknownHosts::default(),
            config,
        });
        Some(state)
    }

    /// Whether requests of this configuration may go to hosts of a cluster.
    pub(crate) fn uses(&self, cluster: &str) -> bool {
        self.config.model.cluster(cluster).is_some()
    }

    /// Logs, once, that requests come while the hosts of some clusters are unknown.
    pub(crate) fn report_unknown(&self, published: &Published) {
        if published.unknown.is_empty() || self.unknown_hosts.0.swap(true, Ordering::Relaxed) {
            return;
        }
        let clusters = published.unknown.iter();
        let names = clusters.filter_map(|id| Some(&*published.snapshot.cluster(*id)?.name));
        log::warn!(
            target: messages::REQUESTS,
            "spillgate: hosts of {} are unknown; the clusters must exist and use the load-balancing policy \
             of this module, in the same file",
            names.collect::<Vec<&str>>().join(", ")
        );
    }
}

/// The keys in subset selectors, in criteria and in the steps of the chain.
fn metadata_keys(config: &FilterConfig) -> Vec<Arc<str>> {
    let mut keys: Vec<Arc<str>> = Vec::new();
    for cluster in config.model.clusters() {
        if let ClusterKind::Plain(plain) = &cluster.kind
            && let Some(subsets) = &plain.subsets
        {
            for selector in &subsets.selectors {
                keys.extend(selector.keys().iter().cloned());
            }
            let default = subsets.default_subset.fields().iter();
            keys.extend(default.map(|field| field.key.clone()));
        }
    }
    for step in config.model.chain().iter() {
        match &step.hosts {
            ChainHosts::Keys(step) => keys.extend(step.iter().cloned()),
            ChainHosts::Match(wanted) => {
                keys.extend(wanted.fields().iter().map(|field| field.key.clone()));
            }
            ChainHosts::Any => {}
        }
    }
    keys.sort();
    keys.dedup();
    keys
}
