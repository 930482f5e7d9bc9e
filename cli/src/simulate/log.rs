//! `spillgate simulate --log`: one line for each event of a run.

use std::fmt::Write as _;

use spillgate_core::model::HealthStatus;
use spillgate_sim::world::{
    KeyChange, Layout, LogEntry, Millis, Plan, RequestOutcome, SteerGateway, TokenSource, World,
    WorldEvent, WorldScenario,
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
    world.record_log();
    let mut goes_on = true;
    while goes_on {
        goes_on = world.step();
        for (at, entry) in world.take_log() {
            line(&mut out, &scenario, at, &entry);
        }
    }
    out.push('\n');
    out
}

/// The line of a moment: its time in seconds and its text.
fn line(out: &mut String, scenario: &WorldScenario, at: Millis, entry: &LogEntry) {
    let layout = &scenario.layout;
    let what = match entry {
        LogEntry::Event(what) => happened(layout, what),
        // The line of the event names the hosts.
        LogEntry::Host(..) => return,
        LogEntry::Request {
            client,
            gateway,
            token,
            outcome,
            host,
        } => {
            let host = host.map_or("no host", |host| layout.address(host));
            let outcome = match outcome {
                RequestOutcome::Kept => "kept".to_owned(),
                RequestOutcome::New => "new".to_owned(),
                RequestOutcome::Moved(why) => format!("moved: {why}"),
                RequestOutcome::Failed(why) => format!("failed: {why}"),
            };
            let token = match token {
                TokenSource::Own => String::new(),
                other => format!(" with {}", other.name()),
            };
            let (client, gateway) = (client + 1, gateway + 1);
            format!("client {client} through gateway {gateway}{token} -> {host} ({outcome})")
        }
    };
    let _ = writeln!(out, "{:>6}.{:03} s  {what}", at / 1_000, at % 1_000);
}

/// The text of an event.
fn happened(layout: &Layout, what: &WorldEvent) -> String {
    let all = |hosts: &[usize]| {
        let names: Vec<&str> = hosts.iter().map(|&host| layout.address(host)).collect();
        names.join(", ")
    };
    let status = |status: &HealthStatus| status.name();
    match what {
        WorldEvent::Status(hosts, now) => format!("{} {}", all(hosts), status(now)),
        WorldEvent::Drain(hosts, within) => {
            format!("{} drains, removed in {within} ms", all(hosts))
        }
        WorldEvent::Vanish(hosts) => format!("{} removed", all(hosts)),
        WorldEvent::Appear(hosts) => format!("{} added", all(hosts)),
        WorldEvent::Priority(hosts, priority) => {
            format!("{} moves to priority {priority}", all(hosts))
        }
        WorldEvent::Metadata(hosts, metadata) => format!("{} has metadata {metadata}", all(hosts)),
        WorldEvent::Partial(gateway, hosts) => {
            format!(
                "gateway {} has an update without {}",
                gateway + 1,
                all(hosts)
            )
        }
        WorldEvent::Keys(KeyChange::Add(id)) => format!("key {id} added"),
        WorldEvent::Keys(KeyChange::Promote(id)) => format!("key {id} promoted, seals tokens"),
        WorldEvent::Keys(KeyChange::Drop(id)) => format!("key {id} removed"),
        WorldEvent::Keys(KeyChange::Rotate) => "keys rotate".to_owned(),
        WorldEvent::Reload(gateway) => format!("gateway {} reloads", gateway + 1),
        WorldEvent::Restart(gateway) => format!("gateway {} restarts", gateway + 1),
        WorldEvent::Epoch(Some(gateway), epoch) => {
            format!("gateway {} requires epoch {epoch}", gateway + 1)
        }
        WorldEvent::Epoch(None, epoch) => format!("every gateway requires epoch {epoch}"),
        WorldEvent::Clock(Some(gateway), ahead) => {
            format!("the clock of gateway {} is {ahead} ms ahead", gateway + 1)
        }
        WorldEvent::Clock(None, ahead) => format!("every clock is {ahead} ms ahead"),
    }
}
