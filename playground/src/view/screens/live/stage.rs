//! The reported hosts with the settings of the playground.

use std::rc::Rc;

use spillgate_core::model::{Cluster, ClusterKind, PlainCluster};
use spillgate_observe::{EnvoyReading, LiveCluster};
use spillgate_scenario::{EditedScenario, PRESETS, ScenarioError, preset};

use crate::state::is_demo_host;

/// The preset with the settings of the demo, whose Envoy reports the same names.
const DEMO: &str = "shop";

/// A cluster with the reported hosts.
#[derive(Debug)]
pub struct LiveStage {
    /// The clusters; the chosen one is shown.
    pub scenario: Rc<EditedScenario>,
    /// Where its settings are from.
    pub settings: SettingsSource,
    /// The shown clusters with hosts: the index in the scenario, the cluster, and the places of its hosts.
    pub members: Vec<(usize, String, LiveCluster)>,
}

/// Where the settings of a cluster are from: Envoy's `/clusters` omits them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsSource {
    /// The scenario of the playground.
    Page,
    /// The demo.
    Demo,
    /// Envoy's default values.
    Defaults,
}

/// The names of the clusters that can be shown: that of the playground or the demo first, then the other reported ones.
/// Members of the first one are not repeated.
#[must_use]
pub fn clusters_to_watch(page: &EditedScenario, reading: &EnvoyReading) -> Vec<String> {
    let first = template(page, reading);
    let mut names = Vec::new();
    let mut members = Vec::new();
    if let Some((scenario, _)) = &first {
        names.push(scenario.name(scenario.root()).to_owned());
        members.extend(scenario.shown().into_iter().map(|at| scenario.name(at)));
    }
    let reported = reading.clusters.iter().map(|cluster| &*cluster.status);
    let others = reported
        .filter(|status| !status.hosts.is_empty() && !members.contains(&status.name.as_ref()));
    names.extend(others.map(|status| status.name.clone().into_owned()));
    names
}

impl LiveStage {
    /// The cluster of that name, or the first one if Envoy does not report it.
    ///
    /// # Errors
    /// If Envoy reports no hosts or too many for the playground.
    pub fn new(
        page: &EditedScenario,
        reading: &EnvoyReading,
        cluster: &str,
    ) -> Result<Self, ScenarioError> {
        let names = clusters_to_watch(page, reading);
        let chosen = names
            .iter()
            .find(|name| *name == cluster)
            .or_else(|| names.first())
            .ok_or(ScenarioError::Empty)?;
        match template(page, reading) {
            Some((scenario, source)) if scenario.name(scenario.root()) == chosen => {
                Self::with(scenario, source, reading)
            }
            _ => {
                let known = page
                    .clusters()
                    .iter()
                    .find(|known| known.name == *chosen && is_known(page, &known.name, reading));
                let settings = known.and_then(|known| match &known.kind {
                    ClusterKind::Plain(plain) => Some((plain.clone(), SettingsSource::Page)),
                    _ => None,
                });
                let default = (PlainCluster::default(), SettingsSource::Defaults);
                let (plain, source) = settings.unwrap_or(default);
                let cluster = Cluster::plain(chosen.as_str(), plain);
                Self::with(EditedScenario::new(vec![cluster], 0)?, source, reading)
            }
        }
    }

    /// The scenario with the reported hosts; clusters that Envoy omits keep theirs.
    fn with(
        scenario: EditedScenario,
        settings: SettingsSource,
        reading: &EnvoyReading,
    ) -> Result<Self, ScenarioError> {
        let shown = scenario.shown();
        let mut members = Vec::new();
        let mut clusters: Vec<Cluster> = scenario
            .clusters()
            .iter()
            .map(|one| (**one).clone())
            .collect();
        for (at, cluster) in clusters.iter_mut().enumerate() {
            if let ClusterKind::Plain(plain) = &mut cluster.kind
                && let Some(reported) = reading.cluster(&cluster.name)
            {
                let live = LiveCluster::new(plain, &reported.status);
                plain.clone_from(&live.cluster);
                if shown.contains(&at) {
                    members.push((at, cluster.name.clone(), live));
                }
            }
        }
        Ok(Self {
            scenario: Rc::new(EditedScenario::new(clusters, scenario.root())?),
            settings,
            members,
        })
    }

    /// The name of the shown cluster.
    #[must_use]
    pub fn name(&self) -> &str {
        self.scenario.name(self.scenario.root())
    }

    /// The names of the shown clusters with hosts.
    #[must_use]
    pub fn member_names(&self) -> Vec<&str> {
        self.members
            .iter()
            .map(|(_, name, _)| name.as_str())
            .collect()
    }
}

/// The scenario whose settings apply: that of the playground if Envoy reports its shown clusters, or else that of the
/// demo.
fn template(
    page: &EditedScenario,
    reading: &EnvoyReading,
) -> Option<(EditedScenario, SettingsSource)> {
    let all = |scenario: &EditedScenario, fits: &dyn Fn(&str) -> bool| {
        let shown = scenario.shown();
        !shown.is_empty() && shown.iter().all(|&at| fits(scenario.name(at)))
    };
    if all(page, &|name| is_known(page, name, reading)) {
        return Some((page.clone(), SettingsSource::Page));
    }
    let demo = preset(DEMO).filter(|demo| all(demo, &|name| is_of_demo(name, reading)))?;
    Some((demo, SettingsSource::Demo))
}

/// Whether the playground has the settings of a reported cluster: they were imported, or the playground has one of its
/// hosts. The clusters of the presets have common names, which say nothing about another Envoy.
fn is_known(page: &EditedScenario, name: &str, reading: &EnvoyReading) -> bool {
    let Some(reported) = reading.cluster(name) else {
        return false;
    };
    if page.origin.is_some() {
        return true;
    }
    let mut presets = PRESETS.iter().filter_map(|of| preset(of.id));
    if presets.any(|of| of.clusters() == page.clusters()) {
        return false;
    }
    let own = page.clusters().iter().find(|own| own.name == name);
    let Some(ClusterKind::Plain(own)) = own.map(|own| &own.kind) else {
        return false;
    };
    let mut own = own.priorities.iter().flat_map(|of| &of.endpoints);
    own.any(|host| {
        let mut hosts = reported.status.hosts.iter();
        hosts.any(|of| of.address == host.address)
    })
}

/// Whether a reported cluster is that of the demo.
fn is_of_demo(name: &str, reading: &EnvoyReading) -> bool {
    reading.cluster(name).is_some_and(|reported| {
        let hosts = &reported.status.hosts;
        hosts.iter().all(|host| is_demo_host(name, &host.address))
    })
}
