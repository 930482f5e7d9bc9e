//! The clusters of the playground as a scenario file.

use spillgate_core::model::{Cluster, ClusterKind};
use spillgate_scenario::{
    EditedScenario,
    link::{self, Disclosure, Scenario, SharedScenario},
};

use super::{TimelineInput, input::ScriptEdit};

/// The clusters of the playground as a link has them, so that the link and the command give the same run.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedClusters {
    /// The clusters, with the names of the playground.
    pub clusters: Vec<Cluster>,
    /// The same clusters with those of the link; empty if these are the same.
    pub disclosed: Vec<Cluster>,
    /// The link, without the address of the playground.
    pub link: String,
    /// The settings that the link drops.
    pub left_out: Vec<&'static str>,
    /// The scenario file of the shown cluster.
    pub script: String,
    shared: SharedScenario,
}

impl SimulatedClusters {
    /// The clusters of a scenario.
    #[must_use]
    pub fn new(scenario: &EditedScenario, disclosure: Disclosure) -> Self {
        let own = link::read(&link::write(scenario)).unwrap_or_else(|_| Scenario::nothing());
        let shared = SharedScenario::new(&own, disclosure);
        let clusters = owned(&own);
        let disclosed = match disclosure {
            Disclosure::Addresses => Vec::new(),
            Disclosure::Names | Disclosure::Shape => owned(&shared.scenario),
        };
        Self {
            script: page_script(&clusters, scenario.root()),
            left_out: link::left_out(scenario),
            clusters,
            disclosed,
            link: link::write(&shared.scenario),
            shared,
        }
    }

    /// The scenario file of an input about the clusters of the playground, with the names of the link.
    #[must_use]
    pub fn disclosed_script(&self, input: &TimelineInput) -> String {
        let clusters = match self.disclosed.as_slice() {
            [] => &self.clusters,
            disclosed => disclosed,
        };
        let source = page_script(clusters, self.shared.scenario.root());
        match &input.edit {
            ScriptEdit::Unchanged => source,
            ScriptEdit::Added(lines) => source + &self.shared.text(lines),
            ScriptEdit::Whole(text) => self.shared.text(text).into_owned(),
        }
    }
}

fn owned(scenario: &Scenario) -> Vec<Cluster> {
    let clusters = scenario.clusters().iter();
    clusters.map(|cluster| (**cluster).clone()).collect()
}

/// A scenario file in which the first priority, or the first member of an aggregate, fails and
/// recovers.
#[must_use]
pub fn page_script(clusters: &[Cluster], root: usize) -> String {
    let Some(cluster) = clusters.get(root) else {
        return String::new();
    };
    let first = match &cluster.kind {
        ClusterKind::Aggregate(aggregate) => {
            let member = aggregate.members.first();
            format!("cluster={}", member.map_or("", |name| name))
        }
        // Other clusters can have priorities too.
        _ if clusters.len() > 1 => format!("cluster={},priority=0", cluster.name),
        _ => "priority=0".to_owned(),
    };
    let (target, first) = (quoted(&cluster.name), quoted(&first));
    format!(
        "# The clusters of this page: the first hosts fail and recover.\n\
         config: page\n\
         target: {target}\n\
         \n\
         clients: 400\n\
         gateways: 2\n\
         view_delay: 1s          # the longest time until a gateway receives an update\n\
         every: 10ms             # the mean time between two requests\n\
         steps: 12000\n\
         \n\
         events:\n\
         - {{at: 30s, hosts: {first}, status: UNHEALTHY}}\n\
         - {{at: 75s, hosts: {first}, status: HEALTHY}}\n"
    )
}

/// A value in double quotes, which YAML and JSON share.
pub(super) fn quoted(value: &str) -> String {
    let mut text = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            control if control.is_control() => {
                text.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => text.push(other),
        }
    }
    text.push('"');
    text
}
