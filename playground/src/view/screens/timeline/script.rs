//! The scenario files of the documentation.

/// A scenario file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelineScenario {
    /// The name of its file in `docs/scenarios`, without the extension; also its name in links.
    pub name: &'static str,
    /// The label in the list.
    pub title: &'static str,
    /// What happens in it.
    pub about: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! scenario {
    ($name:literal, $title:literal, $about:literal) => {
        TimelineScenario {
            name: $name,
            title: $title,
            about: $about,
            text: include_str!(concat!("../../../../../docs/scenarios/", $name, ".yaml")),
        }
    };
}

/// The scenarios, in the order of the list. The first one is shown if the simulator does not support
/// the clusters of the playground.
pub static SCENARIOS: [TimelineScenario; 7] = [
    scenario!(
        "failover",
        "A cluster fails and recovers",
        "All hosts of the first cluster fail and recover; later a host of the second one is removed. \
         Sessions move to the second cluster: do they return?"
    ),
    scenario!(
        "rolling-drain",
        "Rollout: hosts drain one after the other",
        "Each host drains, is removed and returns. A draining host gets no new sessions, and its \
         sessions move within the drain time."
    ),
    scenario!(
        "hot-host",
        "One host keeps all sessions",
        "Four of five hosts fail and recover. By then the fifth host has all sessions; max_share lets \
         sessions above that limit leave it."
    ),
    scenario!(
        "safe-rotation",
        "A key is replaced in time",
        "Gateways seal tokens with a new key. The old key goes after its last token has expired, so no \
         session is lost."
    ),
    scenario!(
        "rotation",
        "A key is dropped too early",
        "Gateways seal tokens with a key. The old key is dropped before the tokens that it sealed have \
         expired, so gateways refuse these tokens and their sessions are lost."
    ),
    scenario!(
        "epoch",
        "All tokens are revoked",
        "A new epoch revokes all tokens. It is rolled out one gateway after the other, and rolled back \
         on one of them."
    ),
    scenario!(
        "everything",
        "Random clusters and faults",
        "The seed decides everything: clusters, sessions, faults and attacks with forged tokens."
    ),
];

/// What happens in the clusters of the playground without changes.
pub const PAGE_ABOUT: &str = "The hosts of the first priority or member fail at 30\u{a0}s and recover at \
    75\u{a0}s. Change that with the buttons and the script below.";

/// The scenario with that name.
#[must_use]
pub fn scenario_named(name: &str) -> Option<&'static TimelineScenario> {
    SCENARIOS.iter().find(|scenario| scenario.name == name)
}
