//! The scenario files of the documentation.

/// A scenario file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelineScenario {
    /// The name of its file in `docs/scenarios`, without the extension; also its name in links.
    pub name: &'static str,
    /// The label in the list.
    pub title: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! scenario {
    ($name:literal, $title:literal) => {
        TimelineScenario {
            name: $name,
            title: $title,
            text: include_str!(concat!("../../../../../docs/scenarios/", $name, ".yaml")),
        }
    };
}

/// The scenarios, in the order of the list. The first one is shown if the simulator does not support
/// the clusters of the page.
pub static SCENARIOS: [TimelineScenario; 6] = [
    scenario!("failover", "A cluster fails and recovers"),
    scenario!("rolling-drain", "Rolling drain"),
    scenario!("hot-host", "A hot host"),
    scenario!("rotation", "A key dropped too early"),
    scenario!("epoch", "A new epoch"),
    scenario!("everything", "Random worlds"),
];

/// The scenario with that name.
#[must_use]
pub fn scenario_named(name: &str) -> Option<&'static TimelineScenario> {
    SCENARIOS.iter().find(|scenario| scenario.name == name)
}
