//! What is observed of the old and of the new configuration.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::Value;
use spillgate_config::filter::{DEFAULT_CLUSTER_HEADER, DEFAULT_HOST_HEADER};

use super::{
    cast::Cast,
    fields::{at, get},
    hosts::SeenByHosts,
    kinds::{CheckRequest, RequestKind},
    run::{CheckRun, SessionClient, pause},
    sessions::{HostState, SessionTally},
    settle::settle,
    stats::FilterStats,
};
use spillgate_admin::local::PlainHeaders;

/// Requests of each kind while all hosts serve, and after a failure.
pub(super) const REQUESTS: usize = 600;
/// Requests of each kind with forged headers.
const FORGED: usize = 100;
/// Sessions of each kind.
const SESSIONS: usize = 20;
/// The longest wait for the first decisions of the filter.
const WARM_UP: u32 = 100;
const WARM_UP_STEP: Duration = Duration::from_millis(100);

/// The names of the headers that only Envoy may set.
pub(super) struct InternalHeaders {
    host: String,
    cluster: String,
}

impl InternalHeaders {
    /// Those of a configuration of the filter.
    pub(super) fn of(filter: &Value) -> Self {
        let name = |field: &str, default: &str| {
            let own = at(filter, &["output", field]).and_then(Value::as_str);
            own.unwrap_or(default).to_lowercase()
        };
        Self {
            host: name("host_header", DEFAULT_HOST_HEADER),
            cluster: name("cluster_header", DEFAULT_CLUSTER_HEADER),
        }
    }
}

/// Counts of hosts for each kind of request.
pub(super) type Counts = Vec<Vec<u64>>;

/// How requests were distributed over hosts.
#[derive(Debug)]
pub(super) struct Distribution {
    /// While all hosts serve.
    pub(super) healthy: Counts,
    /// After the failure of a host has been noticed.
    pub(super) after: Counts,
}

/// What is observed of the new configuration.
#[derive(Debug)]
pub(super) struct Steered {
    pub(super) distribution: Distribution,
    /// With forged headers.
    pub(super) forged: Counts,
    pub(super) sessions: SessionTally,
    pub(super) seen: SeenByHosts,
    /// The counters at the end, without those of the start.
    pub(super) stats: FilterStats,
    /// The requests in the same time.
    pub(super) sent: u64,
}

/// The requests of a check, and the hosts.
pub(super) struct Observer<'a> {
    pub(super) kinds: &'a [RequestKind],
    pub(super) cast: &'a mut Cast,
    /// The clusters that notice the failure of a host, each with its hosts.
    pub(super) checked: Vec<(String, BTreeSet<usize>)>,
}

/// The requests that reach a host, once one does.
pub(super) fn reaching(
    run: &mut CheckRun,
    kinds: &[RequestKind],
) -> Result<Vec<CheckRequest>, String> {
    let mut reached = Vec::new();
    for _ in 0..WARM_UP {
        for (index, kind) in kinds.iter().enumerate() {
            let (answer, _) = run.send((index, kind), 0, &PlainHeaders::new())?;
            if answer.host.is_some() && !reached.contains(&kind.request) {
                reached.push(kind.request.clone());
            }
        }
        if !reached.is_empty() {
            break;
        }
        pause(WARM_UP_STEP)?;
    }
    Ok(reached)
}

impl Observer<'_> {
    fn counted(&self, run: &mut CheckRun, requests: usize) -> Result<Counts, String> {
        let hosts = self.cast.hosts.len();
        let count = |kind| run.count(kind, requests, &PlainHeaders::new(), hosts);
        self.kinds.iter().enumerate().map(count).collect()
    }

    /// Waits until a failure or a return is noticed.
    fn settle(&self, run: &CheckRun, lost: Option<usize>) -> Result<(), String> {
        let mut expected = BTreeMap::new();
        for (cluster, hosts) in &self.checked {
            for host in hosts {
                let address = self.cast.hosts.address(*host);
                expected.insert(format!("{cluster}::{address}"), Some(*host) != lost);
            }
        }
        settle(&run.envoy, &expected)
    }

    /// Observes the old configuration, and returns the host that failed.
    pub(super) fn observe_old(
        &mut self,
        run: &mut CheckRun,
    ) -> Result<(Distribution, usize), String> {
        self.settle(run, None)?;
        let healthy = self.counted(run, REQUESTS)?;
        let lost = busiest(&healthy);
        self.cast.hosts.end(lost);
        self.settle(run, Some(lost))?;
        let after = self.counted(run, REQUESTS)?;
        self.cast.hosts.revive(lost)?;
        self.cast.hosts.take_seen();
        Ok((Distribution { healthy, after }, lost))
    }

    /// Waits until the filter decides about every kind of request that `served` has hosts for.
    fn warm_up(&self, run: &mut CheckRun, served: Option<&Counts>) -> Result<(), String> {
        for _ in 0..WARM_UP {
            let before = FilterStats::read(&run.envoy)?;
            let mut all = true;
            for (index, kind) in self.kinds.iter().enumerate() {
                let (answer, _) = run.send((index, kind), 0, &PlainHeaders::new())?;
                let counts = served.and_then(|served| served.get(index));
                let (_, hosts) = counts
                    .and_then(|counts| counts.split_last())
                    .unwrap_or((&0, &[]));
                all &= answer.host.is_some() || hosts.iter().all(|count| *count == 0);
            }
            let decided = FilterStats::read(&run.envoy)?.since(&before).decisions;
            if all && decided >= self.kinds.len() as u64 {
                return Ok(());
            }
            pause(WARM_UP_STEP)?;
        }
        // What is missing shows in the results.
        Ok(())
    }

    /// Observes the new configuration; `old`: the distribution and the lost host of the old one.
    pub(super) fn observe_new(
        &mut self,
        run: &mut CheckRun,
        filter: &Value,
        old: Option<(&Distribution, usize)>,
    ) -> Result<Steered, String> {
        self.warm_up(run, old.map(|(old, _)| &old.healthy))?;
        self.settle(run, None)?;
        self.cast.hosts.take_seen();
        let (stats, sent) = (FilterStats::read(&run.envoy)?, run.sent);
        let healthy = self.counted(run, REQUESTS)?;
        let lost = old.map_or_else(|| busiest(&healthy), |(_, lost)| lost);
        let forged = self.forged(run, filter, &healthy)?;
        let mut clients = self.sessions(run, filter, &healthy)?;
        let keep = kept_headers(filter);
        let mut tally = SessionTally::new(clients.len(), !self.checked.is_empty());
        self.visit(run, &mut clients, &keep, &mut tally, HostState::Healthy)?;
        self.cast.hosts.end(lost);
        self.settle(run, Some(lost))?;
        let after = self.counted(run, REQUESTS)?;
        self.visit(run, &mut clients, &keep, &mut tally, HostState::Lost(lost))?;
        self.visit(run, &mut clients, &keep, &mut tally, HostState::Lost(lost))?;
        self.cast.hosts.revive(lost)?;
        self.settle(run, None)?;
        self.visit(run, &mut clients, &keep, &mut tally, HostState::Back)?;
        Ok(Steered {
            distribution: Distribution { healthy, after },
            forged,
            sessions: tally,
            seen: self.cast.hosts.take_seen(),
            stats: FilterStats::read(&run.envoy)?.since(&stats),
            sent: run.sent - sent,
        })
    }

    /// Requests that name a host and a cluster in the headers of the filter.
    fn forged(
        &self,
        run: &mut CheckRun,
        filter: &Value,
        healthy: &Counts,
    ) -> Result<Counts, String> {
        let names = InternalHeaders::of(filter);
        let hosts = self.cast.hosts.len();
        let forge = |(index, kind): (usize, &RequestKind)| {
            let counts = healthy
                .get(index)
                .and_then(|counts| counts.split_last())
                .map_or(&[][..], |(_, hosts)| hosts)
                .iter()
                .enumerate();
            // The host that such a request would reach least.
            let target = counts
                .min_by_key(|(_, count)| **count)
                .map_or(0, |(host, _)| host);
            let members = self.cast.members.iter();
            let cluster = members
                .clone()
                .find(|(_, hosts)| hosts.contains(&target))
                .map_or("none", |(name, _)| name.as_str());
            let headers = vec![
                (names.host.clone(), self.cast.hosts.address(target)),
                (names.cluster.clone(), cluster.to_owned()),
            ];
            run.count((index, kind), FORGED, &headers, hosts)
        };
        self.kinds.iter().enumerate().map(forge).collect()
    }

    /// Begins sessions, if the filter keeps some, of the kinds that have hosts.
    fn sessions(
        &self,
        run: &mut CheckRun,
        filter: &Value,
        healthy: &Counts,
    ) -> Result<Vec<SessionClient>, String> {
        let mut clients = Vec::new();
        if get(filter, "affinity").is_none() {
            return Ok(clients);
        }
        let keep = kept_headers(filter);
        for (index, kind) in self.kinds.iter().enumerate() {
            let counts = healthy.get(index).and_then(|counts| counts.split_last());
            if counts.is_none_or(|(_, hosts)| hosts.iter().all(|count| *count == 0)) {
                continue;
            }
            for number in 0..SESSIONS {
                let kind = (index, kind);
                clients.push(SessionClient::begin(run, kind, number, &keep)?);
            }
        }
        Ok(clients)
    }

    fn visit(
        &self,
        run: &mut CheckRun,
        clients: &mut [SessionClient],
        keep: &[String],
        tally: &mut SessionTally,
        stage: HostState,
    ) -> Result<(), String> {
        for client in clients {
            let Some(kind) = self.kinds.get(client.kind) else {
                continue;
            };
            let (before, now) = client.visit(run, kind, keep)?;
            tally.add(stage, &kind.label, before, now);
        }
        Ok(())
    }
}

/// The session headers that a client keeps.
fn kept_headers(filter: &Value) -> Vec<String> {
    let name = |carrier: &str| at(filter, &["affinity", carrier, "name"])?.as_str();
    let names = ["header", "envelope"].into_iter().filter_map(name);
    names.map(str::to_lowercase).collect()
}

/// The host with most requests.
fn busiest(counts: &Counts) -> usize {
    let hosts = counts
        .first()
        .map_or(0, |counts| counts.len().saturating_sub(1));
    let sum = |host: &usize| counts.iter().filter_map(|own| own.get(*host)).sum::<u64>();
    // Of equal ones the first, so that a check is repeatable.
    (0..hosts).rev().max_by_key(sum).unwrap_or(0)
}
