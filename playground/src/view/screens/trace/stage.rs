//! The compiled scenario.

use std::rc::Rc;

use spillgate_core::{
    model::Metadata,
    snapshot::{ClusterId, HostRef, Snapshot},
    trace::{ConfigRef, PriorityRef},
};
use spillgate_explain::{cluster_name, host_address, priority_name};
use spillgate_scenario::{EditedScenario, HostAt, PriorityAt, ShortNames};
use spillgate_sim::Scene;

use super::{ConfigLine, ConfigSource, CriterionField, criterion_fields};
use crate::view::screens::losses::short_names;

/// The clusters of a scenario, and what a request to the shown one can have.
#[derive(Debug)]
pub struct TraceStage {
    /// The clusters.
    pub snapshot: Snapshot,
    /// The shown cluster.
    pub cluster: ClusterId,
    /// The possible criteria.
    pub fields: Vec<CriterionField>,
    /// The short forms of the names of clusters and zones.
    pub names: ShortNames,
    /// The imported text of the clusters, if any.
    pub source: Option<ConfigSource>,
    /// The same clusters, for losses.
    pub(super) scene: Rc<Scene>,
}

/// Only the same stage is equal: comparing the clusters would take longer than a decision.
impl PartialEq for TraceStage {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl TraceStage {
    /// Compiles a scenario; `None` if the shown cluster has no hosts.
    #[must_use]
    pub fn new(scenario: &EditedScenario) -> Option<Self> {
        let name = scenario.name(scenario.root());
        let scene = Scene::new(scenario.model(), name, Metadata::EMPTY)?;
        let (snapshot, cluster) = (scene.snapshot().clone(), scene.cluster());
        let stage = Self {
            fields: criterion_fields(&snapshot, cluster),
            names: short_names(scenario, &scene),
            snapshot,
            cluster,
            source: None,
            scene: Rc::new(scene),
        };
        let has_hosts = stage.hosts().next().is_some();
        has_hosts.then_some(stage)
    }

    /// The same with the lines of an imported text.
    #[must_use]
    pub fn with_source(self, source: Option<ConfigSource>) -> Self {
        Self { source, ..self }
    }

    /// The same cluster with other health of its hosts.
    #[must_use]
    pub fn with(&self, snapshot: Snapshot) -> Self {
        Self {
            snapshot,
            cluster: self.cluster,
            fields: Vec::new(),
            names: self.names.clone(),
            source: None,
            scene: Rc::clone(&self.scene),
        }
    }

    /// The name of the shown cluster.
    #[must_use]
    pub fn name(&self) -> &str {
        cluster_name(&self.snapshot, self.cluster)
    }

    /// The hosts of the shown cluster or of its members, in configuration order.
    pub fn hosts(&self) -> impl Iterator<Item = HostRef> {
        let owners = self.snapshot.owners(self.cluster);
        let plain = owners.filter_map(|id| Some((id, self.snapshot.plain(id)?)));
        plain.flat_map(|(cluster, plain)| {
            let priorities = plain.priorities.iter().enumerate();
            priorities.flat_map(move |(priority, hosts)| {
                (0..hosts.len()).map(move |host| HostRef {
                    cluster,
                    priority,
                    host,
                })
            })
        })
    }

    /// The first host with an address.
    #[must_use]
    pub fn host_at(&self, address: &str) -> Option<HostRef> {
        self.hosts().find(|&host| self.address(host) == address)
    }

    /// The host of the playground's index.
    #[must_use]
    pub fn host(&self, at: HostAt) -> Option<HostRef> {
        self.hosts().find(|&host| host_place(host) == at)
    }

    /// The line of the imported text with a value; `None` without an import, or after an edit of its cluster.
    #[must_use]
    pub fn line(&self, config: ConfigRef) -> Option<ConfigLine> {
        self.source.as_ref()?.line(&self.snapshot, config)
    }

    /// The address of a host.
    #[must_use]
    pub fn address(&self, host: HostRef) -> &str {
        host_address(&self.snapshot, host)
    }

    /// The priority of a host, after the name of its cluster under an aggregate.
    #[must_use]
    pub fn priority(&self, host: HostRef) -> String {
        let at = PriorityRef {
            cluster: host.cluster,
            priority: host.priority,
        };
        priority_name(&self.snapshot, self.cluster, at)
    }
}

/// The playground's index of a host.
#[must_use]
pub const fn host_place(host: HostRef) -> HostAt {
    HostAt {
        priority: PriorityAt {
            cluster: host.cluster.index(),
            priority: host.priority,
        },
        host: host.host,
    }
}
