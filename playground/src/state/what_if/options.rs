//! What can be lost: zones and levels.

use spillgate_core::snapshot::HostRef;
use spillgate_sim::{Scene, Selector};

use crate::state::Scenario;

/// Hosts that can be lost together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossOption {
    /// The selector on the command line; unique among the options.
    pub selector: String,
    /// What the list says.
    pub title: String,
    /// Its hosts, in configuration order.
    pub hosts: Vec<HostRef>,
}

/// The zones of the cluster that is shown, the largest first, then its levels.
#[must_use]
pub fn options(scenario: &Scenario, scene: &Scene) -> Vec<LossOption> {
    let zones = scene.zones();
    let again = |name: &str| zones.iter().filter(|zone| zone.zone == name).count() > 1;
    let mut options: Vec<LossOption> = zones
        .iter()
        .map(|zone| match again(&zone.zone) {
            true => LossOption {
                selector: zone.selector().to_string(),
                title: format!("zone {} of {}", zone.zone, zone.region),
                hosts: zone.hosts.clone(),
            },
            false => LossOption {
                selector: Selector::zone(&zone.zone).to_string(),
                title: format!("zone {}", zone.zone),
                hosts: zone.hosts.clone(),
            },
        })
        .collect();
    options.sort_by_key(|option| usize::MAX - option.hosts.len());
    for at in scenario.shown() {
        let levels = scenario.plain(at).map_or(0, |plain| plain.levels.len());
        for priority in 0..levels {
            let level = Selector::priority(priority);
            let selector = match at == scenario.root() {
                true => level,
                false => Selector::cluster(scenario.name(at)).and(level),
            };
            // A level without hosts has nothing to lose.
            if let Ok(hosts) = scene.select(&selector) {
                let at = crate::state::LevelAt {
                    cluster: at,
                    priority,
                };
                options.push(LossOption {
                    selector: selector.to_string(),
                    title: scenario.level_name(at),
                    hosts,
                });
            }
        }
    }
    options
}
