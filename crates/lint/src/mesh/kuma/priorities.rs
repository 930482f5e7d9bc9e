//! Gaps in the priorities of a policy.

use alloc::format;

use spillgate_mesh::Compat;

use super::super::{context::MeshContext, rule::MeshRule, sight::Sight};
use crate::{finding::Severity, sink::Sink};

/// Failover rules that do not apply to a proxy, or take no zone, leave a gap in its priorities.
///
/// Envoy skips the empty number; gRPC rejects the whole assignment.
pub(in super::super) static GAP: MeshRule = MeshRule {
    id: "kuma-priority-gap",
    severity: Severity::Info,
    summary: "failover rules that leave a gap in the priority numbers",
    check: gap,
};

/// Finds views with a gap.
fn gap(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        if entry.conf().locality_awareness.is_none() {
            continue;
        }
        let assumed = entry.assumed_views(Compat::Kuma).into_iter();
        let Some((sight, empty, next)) = assumed.filter_map(first_gap).next() else {
            continue;
        };
        let place = format!(
            "localityAwareness.crossZone.failover[{}]",
            next.saturating_sub(1)
        );
        let cause = format!(
            "proxies in {} have priority {next} but no priority {empty}",
            sight.zone
        );
        let effect = "Envoy skips the empty number; gRPC rejects the whole assignment";
        let fix = "put the rules for all proxies last, remove rules of type None, or convert with --portable";
        sink.add(&entry.place(&place), cause, effect, fix);
    }
}

/// The first missing priority, and the next one with endpoints.
fn first_gap(sight: Sight) -> Option<(Sight, u32, u32)> {
    let used = sight.used_priorities();
    let found = (0_u32..)
        .zip(&used)
        .find(|(number, used)| *number != **used);
    let (empty, next) = found.map(|(number, used)| (number, *used))?;
    Some((sight, empty, next))
}
