//! `events[]`: events at fixed times.

use alloc::{format, string::String};

use crate::world::{KeyChange, Layout, ScriptedEvent, WorldEvent};

use super::{host_selector::select, millis::millis};
use spillgate_config::{
    envoy::{HEALTH_STATUS, read_metadata},
    node::Node,
    proto::{Message, Path, Report, Schema},
};

static EVENT: Schema = Schema::new(
    "events[]",
    "at name hosts status drain vanish appear priority metadata keys reload restart epoch clock",
);

static KEYS: Schema = Schema::new("keys", "add promote drop rotate");
static EPOCH: Schema = Schema::new("epoch", "gateway value");
static CLOCK: Schema = Schema::new("clock", "gateway ahead behind");

/// The kinds of events of hosts.
const HOST_EVENTS: [&str; 6] = [
    "status", "drain", "vanish", "appear", "priority", "metadata",
];
/// The kinds of events of gateways.
const GATEWAY_EVENTS: [&str; 5] = ["keys", "reload", "restart", "epoch", "clock"];

/// The latest time and the longest duration: a hundred years, in milliseconds.
const MAX_TIME: u64 = 3_155_760_000_000;

/// Reads an event; `None` after an error.
pub(super) fn read_event(
    node: &Node<'_>,
    path: Path,
    layout: Option<&Layout>,
    gateways: u32,
    report: &mut Report,
) -> Option<ScriptedEvent> {
    let message = Message::open(node, path, &EVENT, report)?;
    let at = if message.has("at") {
        millis(&message, "at", 0..=MAX_TIME, report)
    } else {
        report.push(message.error("at", "config/missing", "a required field is missing"));
        None
    };
    let kinds = || HOST_EVENTS.into_iter().chain(GATEWAY_EVENTS);
    let mut given = kinds().filter(|kind| message.has(kind));
    let Some(kind) = given.next() else {
        let names: alloc::vec::Vec<&str> = kinds().collect();
        let fault = message.error("hosts", "config/missing", "event without an action");
        report.push(fault.expected(format!("one of {}", names.join(", "))));
        return None;
    };
    if let Some(other) = given.next() {
        message.one_of(&[kind, other], report);
    }
    let of_hosts = HOST_EVENTS.contains(&kind);
    if of_hosts != message.has("hosts") {
        let fault = if of_hosts {
            message.error("hosts", "config/missing", "missing hosts")
        } else {
            message.error(
                "hosts",
                "config/one-of",
                "this event does not apply to hosts",
            )
        };
        report.push(fault.expected(if of_hosts {
            "a selector such as cluster=a or host=10.0.0.1:80"
        } else {
            "no hosts"
        }));
        return None;
    }
    let (event, name) = if of_hosts {
        host_event(&message, kind, layout, report)?
    } else {
        gateway_event(&message, kind, gateways, report)?
    };
    Some(ScriptedEvent {
        at: at?,
        event,
        name: message.string("name", report).map_or(name, String::from),
    })
}

/// The event and its default name; `None` after an error.
fn host_event(
    message: &Message<'_, '_>,
    kind: &str,
    layout: Option<&Layout>,
    report: &mut Report,
) -> Option<(WorldEvent, String)> {
    let text = message.required_string("hosts", report);
    let hosts = text
        .zip(message.get("hosts"))
        .zip(layout)
        .map(|((text, node), layout)| {
            let path = message.path.field("hosts");
            select(text, (node, &path), layout, report)
        });
    // Without a layout, its errors are already reported.
    let hosts = || hosts.flatten();
    let text = text?;
    Some(match kind {
        "status" => {
            let status = message.enumeration("status", &HEALTH_STATUS, report)?;
            let name = format!("{text} {}", status.name());
            (WorldEvent::Status(hosts()?, status), name)
        }
        "drain" => {
            let within = millis(message, "drain", 1..=MAX_TIME, report)?;
            (
                WorldEvent::Drain(hosts()?, within),
                format!("{text} drains"),
            )
        }
        "vanish" => {
            require_true(message, "vanish", report)?;
            (WorldEvent::Vanish(hosts()?), format!("{text} vanishes"))
        }
        "appear" => {
            require_true(message, "appear", report)?;
            (WorldEvent::Appear(hosts()?), format!("{text} appears"))
        }
        "priority" => {
            let priority = message.u32_within("priority", 0..=127, report)?;
            let name = format!("{text} to priority {priority}");
            (WorldEvent::Priority(hosts()?, priority as usize), name)
        }
        _ => {
            let metadata = read_metadata(message, "metadata", report);
            let name = format!("{text} gets metadata {metadata}");
            (WorldEvent::Metadata(hosts()?, metadata), name)
        }
    })
}

/// Reads a field that must be true.
fn require_true(message: &Message<'_, '_>, field: &'static str, report: &mut Report) -> Option<()> {
    if message.bool(field, report)? {
        return Some(());
    }
    let fault = message.error(field, "config/value", "must be true");
    report.push(fault.expected("true"));
    None
}

fn gateway_event(
    message: &Message<'_, '_>,
    kind: &str,
    gateways: u32,
    report: &mut Report,
) -> Option<(WorldEvent, String)> {
    let number = |message: &Message<'_, '_>, field, report: &mut Report| {
        let number = message.u32_within(field, 1..=gateways, report)?;
        Some((number as usize - 1, number))
    };
    Some(match kind {
        "keys" => {
            let (change, name) = read_keys(message, report)?;
            (WorldEvent::Keys(change), name)
        }
        "reload" => {
            let (gateway, named) = number(message, "reload", report)?;
            (
                WorldEvent::Reload(gateway),
                format!("gateway {named} reloads"),
            )
        }
        "restart" => {
            let (gateway, named) = number(message, "restart", report)?;
            (
                WorldEvent::Restart(gateway),
                format!("gateway {named} restarts"),
            )
        }
        "epoch" => {
            let epoch = message.message("epoch", &EPOCH, report)?;
            epoch.require("value", report);
            let value = epoch.u32_within("value", 0..=u16::MAX.into(), report);
            let gateway = if epoch.has("gateway") {
                Some(number(&epoch, "gateway", report)?)
            } else {
                None
            };
            let whose = gateway.map_or("every gateway".into(), |(_, named)| {
                format!("gateway {named}")
            });
            let value = u16::try_from(value?).ok()?;
            let event = WorldEvent::Epoch(gateway.map(|(at, _)| at), value);
            (event, format!("{whose}: epoch {value}"))
        }
        _ => {
            let clock = message.message("clock", &CLOCK, report)?;
            clock.one_of(&["ahead", "behind"], report);
            let ahead = millis(&clock, "ahead", 0..=MAX_TIME, report);
            let behind = millis(&clock, "behind", 0..=MAX_TIME, report);
            if !clock.has("ahead") && !clock.has("behind") {
                let fault = clock.error("ahead", "config/missing", "missing offset");
                report.push(fault.expected("ahead or behind"));
            }
            let (way, by) = match (ahead, behind) {
                (Some(ahead), _) => ("ahead", ahead),
                (None, behind) => ("behind", behind?),
            };
            let signed = i64::try_from(by).ok()?;
            let signed = if way == "ahead" { signed } else { -signed };
            let gateway = if clock.has("gateway") {
                Some(number(&clock, "gateway", report)?)
            } else {
                None
            };
            let whose = gateway.map_or("every clock".into(), |(_, named)| {
                format!("the clock of gateway {named}")
            });
            let name = format!("{whose} {} s {way}", by / 1_000);
            (WorldEvent::Clock(gateway.map(|(at, _)| at), signed), name)
        }
    })
}

fn read_keys(parent: &Message<'_, '_>, report: &mut Report) -> Option<(KeyChange, String)> {
    const CHANGES: [&str; 4] = ["add", "promote", "drop", "rotate"];
    let message = parent.message("keys", &KEYS, report)?;
    let mut given = CHANGES.into_iter().filter(|change| message.has(change));
    let Some(change) = given.next() else {
        let fault = message.error("rotate", "config/missing", "missing key change");
        report.push(fault.expected("add, promote, drop or rotate: true"));
        return None;
    };
    if let Some(other) = given.next() {
        message.one_of(&[change, other], report);
    }
    if change == "rotate" {
        require_true(&message, "rotate", report)?;
        return Some((KeyChange::Rotate, "keys rotate".into()));
    }
    let id = message.u32_within(change, 0..=255, report)?;
    let id = u8::try_from(id).ok()?;
    let of = match change {
        "add" => KeyChange::Add,
        "promote" => KeyChange::Promote,
        _ => KeyChange::Drop,
    };
    Some((of(id), format!("{change} key {id}")))
}
