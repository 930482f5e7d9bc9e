//! Zones in failover rules that change nothing.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::nearest;
use spillgate_mesh::MeshFaultCode;

use super::super::{context::MeshContext, entry::KumaEntry, rule::MeshRule};
use crate::{finding::Severity, json, sink::Sink};

/// A failover rule names only the zone of its own proxies.
///
/// Priority 0 serves that zone already; the rule adds no host.
pub(in super::super) static OWN: MeshRule = MeshRule {
    id: "kuma-own-zone",
    severity: Severity::Warning,
    summary: "failover rule to the zone of its own proxies",
    check: own,
};

/// A failover rule names a zone without proxies and endpoints, or an empty name. Often the name is
/// misspelled.
///
/// The rule adds no host of that zone, or does not apply to any proxy.
pub(in super::super) static NO_ENDPOINT: MeshRule = MeshRule {
    id: "kuma-zone-no-endpoint",
    severity: Severity::Warning,
    summary: "failover rule names a zone that no endpoint has",
    check: no_endpoint,
};

/// Finds rules to their own zone.
fn own(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        for fault in entry.warnings(MeshFaultCode::OwnZone, &context.zones) {
            let cause = "the rule names the zone of its own proxies";
            let effect = "priority 0 serves this zone already: if it fails, the rule adds 0 hosts";
            let place = entry.place(&fault.path);
            sink.add(
                &place,
                cause,
                effect,
                "name another zone, or remove the rule",
            );
        }
    }
}

/// Finds zones without endpoints.
fn no_endpoint(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        for fault in entry.warnings(MeshFaultCode::EmptyZoneName, &context.zones) {
            let place = entry.place(&fault.path);
            let (cause, effect) = (
                "empty zone name",
                "it matches endpoints without a zone only",
            );
            sink.add(&place, cause, effect, "name a zone, or remove the entry");
        }
        // The documents of a single zone do not show the others.
        if context.zones.len() < 2 {
            continue;
        }
        for fault in entry.warnings(MeshFaultCode::UnknownZone, &context.zones) {
            let place = entry.place(&fault.path);
            let written = written_zone(entry, &fault.path);
            let cause = format!("no proxy and no endpoint is in zone {}", quoted(written));
            let effect = if fault.path.contains(".from.") {
                "the rule does not apply to any proxy for this entry"
            } else {
                "the rule adds 0 hosts for this entry"
            };
            let known = context.zones.iter().map(String::as_str);
            let meant = nearest(written, known);
            let fix = match meant {
                Some(meant) => format!("write {}", quoted(meant)),
                None => String::from("name a zone with endpoints, or remove the entry"),
            };
            let finding = sink.add(&place, cause, effect, fix);
            if let Some(meant) = meant {
                finding.set(&place.path, json::text(meant));
            }
        }
    }
}

/// The zone at a path such as `localityAwareness.crossZone.failover[0].to.zones[1]`.
fn written_zone<'d>(entry: &KumaEntry<'d>, path: &str) -> &'d str {
    let found = || {
        let locality = entry.conf().locality_awareness.as_ref()?;
        let rules = locality.cross_zone.as_ref()?.failover.as_deref()?;
        let (_, after) = path.split_once(".failover[")?;
        let (rule, after) = after.split_once(']')?;
        let (side, after) = after.split_once(".zones[")?;
        let rule = rules.get(rule.parse::<usize>().ok()?)?;
        let zones = match side {
            ".from" => rule.from_zones.as_ref()?,
            _ => rule.to.zones.as_ref()?,
        };
        let zone = after.strip_suffix(']')?.parse::<usize>().ok()?;
        zones.get(zone).map(String::as_str)
    };
    found().unwrap_or_default()
}
