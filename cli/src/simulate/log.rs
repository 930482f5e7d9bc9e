//! `spillgate simulate --log`: one line for each event of a run.

use std::fmt::Write as _;

use spillgate_core::model::HealthStatus;
use spillgate_sim::world::{
    Happening, KeyChange, Layout, Millis, Moment, Plan, Seen, SteerGateway, World, WorldScenario,
};

/// The lines of a run.
pub(super) fn write(plan: &Plan, seed: u64) -> String {
    let mut out = String::new();
    let Some(scenario) = plan.scenario(seed) else {
        return out;
    };
    let Some(mut world) = World::new(&scenario, &SteerGateway, seed) else {
        return out;
    };
    world.watch();
    let mut goes_on = true;
    while goes_on {
        goes_on = world.step();
        for (at, moment) in world.watched() {
            line(&mut out, &scenario, at, &moment);
        }
    }
    out.push('\n');
    out
}

/// The line of a moment: its time in seconds and its text.
fn line(out: &mut String, scenario: &WorldScenario, at: Millis, moment: &Moment) {
    let layout = &scenario.layout;
    let what = match moment {
        Moment::Happened(what) => happened(layout, what),
        Moment::Visit {
            client,
            gateway,
            brings,
            seen,
            host,
        } => {
            let host = host.map_or("no host", |host| layout.address(host));
            let seen = match seen {
                Seen::Kept => "kept".to_owned(),
                Seen::New => "new".to_owned(),
                Seen::Moved(why) => format!("moved: {why}"),
                Seen::Failed(why) => format!("failed: {why}"),
            };
            let brings = match brings {
                spillgate_sim::world::Brings::Own => String::new(),
                other => format!(" with {}", other.name()),
            };
            let (client, gateway) = (client + 1, gateway + 1);
            format!("client {client} through gateway {gateway}{brings} -> {host} ({seen})")
        }
    };
    let _ = writeln!(out, "{:>6}.{:03} s  {what}", at / 1_000, at % 1_000);
}

/// The text of an event.
fn happened(layout: &Layout, what: &Happening) -> String {
    let all = |hosts: &[usize]| {
        let names: Vec<&str> = hosts.iter().map(|&host| layout.address(host)).collect();
        names.join(", ")
    };
    let status = |status: &HealthStatus| status.name();
    match what {
        Happening::Status(hosts, now) => format!("{} {}", all(hosts), status(now)),
        Happening::Drain(hosts, within) => {
            format!("{} drains, removed in {within} ms", all(hosts))
        }
        Happening::Vanish(hosts) => format!("{} removed", all(hosts)),
        Happening::Appear(hosts) => format!("{} added", all(hosts)),
        Happening::Priority(hosts, priority) => {
            format!("{} moves to priority {priority}", all(hosts))
        }
        Happening::Metadata(hosts, metadata) => format!("{} has metadata {metadata}", all(hosts)),
        Happening::Keys(KeyChange::Add(id)) => format!("key {id} added"),
        Happening::Keys(KeyChange::Promote(id)) => format!("key {id} promoted, seals tokens"),
        Happening::Keys(KeyChange::Drop(id)) => format!("key {id} removed"),
        Happening::Keys(KeyChange::Rotate) => "keys rotate".to_owned(),
        Happening::Reload(gateway) => format!("gateway {} reloads", gateway + 1),
        Happening::Restart(gateway) => format!("gateway {} restarts", gateway + 1),
        Happening::Clock(Some(gateway), ahead) => {
            format!("the clock of gateway {} is {ahead} ms ahead", gateway + 1)
        }
        Happening::Clock(None, ahead) => format!("every clock is {ahead} ms ahead"),
    }
}
