//! Failover rules that an earlier rule makes useless.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::mesh::ValuePlace;
use spillgate_mesh::{Compat, MeshFault, MeshFaultCode, kuma::KumaFailover};

use super::super::{context::MeshContext, entry::KumaEntry, rule::MeshRule, sight::Sight};
use crate::{figures::percent, finding::Severity, sink::Sink};

/// A failover rule of type `None` precedes rules for the same proxies.
///
/// It takes no zone and does not end the list: later rules still apply.
pub(in super::super) static NONE_NOT_LAST: MeshRule = MeshRule {
    id: "kuma-none-not-last",
    severity: Severity::Warning,
    summary: "failover rule of type None before other rules, which still apply",
    check: none_not_last,
};

/// Earlier rules of type `Any` or `AnyExcept` take every zone of a rule.
///
/// The rule is never used.
pub(in super::super) static AFTER_ANY: MeshRule = MeshRule {
    id: "kuma-rule-after-any",
    severity: Severity::Warning,
    summary: "failover rule after a rule that takes all of its zones",
    check: after_any,
};

/// An earlier rule takes a zone of a rule.
///
/// The zone keeps the priority of the earlier rule.
pub(in super::super) static TAKEN: MeshRule = MeshRule {
    id: "kuma-zone-taken",
    severity: Severity::Warning,
    summary: "failover rule names a zone that an earlier rule takes",
    check: taken,
};

/// Finds rules of type `None` that do not end the list.
fn none_not_last(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        for fault in entry.warnings(MeshFaultCode::NoneHasNoEffect, &context.zones) {
            let effect = match leaving(entry) {
                Some((sight, share)) => format!(
                    "Kuma ignores it and applies the later rules: if all hosts of {} fail, {} of its \
                     requests go to other zones",
                    sight.zone,
                    percent(share)
                ),
                None => String::from("Kuma ignores it and applies the later rules"),
            };
            let cause = "a failover rule of type None precedes rules for the same proxies";
            let fix = "remove it, or remove the later rules";
            sink.add(&entry.place(&fault.path), cause, effect, fix);
        }
    }
}

/// The view with the most requests to other zones after the loss of the local zone.
fn leaving(entry: &KumaEntry<'_>) -> Option<(Sight, f64)> {
    let views = entry.assumed_views(Compat::Kuma).into_iter();
    let shares = views.map(|sight| {
        let found = sight.shares_without_first();
        let share = found.shares.iter().filter(|share| share.priority > 0);
        let share = share.map(|share| share.share).sum::<f64>();
        (sight, share)
    });
    let leaving = shares.filter(|(_, share)| *share > 0.0);
    leaving.max_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// The failover rule that a fault is in, its index, and the earlier rules.
fn rule_at<'d>(
    entry: &KumaEntry<'d>,
    fault: &MeshFault,
) -> Option<(&'d KumaFailover, usize, &'d [KumaFailover])> {
    let locality = entry.conf().locality_awareness.as_ref()?;
    let rules = locality.cross_zone.as_ref()?.failover.as_deref()?;
    let (_, after) = fault.path.split_once(".failover[")?;
    let (index, _) = after.split_once(']')?;
    let index = index.parse().ok()?;
    Some((rules.get(index)?, index, rules.get(..index)?))
}

/// Whether one of the earlier rules takes all zones but some.
fn follows_any(earlier: &[KumaFailover]) -> bool {
    earlier.iter().any(|rule| rule.to.kind.starts_with("Any"))
}

/// Finds rules after `Any`.
fn after_any(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        for fault in entry.warnings(MeshFaultCode::UnreachableRule, &context.zones) {
            let Some((_, index, earlier)) = rule_at(entry, &fault) else {
                continue;
            };
            if follows_any(earlier) {
                report_unreachable(index, &entry.place(&fault.path), sink);
            }
        }
    }
}

/// Finds zones that earlier rules take.
fn taken(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        for fault in entry.warnings(MeshFaultCode::UnreachableRule, &context.zones) {
            let Some((_, index, earlier)) = rule_at(entry, &fault) else {
                continue;
            };
            if !follows_any(earlier) {
                report_unreachable(index, &entry.place(&fault.path), sink);
            }
        }
        let mut faults: Vec<MeshFault> = entry
            .warnings(MeshFaultCode::ZoneTakenByEarlierRule, &context.zones)
            .collect();
        // In reverse, so that the indexes of the other zones stay valid.
        faults.reverse();
        for fault in &faults {
            let Some((rule, index, _)) = rule_at(entry, fault) else {
                continue;
            };
            let zone = last_index(&fault.path)
                .and_then(|at| rule.to.zones.as_ref()?.get(at))
                .map_or("", String::as_str);
            let cause = format!("an earlier rule takes zone {}", quoted(zone));
            let effect = format!(
                "priority {} has no endpoints of that zone; they keep the priority of the earlier rule",
                index + 1
            );
            let place = entry.place(&fault.path);
            let fix = "remove the zone, or move the rule before the other one";
            sink.add(&place, cause, effect, fix).remove(&place.path);
        }
    }
}

/// The index at the end of a path.
fn last_index(path: &str) -> Option<usize> {
    let (_, index) = path.strip_suffix(']')?.rsplit_once('[')?;
    index.parse().ok()
}

fn report_unreachable(index: usize, place: &ValuePlace, sink: &mut Sink) {
    let cause = "earlier rules take every zone of this rule";
    let effect = format!("the rule is never used: priority {} stays empty", index + 1);
    let fix = "remove it, or move it before the rule that takes its zones";
    sink.add(place, cause, effect, fix).remove(&place.path);
}
