//! The hosts that a user can lose together: zones and priorities.

use spillgate_core::snapshot::HostRef;
use spillgate_scenario::{EditedScenario, ShortNames};
use spillgate_sim::{Scene, Selector, Zone};

/// Hosts that can be lost together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossOption {
    /// The selector of the command line; unique among the options.
    pub selector: String,
    /// The name of the zone or priority.
    pub name: String,
    /// The label in the list.
    pub title: String,
    /// The same at the beginning of a sentence.
    pub subject: String,
    /// Its hosts, in configuration order.
    pub hosts: Vec<HostRef>,
}

/// The zones of the shown cluster, the largest first, then its priorities.
#[must_use]
pub fn options(scenario: &EditedScenario, scene: &Scene) -> Vec<LossOption> {
    let zones = scene.zones();
    let option = |zone: &Zone| {
        let name = zone.name_among(&zones);
        let selector = if name == zone.zone {
            Selector::zone(&zone.zone)
        } else {
            zone.selector()
        };
        LossOption {
            selector: selector.to_string(),
            title: format!("zone {name}"),
            subject: format!("Zone {name}"),
            name,
            hosts: zone.hosts.clone(),
        }
    };
    let mut options: Vec<LossOption> = zones.iter().map(option).collect();
    options.sort_by_key(|option| usize::MAX - option.hosts.len());
    for at in scenario.shown() {
        let priorities = scenario.plain(at).map_or(0, |plain| plain.priorities.len());
        for number in 0..priorities {
            let priority = Selector::priority(number);
            let selector = if at == scenario.root() {
                priority
            } else {
                Selector::cluster(scenario.name(at)).and(priority)
            };
            // A priority without hosts is omitted.
            if let Ok(hosts) = scene.select(&selector) {
                let at = spillgate_scenario::PriorityAt {
                    cluster: at,
                    priority: number,
                };
                let title = scenario.priority_name(at);
                options.push(LossOption {
                    selector: selector.to_string(),
                    subject: title.clone(),
                    name: title.clone(),
                    title,
                    hosts,
                });
            }
        }
    }
    options
}

/// The longest names of clusters and zones that are shown whole, relative to the font size.
const NAME_ROOM: f64 = 12.0;

/// The short forms of the names of the shown clusters and of their zones.
#[must_use]
pub fn short_names(scenario: &EditedScenario, scene: &Scene) -> ShortNames {
    let clusters = scenario.shown();
    let clusters = clusters.iter().map(|&at| scenario.name(at));
    let zones = scene.zones();
    let zones = zones
        .iter()
        .flat_map(|zone| [zone.zone.as_str(), zone.region.as_str()]);
    ShortNames::of(clusters, NAME_ROOM).and(ShortNames::of(zones, NAME_ROOM))
}
