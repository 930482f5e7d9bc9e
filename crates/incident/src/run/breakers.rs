//! The circuit breakers of the clusters: they refuse requests while too many are active.

use alloc::{collections::BTreeMap, vec::Vec};
use core::time::Duration;

use spillgate_core::snapshot::ClusterId;

use super::{changes::ChangeKind, queue::QueuedEvent, simulation::Simulation, waiting::Waiting};
use crate::traffic::{Admission, FirstLimit, Flow, FlowInput, Outlook, refused_part};

/// Shorter attempts count by their mean number; longer ones are followed from their start to their end.
const SHORT: Duration = Duration::from_millis(250);

/// The circuit breaker of a cluster in a run.
#[derive(Debug)]
pub(super) struct BreakerRun {
    limit: FirstLimit,
    waiting: Waiting,
    /// Changes with each plan for the next change.
    version: u32,
}

/// The attempts of a cluster per second.
#[derive(Debug, Default)]
struct Load {
    /// Those that take long, with their time.
    long: Vec<(Duration, f64)>,
    /// The mean number of the others that are active.
    short: f64,
    /// The hosts that answer in time: with a connection for each request, each of them keeps one.
    working: usize,
}

impl BreakerRun {
    pub(super) fn new(limit: FirstLimit, at: Duration) -> Self {
        Self {
            limit,
            waiting: Waiting::new(at),
            version: 0,
        }
    }

    /// What it admits of a load.
    fn admission(&mut self, load: &Load) -> Admission {
        let most = self.limit.most();
        let taken = match self.limit {
            FirstLimit::Requests(_) => load.short,
            // Envoy opens the first connection of a host whatever the limit.
            FirstLimit::Connections { most, .. } => load
                .short
                .max(load.working as f64)
                .min(f64::from(most) - 1.0),
        };
        self.waiting.set_limit((most - taken).max(0.0));
        let late = self
            .waiting
            .admitted(load.long.iter().map(|(_, rate)| rate).sum());
        match self.limit {
            FirstLimit::Requests(_) => {
                let all = if load.short >= most {
                    // The short ones alone take all places: long ones compete with them.
                    1.0 - refused_part(load.mean(), most)
                } else {
                    late * (1.0 - refused_part(load.short, most - self.waiting.number()))
                };
                Admission { all, late: all }
            }
            FirstLimit::Connections { most, .. } => {
                let all = (f64::from(most) / load.short).min(1.0);
                Admission {
                    all,
                    late: late * all,
                }
            }
        }
    }
}

impl Load {
    /// The mean number of active attempts.
    fn mean(&self) -> f64 {
        let long = self.long.iter();
        self.short
            + long
                .map(|(time, rate)| time.as_secs_f64() * rate)
                .sum::<f64>()
    }
}

impl Simulation<'_> {
    /// The flow of requests that the circuit breakers admit, from now on.
    pub(super) fn admitted_flow(&mut self, outlooks: &[Outlook]) -> Flow {
        let now = self.now;
        for breaker in self.breakers.values_mut() {
            breaker.waiting.advance(now);
        }
        let offered = self.flow_of(outlooks, &BTreeMap::new());
        let working = |cluster: ClusterId| {
            let hosts = self
                .cast
                .hosts()
                .iter()
                .zip(outlooks)
                .zip(&offered.attempts);
            let own = hosts.filter(|((host, outlook), part)| {
                host.at.cluster == cluster && !outlook.is_late() && **part > 0.0
            });
            own.count()
        };
        let mut admitted = BTreeMap::new();
        for (cluster, breaker) in &mut self.breakers {
            let admission = breaker.admission(&Load {
                working: working(*cluster),
                ..load(&offered, *cluster, self.rps)
            });
            if admission != Admission::ALL {
                self.opened.insert(*cluster);
                admitted.insert(*cluster, admission);
            }
        }
        let flow = if admitted.is_empty() {
            offered
        } else {
            self.flow_of(outlooks, &admitted)
        };
        let is_open = !admitted.is_empty();
        if is_open != self.refuses {
            self.refuses = is_open;
            let kind = if is_open {
                ChangeKind::BreakerOpens
            } else {
                ChangeKind::BreakerCloses
            };
            self.note(kind, 0, 0);
        }
        for (cluster, breaker) in &mut self.breakers {
            breaker.waiting.arrive(load(&flow, *cluster, self.rps).long);
            breaker.version = breaker.version.wrapping_add(1);
            if let Some(at) = breaker.waiting.next_change() {
                let event = QueuedEvent::Breaker {
                    cluster: *cluster,
                    version: breaker.version,
                };
                self.queue.add(at.max(now), event);
            }
        }
        flow
    }

    /// The number of active requests reaches a limit, or requests end.
    pub(super) fn on_breaker(&mut self, cluster: ClusterId, version: u32) {
        let breaker = self.breakers.get(&cluster);
        if breaker.is_some_and(|breaker| breaker.version == version) {
            self.is_stale = true;
        }
    }

    fn flow_of(&self, outlooks: &[Outlook], admitted: &BTreeMap<ClusterId, Admission>) -> Flow {
        Flow::new(&FlowInput {
            setup: self.setup,
            view: &self.view,
            cast: &self.cast,
            outlooks,
            service_time: self.plan.script.service_time.unwrap_or_default(),
            rps: self.rps,
            admitted,
        })
    }
}

/// The attempts of a flow in a cluster.
fn load(flow: &Flow, cluster: ClusterId, rps: f64) -> Load {
    let mut load = Load::default();
    for ((of, time), part) in &flow.taken {
        let rate = part * rps;
        if *of != cluster || rate <= 0.0 {
            continue;
        }
        if *time < SHORT {
            load.short += rate * time.as_secs_f64();
        } else {
            load.long.push((*time, rate));
        }
    }
    load
}
