//! A cluster with its settings, its requests, and the failures of its hosts.

use std::net::SocketAddr;
use std::time::Duration;

use spillgate_health::check::ActiveCheck;
use spillgate_health::outlier::OutlierDetection;
use spillgate_incident::{ErrorAnswers, HostBehavior, HostEvent, IncidentScript, RequestLoad};

use crate::scripted::TrialPorts;

/// How long the scripts of a batch run.
pub(super) const SCRIPT: Duration = Duration::from_secs(8);
/// The time that hosts take for an answer, roughly.
pub(super) const SERVICE_TIME: Duration = Duration::from_millis(1);

/// One random cluster.
#[derive(Debug, Clone)]
pub struct RequestTrial {
    /// Its number in the run.
    pub number: u64,
    /// `lb_policy`.
    pub policy: &'static str,
    /// The weights of the hosts of each priority.
    pub priorities: Vec<Vec<u32>>,
    /// `common_lb_config.healthy_panic_threshold`.
    pub panic_threshold: u32,
    /// `common_lb_config.update_merge_window`, if it is not the default.
    pub merge_window: Option<Duration>,
    /// The health check.
    pub check: Option<ActiveCheck>,
    /// The outlier detection.
    pub outlier: Option<OutlierDetection>,
    /// The retries.
    pub retry: TrialRetry,
    /// Requests per second.
    pub rps: u32,
    /// The connections that send them.
    pub connections: usize,
    /// `max_requests` of the circuit breaker, if it is reached.
    pub max_requests: Option<u32>,
    /// The clients, each with a session; 0 for requests without sessions.
    pub sessions: u32,
    /// The failures.
    pub events: Vec<TrialEvent>,
}

/// The route's retries and timeouts.
#[derive(Debug, Clone)]
pub struct TrialRetry {
    /// `num_retries`.
    pub retries: u32,
    /// `retry_on`.
    pub on: &'static str,
    /// Whether `previous_hosts` avoids hosts that were tried.
    pub avoids_previous: bool,
    /// `per_try_timeout`.
    pub per_try: Option<Duration>,
    /// `timeout`.
    pub timeout: Duration,
}

/// A failure of hosts.
#[derive(Debug, Clone)]
pub struct TrialEvent {
    /// What they do.
    pub behavior: HostBehavior,
    /// The numbers of the hosts, over all priorities.
    pub hosts: Vec<usize>,
    /// Its start.
    pub from: Duration,
    /// Its end.
    pub to: Duration,
}

impl RequestTrial {
    /// Whether service discovery has a host at a time.
    pub(super) fn lists(&self, host: usize, time: Duration) -> bool {
        let mut events = self.events.iter();
        !events.any(|event| {
            let removes = event.behavior == HostBehavior::Remove && event.hosts.contains(&host);
            removes && (event.from..event.to).contains(&time)
        })
    }

    /// Whether service discovery removes hosts.
    pub(super) fn removes_hosts(&self) -> bool {
        let mut events = self.events.iter();
        events.any(|event| event.behavior == HostBehavior::Remove)
    }

    /// The name of the cluster.
    #[must_use]
    pub fn name(&self) -> String {
        format!("t{}", self.number)
    }

    /// The number of hosts.
    pub(super) fn hosts(&self) -> usize {
        self.priorities.iter().map(Vec::len).sum()
    }

    /// The time of the first failure.
    pub(super) fn onset(&self) -> Duration {
        let starts = self.events.iter().map(|event| event.from);
        starts.min().unwrap_or_default()
    }

    /// The events as the options of `spillgate incident` state them: the name of the option, and its value.
    pub(super) fn options(&self, place: usize, ports: TrialPorts) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        for event in &self.events {
            let amount = match event.behavior {
                HostBehavior::Errors(ErrorAnswers { part, status }) => {
                    format!(":{}%/{status}", part * 100.0)
                }
                HostBehavior::Slow(time) | HostBehavior::Flap(time) => {
                    format!(":{}ms", time.as_millis())
                }
                _ => String::new(),
            };
            let (from, to) = (event.from.as_millis(), event.to.as_millis());
            for host in &event.hosts {
                let address: SocketAddr = ports.host(place, *host);
                let text = format!("host={address}{amount}@{from}ms..{to}ms");
                found.push((event.behavior.name(), text));
            }
        }
        found
    }

    /// The script of the prediction.
    pub(super) fn script(&self, place: usize, ports: TrialPorts) -> anyhow::Result<IncidentScript> {
        let mut events = Vec::new();
        for (name, text) in self.options(place, ports) {
            let behavior = HostBehavior::named(name);
            let behavior = behavior.ok_or_else(|| anyhow::anyhow!("no event {name}"))?;
            let event = HostEvent::parse(behavior, &text);
            events.push(event.map_err(|faults| anyhow::anyhow!("{text}: {faults:?}"))?);
        }
        Ok(IncidentScript {
            events,
            load: RequestLoad::constant(f64::from(self.rps)),
            service_time: Some(SERVICE_TIME),
            sessions: self.sessions,
            until: Some(SCRIPT),
        })
    }
}
