//! What depends on the scenario alone: the clusters, and the hosts that events can select.

use std::{rc::Rc, sync::Arc};

use spillgate_codec::import::IncidentQuestion;
use spillgate_core::model::{Cluster, Metadata};
use spillgate_scenario::{EditedScenario, ShortNames};
use spillgate_sim::Scene;

use super::{HostAction, IncidentInput, OutageEvent};
use crate::view::screens::{
    losses::{options, short_names},
    members::with_members,
};

/// More hosts are not in the list one by one.
const LISTED_HOSTS: usize = 100;

/// The first event: from 10 s to 70 s.
const FIRST_EVENT: (u64, u64) = (10_000, 70_000);

/// Hosts that an event can select.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectableHosts {
    /// The selector: `zone=a`.
    pub selector: String,
    /// The label in lists.
    pub title: String,
}

/// The shown cluster.
#[derive(Debug)]
pub struct IncidentStage {
    /// The scenario.
    pub scenario: Rc<EditedScenario>,
    /// The cluster and its members.
    pub clusters: Vec<Arc<Cluster>>,
    /// The hosts that events can select: zones, members and priorities, then single hosts unless there are too many.
    pub options: Vec<SelectableHosts>,
    /// The short forms of the names of clusters and zones.
    pub names: ShortNames,
}

/// Only the same stage is equal: comparing all of it would take longer than drawing it.
impl PartialEq for IncidentStage {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl IncidentStage {
    /// Prepares a scenario; `None` if its shown cluster has no hosts.
    #[must_use]
    pub fn new(scenario: &Rc<EditedScenario>) -> Option<Self> {
        let root = scenario.name(scenario.root());
        let scene = Scene::new(scenario.model(), root, Metadata::EMPTY)?;
        if scene.hosts().is_empty() {
            return None;
        }
        let groups = options(scenario, &scene).into_iter();
        let groups = groups.map(|option| SelectableHosts {
            selector: option.selector,
            title: option.title,
        });
        let mut options: Vec<SelectableHosts> = groups.collect();
        if scene.hosts().len() <= LISTED_HOSTS {
            let mut addresses: Vec<&str> = Vec::new();
            for at in scene.hosts() {
                let priority = scene.snapshot().plain(at.cluster);
                let priority = priority.and_then(|of| of.priorities.get(at.priority));
                let endpoint = priority.and_then(|of| of.endpoint(at.host));
                addresses.extend(endpoint.map(|of| of.address.as_str()));
            }
            addresses.sort_unstable();
            addresses.dedup();
            options.extend(addresses.into_iter().map(|address| SelectableHosts {
                selector: format!("host={address}"),
                title: format!("host {address}"),
            }));
        }
        Some(Self {
            clusters: with_members(scenario, root),
            names: short_names(scenario, &scene),
            options,
            scenario: Rc::clone(scenario),
        })
    }

    /// The events of an input. The initial one is the failure of the largest zone, or of the first priority.
    #[must_use]
    pub fn events(&self, input: &IncidentInput) -> Vec<OutageEvent> {
        let first = || {
            let (from, to) = FIRST_EVENT;
            self.new_event(HostAction::Fail, from, Some(to))
        };
        let stated = input.events.clone();
        stated.unwrap_or_else(|| first().into_iter().collect())
    }

    /// An event of the first hosts of the list; `None` is unreachable: a stage has hosts.
    #[must_use]
    pub fn new_event(&self, kind: HostAction, from: u64, to: Option<u64>) -> Option<OutageEvent> {
        Some(OutageEvent {
            kind,
            amount: kind.first_amount(),
            hosts: self.options.first()?.selector.clone(),
            from,
            to,
        })
    }

    /// What the module simulates.
    #[must_use]
    pub fn question(&self, input: &IncidentInput) -> IncidentQuestion {
        let events = self.events(input);
        let events = events
            .iter()
            .map(|event| (event.kind.name().to_owned(), event.text()));
        IncidentQuestion {
            clusters: self.clusters.iter().map(|of| (**of).clone()).collect(),
            root: self.scenario.name(self.scenario.root()).to_owned(),
            events: events.collect(),
            changes: input.change_texts(),
            rps: input.rps.unwrap_or(IncidentInput::FIRST_RPS).into(),
            service_time_millis: input.service_time.unwrap_or_default().into(),
            sessions: input.sessions.unwrap_or_default(),
            until_millis: input.until.unwrap_or_default(),
        }
    }

    /// Whether the imported configuration can keep sessions.
    #[must_use]
    pub fn has_sessions(&self) -> bool {
        self.config().contains("stateful_session")
    }

    /// The imported configuration, which has the settings of health checks; empty without an import.
    #[must_use]
    pub fn config(&self) -> &str {
        let origin = self.scenario.origin.as_deref();
        origin.map_or("", |origin| origin.texts.config.as_str())
    }
}
