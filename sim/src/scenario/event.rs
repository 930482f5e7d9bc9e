//! `events[]`: what happens at certain times.

use alloc::{format, string::String};

use crate::world::{Happening, KeyChange, Layout, Scripted};

use super::{hosts::select, millis::millis};
use spillgate_config::{
    envoy::{HEALTH_STATUS, read_metadata},
    node::Node,
    proto::{Message, Path, Report, Schema},
};

static EVENT: Schema = Schema::new(
    "events[]",
    "at name hosts status drain vanish appear priority metadata keys reload restart clock",
);

static KEYS: Schema = Schema::new("keys", "add promote drop rotate");
static CLOCK: Schema = Schema::new("clock", "gateway ahead behind");

/// What happens to hosts.
const OF_HOSTS: [&str; 6] = [
    "status", "drain", "vanish", "appear", "priority", "metadata",
];
/// What happens to gateways.
const OF_GATEWAYS: [&str; 4] = ["keys", "reload", "restart", "clock"];

/// A hundred years, in milliseconds.
const LATEST: u64 = 3_155_760_000_000;

/// Reads an event; `None` after an error.
pub(super) fn read_event(
    node: &Node<'_>,
    path: Path,
    layout: Option<&Layout>,
    gateways: u32,
    report: &mut Report,
) -> Option<Scripted> {
    let message = Message::open(node, path, &EVENT, report)?;
    let at = match message.has("at") {
        true => millis(&message, "at", 0..=LATEST, report),
        false => {
            report.push(message.error("at", "config/missing", "a required field is missing"));
            None
        }
    };
    let kinds = || OF_HOSTS.into_iter().chain(OF_GATEWAYS);
    let mut given = kinds().filter(|kind| message.has(kind));
    let Some(kind) = given.next() else {
        let names: alloc::vec::Vec<&str> = kinds().collect();
        let fault = message.error("hosts", "config/missing", "nothing happens");
        report.push(fault.expected(format!("one of {}", names.join(", "))));
        return None;
    };
    if let Some(other) = given.next() {
        message.one_of(&[kind, other], report);
    }
    let of_hosts = OF_HOSTS.contains(&kind);
    if of_hosts != message.has("hosts") {
        let fault = match of_hosts {
            true => message.error("hosts", "config/missing", "nothing is said of whose"),
            false => message.error("hosts", "config/one-of", "this does not happen to hosts"),
        };
        report.push(fault.expected(match of_hosts {
            true => "a selector such as cluster=a or host=10.0.0.1:80",
            false => "no hosts",
        }));
        return None;
    }
    let (what, told) = match of_hosts {
        true => of_some(&message, kind, layout, report)?,
        false => of_gateways(&message, kind, gateways, report)?,
    };
    Some(Scripted {
        at: at?,
        what,
        name: message.string("name", report).map_or(told, String::from),
    })
}

fn of_some(
    message: &Message<'_, '_>,
    kind: &str,
    layout: Option<&Layout>,
    report: &mut Report,
) -> Option<(Happening, String)> {
    let text = message.required_string("hosts", report);
    let hosts = text.zip(message.get("hosts")).zip(layout);
    let hosts = hosts.map(|((text, node), layout)| {
        let path = message.path.field("hosts");
        select(text, (node, &path), layout, report)
    });
    // Without a layout its faults are told already.
    let hosts = || hosts.flatten();
    let text = text?;
    Some(match kind {
        "status" => {
            let status = message.enumeration("status", &HEALTH_STATUS, report)?;
            let told = format!("{text} {}", status.name());
            (Happening::Status(hosts()?, status), told)
        }
        "drain" => {
            let within = millis(message, "drain", 1..=LATEST, report)?;
            (Happening::Drain(hosts()?, within), format!("{text} drains"))
        }
        "vanish" => {
            certain(message, "vanish", report)?;
            (Happening::Vanish(hosts()?), format!("{text} vanishes"))
        }
        "appear" => {
            certain(message, "appear", report)?;
            (Happening::Appear(hosts()?), format!("{text} appears"))
        }
        "priority" => {
            let priority = message.u32_within("priority", 0..=127, report)?;
            let told = format!("{text} to priority {priority}");
            (Happening::Priority(hosts()?, priority as usize), told)
        }
        _ => {
            let metadata = read_metadata(message, "metadata", report);
            let told = format!("{text} carries {metadata}");
            (Happening::Metadata(hosts()?, metadata), told)
        }
    })
}

/// A field that can only be true.
fn certain(message: &Message<'_, '_>, field: &'static str, report: &mut Report) -> Option<()> {
    if message.bool(field, report)? {
        return Some(());
    }
    let fault = message.error(field, "config/value", "nothing happens");
    report.push(fault.expected("true"));
    None
}

fn of_gateways(
    message: &Message<'_, '_>,
    kind: &str,
    gateways: u32,
    report: &mut Report,
) -> Option<(Happening, String)> {
    let number = |message: &Message<'_, '_>, field, report: &mut Report| {
        let number = message.u32_within(field, 1..=gateways, report)?;
        Some((number as usize - 1, number))
    };
    Some(match kind {
        "keys" => {
            let (change, told) = read_keys(message, report)?;
            (Happening::Keys(change), told)
        }
        "reload" => {
            let (gateway, named) = number(message, "reload", report)?;
            (
                Happening::Reload(gateway),
                format!("gateway {named} reloads"),
            )
        }
        "restart" => {
            let (gateway, named) = number(message, "restart", report)?;
            (
                Happening::Restart(gateway),
                format!("gateway {named} restarts"),
            )
        }
        _ => {
            let clock = message.message("clock", &CLOCK, report)?;
            clock.one_of(&["ahead", "behind"], report);
            let ahead = millis(&clock, "ahead", 0..=LATEST, report);
            let behind = millis(&clock, "behind", 0..=LATEST, report);
            if !clock.has("ahead") && !clock.has("behind") {
                let fault = clock.error("ahead", "config/missing", "nothing is said of how far");
                report.push(fault.expected("ahead or behind"));
            }
            let (way, by) = match (ahead, behind) {
                (Some(ahead), _) => ("ahead", ahead),
                (None, behind) => ("behind", behind?),
            };
            let signed = i64::try_from(by).ok()?;
            let signed = if way == "ahead" { signed } else { -signed };
            let gateway = match clock.has("gateway") {
                true => Some(number(&clock, "gateway", report)?),
                false => None,
            };
            let whose = gateway.map_or("every clock".into(), |(_, named)| {
                format!("the clock of gateway {named}")
            });
            let told = format!("{whose} {} s {way}", by / 1_000);
            (Happening::Clock(gateway.map(|(at, _)| at), signed), told)
        }
    })
}

fn read_keys(parent: &Message<'_, '_>, report: &mut Report) -> Option<(KeyChange, String)> {
    const CHANGES: [&str; 4] = ["add", "promote", "drop", "rotate"];
    let message = parent.message("keys", &KEYS, report)?;
    let mut given = CHANGES.into_iter().filter(|change| message.has(change));
    let Some(change) = given.next() else {
        let fault = message.error(
            "rotate",
            "config/missing",
            "nothing is said of what is done",
        );
        report.push(fault.expected("add, promote, drop or rotate: true"));
        return None;
    };
    if let Some(other) = given.next() {
        message.one_of(&[change, other], report);
    }
    if change == "rotate" {
        certain(&message, "rotate", report)?;
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
