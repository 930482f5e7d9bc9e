//! The requests that Envoy counts during an interval.

use std::{collections::HashMap, thread, time::Duration};

use spillgate_admin::{AdminClient, AdminPath};
use spillgate_answers::input::Faults;
use spillgate_observe::{EnvoyReading, ObservedWindow, WindowStart};

use crate::{clock, running::get};

/// The requests of the hosts of some clusters.
#[derive(Debug)]
pub(crate) struct CountedRequests {
    /// The time between the first and the last read.
    pub(super) time: Duration,
    clusters: HashMap<String, Vec<CountedHost>>,
}

/// The requests of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CountedHost {
    pub(super) address: String,
    pub(super) priority: usize,
    pub(super) requests: u64,
}

/// Reads between the first and the last one detect changes that are reversed. There are at most ten, and
/// none is within a second of another: Envoy writes a response in its main thread.
const READS: u32 = 10;
const SHORTEST_STEP: Duration = Duration::from_secs(1);
const LONGEST_STEP: Duration = Duration::from_secs(30);

impl CountedRequests {
    /// Counts the requests of an interval; `None` if hosts, health or counters changed meanwhile.
    pub(super) fn read(
        client: &AdminClient,
        clusters: &[String],
        interval: Duration,
    ) -> Result<Option<Self>, Faults> {
        let names: Vec<&str> = clusters.iter().map(String::as_str).collect();
        let step = (interval / READS).clamp(SHORTEST_STEP, LONGEST_STEP);
        let begin = clock::steady();
        let mut readings = Vec::from([read(client, begin, None)?]);
        loop {
            let left = interval.saturating_sub(begin.elapsed());
            // The last step takes up to half a step more, instead of a read shortly before the end.
            thread::sleep(if left < step * 3 / 2 { left } else { step });
            readings.push(read(client, begin, readings.last())?);
            let Some(window) = ObservedWindow::of(&readings, &names, u64::MAX) else {
                return Ok(None);
            };
            if window.start != WindowStart::FirstReading {
                return Ok(None);
            }
            if begin.elapsed() >= interval {
                return Ok(readings
                    .last()
                    .map(|last| Self::of(&window, last, clusters)));
            }
        }
    }

    /// The requests of a window; `last` is its last reading.
    pub(crate) fn of(
        window: &ObservedWindow<'_>,
        last: &EnvoyReading,
        clusters: &[String],
    ) -> Self {
        let hosts = |name: &String| {
            let status = &last.cluster(name)?.status;
            let requests = window.requests(name)?;
            let hosts = status
                .hosts
                .iter()
                .zip(requests)
                .map(|(host, requests)| CountedHost {
                    address: host.address.clone().into_owned(),
                    priority: host.priority.map_or(0, |priority| priority as usize),
                    requests,
                });
            Some((name.clone(), hosts.collect()))
        };
        Self {
            time: Duration::from_millis(window.length_ms()),
            clusters: clusters.iter().filter_map(hosts).collect(),
        }
    }

    /// The hosts of a cluster; empty if Envoy does not report it.
    pub(super) fn hosts(&self, cluster: &str) -> &[CountedHost] {
        self.clusters.get(cluster).map_or(&[], Vec::as_slice)
    }
}

fn read(
    client: &AdminClient,
    begin: clock::SteadyClock,
    before: Option<&EnvoyReading>,
) -> Result<EnvoyReading, Faults> {
    let response = get(client, AdminPath::Clusters)?;
    let at = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    let reading = EnvoyReading::new(at, &response.text, None, before);
    reading.map_err(|faults| Faults::all(&response.name, &faults))
}
