//! Commands to try with the running demo.

use crate::state::demo_commands;
use spillgate_scenario::EditedScenario;

/// A command with its purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveCommand {
    /// Its stable name.
    pub id: &'static str,
    /// For example `Restore all hosts`.
    pub title: String,
    /// What to paste into a terminal.
    pub text: String,
}

/// The commands for the demo whose state is shown; empty for another Envoy. `service` is the address of its service,
/// as the server announces it.
#[must_use]
pub fn live_commands(scenario: &EditedScenario, service: &str) -> Vec<LiveCommand> {
    if demo_commands(scenario).is_none() {
        return Vec::new();
    }
    let primary = scenario.shown().into_iter().next();
    let hosts = primary.and_then(|at| scenario.plain(at)?.priorities.first());
    let addresses = hosts.iter().flat_map(|hosts| &hosts.endpoints);
    let ips = addresses.filter_map(|host| host.address.rsplit_once(':').map(|(ip, _)| ip));
    let half = hosts.map_or(0, |hosts| hosts.endpoints.len() / 2);
    let half: Vec<&str> = ips.take(half).collect();
    let mut commands = Vec::new();
    if !service.is_empty() {
        commands.push(LiveCommand {
            id: "requests",
            title: "Send requests of 2,000 users".into(),
            text: format!(
                "for i in $(seq 2000); do curl -s -o /dev/null -H \"x-user: $RANDOM$i\" {service}; done"
            ),
        });
    }
    commands.push(LiveCommand {
        id: "kill",
        title: "Fail half of the primary hosts".into(),
        text: format!("cargo xtask demo kill {}", half.join(" ")),
    });
    commands.push(LiveCommand {
        id: "heal",
        title: "Restore all hosts".into(),
        text: "cargo xtask demo heal all".into(),
    });
    commands
}
