//! The hosts that a user can lose together: zones, member clusters and priorities.

use spillgate_core::snapshot::{ClusterId, HostRef};
use spillgate_scenario::{EditedScenario, PriorityAt, ShortNames, plural};
use spillgate_sim::{Scene, Selector, Zone};

/// Hosts that can be lost together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossOption {
    /// The selector of the command line; unique among the options.
    pub selector: String,
    /// The name of the zone, member or priority.
    pub name: String,
    /// The label in the list.
    pub title: String,
    /// The same at the beginning of a sentence.
    pub subject: String,
    /// Its hosts, in configuration order.
    pub hosts: Vec<HostRef>,
    /// How many of them are usable: only these can be lost.
    pub usable: usize,
}

impl LossOption {
    /// The number of hosts that can be lost: `10 hosts`, or `6 usable hosts` if it has others.
    #[must_use]
    pub fn usable_hosts(&self) -> String {
        let all_usable = self.usable == self.hosts.len();
        plural(self.usable, if all_usable { "host" } else { "usable host" })
    }
}

/// The zones of the shown cluster, the largest first, then its members and priorities.
#[must_use]
pub fn options(scenario: &EditedScenario, scene: &Scene) -> Vec<LossOption> {
    let mut options = zone_options(scene);
    for cluster in owners(scene) {
        let mut own = priority_options(scenario, scene, cluster);
        // The only priority of a member is the member.
        if cluster != scene.cluster() && own.len() > 1 {
            let name = scenario.name(cluster.index());
            let selector = Selector::cluster(name);
            options.extend(option(scene, &selector, name, "cluster ", "Cluster "));
        }
        options.append(&mut own);
    }
    options
}

/// The zones, the largest first.
#[must_use]
pub fn zone_options(scene: &Scene) -> Vec<LossOption> {
    let zones = scene.zones();
    let zone_option = |zone: &Zone| {
        let name = zone.name_among(&zones);
        let selector = if name == zone.zone {
            Selector::zone(&zone.zone)
        } else {
            zone.selector()
        };
        option(scene, &selector, &name, "zone ", "Zone ")
    };
    let mut options: Vec<LossOption> = zones.iter().filter_map(zone_option).collect();
    options.sort_by_key(|option| usize::MAX - option.hosts.len());
    options
}

fn priority_options(
    scenario: &EditedScenario,
    scene: &Scene,
    cluster: ClusterId,
) -> Vec<LossOption> {
    let own = scene.hosts().iter();
    let own = own.filter(|host| host.cluster == cluster);
    let mut priorities: Vec<usize> = own.map(|host| host.priority).collect();
    priorities.dedup();
    let priorities = priorities.into_iter().filter_map(|priority| {
        let selector = if cluster == scene.cluster() {
            Selector::priority(priority)
        } else {
            let name = scenario.name(cluster.index());
            Selector::cluster(name).and(Selector::priority(priority))
        };
        let at = PriorityAt {
            cluster: cluster.index(),
            priority,
        };
        option(scene, &selector, &scenario.priority_name(at), "", "")
    });
    priorities.collect()
}

/// The option of a selector, with the words before its name; `None` if it selects no host.
fn option(
    scene: &Scene,
    selector: &Selector,
    name: &str,
    kind: &str,
    subject: &str,
) -> Option<LossOption> {
    let hosts = scene.select(selector).ok()?;
    Some(LossOption {
        usable: scene.loss_order(&hosts).len(),
        hosts,
        selector: selector.to_string(),
        title: format!("{kind}{name}"),
        subject: format!("{subject}{name}"),
        name: name.into(),
    })
}

/// The clusters with hosts: the shown one, or its members.
fn owners(scene: &Scene) -> Vec<ClusterId> {
    let mut owners: Vec<ClusterId> = scene.hosts().iter().map(|host| host.cluster).collect();
    owners.dedup();
    owners
}

/// The longest names of clusters and zones that are shown whole, relative to the font size.
const NAME_ROOM: f64 = 12.0;

/// The short forms of the names of the shown clusters and of their zones.
#[must_use]
pub fn short_names(scenario: &EditedScenario, scene: &Scene) -> ShortNames {
    let clusters = owners(scene);
    let clusters = clusters.iter().map(|at| scenario.name(at.index()));
    let zones = scene.zones();
    let zones = zones
        .iter()
        .flat_map(|zone| [zone.zone.as_str(), zone.region.as_str()]);
    ShortNames::of(clusters, NAME_ROOM).and(ShortNames::of(zones, NAME_ROOM))
}
