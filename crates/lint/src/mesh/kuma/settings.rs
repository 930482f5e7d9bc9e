//! `localityAwareness` without the intended effect.

use alloc::{format, string::String};

use spillgate_mesh::{Compat, MeshFaultCode};

use super::super::{
    context::MeshContext,
    entry::KumaEntry,
    rule::MeshRule,
    sight::{SPILL_HOSTS, spill_point},
};
use crate::{figures::percent, finding::Severity, sink::Sink};

/// `localityAwareness` is an empty object.
///
/// It neither disables locality awareness nor keeps requests in the zone: other zones have priority
/// 1.
pub(in super::super) static EMPTY: MeshRule = MeshRule {
    id: "kuma-empty-block",
    severity: Severity::Warning,
    summary: "empty localityAwareness, which does not keep requests in the zone",
    check: empty,
};

/// `disabled: true` together with `localZone` or `crossZone`.
///
/// Released Kuma ignores `disabled` and applies the blocks.
pub(in super::super) static DISABLED: MeshRule = MeshRule {
    id: "kuma-disabled-with-rules",
    severity: Severity::Warning,
    summary: "disabled has no effect together with localZone or crossZone",
    check: disabled,
};

/// Finds empty blocks.
fn empty(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        for fault in entry.warnings(MeshFaultCode::EmptyLocalityAwareness, &context.zones) {
            let lost = spill_point(None);
            let effect = format!(
                "other zones have priority 1 and get requests after {lost} of {SPILL_HOSTS} local hosts \
                 fail"
            );
            let fix = "write localZone: {affinityTags: []} to keep requests in the zone, or disabled: true \
                       to use all zones";
            let cause = "an empty localityAwareness changes nothing";
            sink.add(&entry.place(&fault.path), cause, effect, fix);
        }
    }
}

/// Finds `disabled` with other blocks.
fn disabled(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        for fault in entry.warnings(MeshFaultCode::DisabledIgnored, &context.zones) {
            let locality = entry.conf().locality_awareness.as_ref();
            let cause = "disabled: true together with localZone or crossZone";
            let mut effect = String::from("Kuma ignores disabled and applies the blocks");
            if let (Some(actual), Some(intended)) = (
                local_share(entry, Compat::Kuma),
                local_share(entry, Compat::Madr),
            ) {
                effect.push_str(&format!(
                    ": with a host in each zone, {} of requests stay in their zone, instead of {}",
                    percent(actual),
                    percent(intended)
                ));
            }
            let place = entry.place("localityAwareness");
            let fix = "remove localZone and crossZone, or remove disabled";
            let finding = sink.add(&entry.place(&fault.path), cause, effect, fix);
            if locality.is_some_and(|locality| locality.local_zone.is_some()) {
                finding.remove(format!("{}.localZone", place.path));
            }
            if locality.is_some_and(|locality| locality.cross_zone.is_some()) {
                finding.remove(format!("{}.crossZone", place.path));
            }
        }
    }
}

/// The share of the requests of the first assumed proxy that stay in its zone.
fn local_share(entry: &KumaEntry<'_>, compat: Compat) -> Option<f64> {
    let sight = entry.assumed_views(compat).into_iter().next()?;
    let shares = sight.shares();
    Some(sight.share_of(&shares, |locality| locality.zone == sight.local))
}
