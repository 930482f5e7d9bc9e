//! The script of a cluster: which hosts an event concerns, and when something changes.

use alloc::{collections::BTreeSet, vec, vec::Vec};
use core::time::Duration;

use spillgate_sim::{Scene, SpecFault};

use crate::{
    script::{HostBehavior, HostEvent, IncidentScript},
    traffic::Cast,
};

/// A script with the hosts of a cluster.
#[derive(Debug, Clone)]
pub struct IncidentPlan {
    pub(crate) script: IncidentScript,
    events: Vec<PlannedEvent>,
    /// By number of the host: the events that concern it, in order.
    by_host: Vec<Vec<usize>>,
}

/// An event and its hosts.
#[derive(Debug, Clone)]
pub(crate) struct PlannedEvent {
    pub(crate) event: HostEvent,
    /// The numbers of its hosts.
    pub(crate) hosts: Vec<usize>,
}

impl IncidentPlan {
    /// The script for a cluster, and by index of the event the fault of each one that selects none of its hosts:
    /// such an event does not concern it.
    #[must_use]
    pub fn new(script: &IncidentScript, scene: &Scene) -> (Self, Vec<(usize, SpecFault)>) {
        let cast = Cast::new(scene);
        let mut by_host = vec![Vec::new(); cast.len()];
        let (mut events, mut faults) = (Vec::new(), Vec::new());
        for (index, event) in script.events.iter().enumerate() {
            let selected = match scene.select(&event.hosts) {
                Ok(selected) => selected,
                Err(fault) => {
                    faults.push((index, fault));
                    continue;
                }
            };
            let hosts: Vec<usize> = selected.iter().filter_map(|at| cast.number(*at)).collect();
            for host in &hosts {
                if let Some(of_host) = by_host.get_mut(*host) {
                    of_host.push(events.len());
                }
            }
            events.push(PlannedEvent {
                event: event.clone(),
                hosts,
            });
        }
        let plan = Self {
            script: script.clone(),
            events,
            by_host,
        };
        (plan, faults)
    }

    /// Whether an event concerns a host.
    pub(crate) fn concerns(&self, host: usize) -> bool {
        self.by_host
            .get(host)
            .is_some_and(|events| !events.is_empty())
    }

    pub(crate) fn events(&self) -> &[PlannedEvent] {
        &self.events
    }

    /// The times at which hosts or the load change, up to an end.
    pub(super) fn edges(&self, end: Duration) -> BTreeSet<Duration> {
        let mut edges: BTreeSet<Duration> = self
            .script
            .load
            .steps()
            .iter()
            .map(|step| step.from)
            .collect();
        for planned in &self.events {
            let span = planned.event.span;
            edges.insert(span.from);
            edges.extend(span.to);
            if let HostBehavior::Flap(period) = planned.event.behavior {
                let last = span.to.unwrap_or(end).min(end);
                let mut at = span.from;
                while !period.is_zero() && at < last {
                    edges.insert(at);
                    at += period;
                }
            }
        }
        edges.retain(|at| *at < end);
        edges
    }

    /// How a host behaves at a time: by the last event that concerns it; `None` for as usual.
    pub(super) fn behavior(&self, host: usize, now: Duration) -> Option<HostBehavior> {
        let mut found = None;
        for event in self.of_host(host) {
            if !event.span.contains(now) {
                continue;
            }
            match event.behavior {
                HostBehavior::Remove | HostBehavior::Add => {}
                HostBehavior::Flap(period) => {
                    let passed = now.saturating_sub(event.span.from).as_nanos();
                    let turn = passed.checked_div(period.as_nanos()).unwrap_or_default();
                    found = turn.is_multiple_of(2).then_some(event.behavior);
                }
                behavior => found = Some(behavior),
            }
        }
        found
    }

    /// Whether EDS has a host at a time.
    pub(super) fn is_member(&self, host: usize, now: Duration) -> bool {
        let mut events = self.of_host(host);
        !events.any(|event| match event.behavior {
            HostBehavior::Remove => event.span.contains(now),
            HostBehavior::Add => !event.span.contains(now),
            _ => false,
        })
    }

    /// When the last failure ends; `None` if one never does. 0 without failures.
    #[must_use]
    pub fn failures_end(&self) -> Option<Duration> {
        let mut last = Duration::ZERO;
        for planned in &self.events {
            match planned.event.behavior {
                HostBehavior::Add => last = last.max(planned.event.span.from),
                _ => last = last.max(planned.event.span.to?),
            }
        }
        Some(last)
    }

    fn of_host(&self, host: usize) -> impl Iterator<Item = &HostEvent> {
        let indexes = self.by_host.get(host).into_iter().flatten();
        let planned = indexes.filter_map(|index| self.events.get(*index));
        planned.map(|planned| &planned.event)
    }
}
