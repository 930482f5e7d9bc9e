//! Hash policies that have no host outside of the local zone.

use alloc::format;

use spillgate_mesh::Compat;

use super::{
    super::{context::MeshContext, rule::MeshRule, sight::Sight},
    views::policy_of,
};
use crate::{figures::percent, finding::Severity, sink::Sink};

/// Affinity tags enable locality weights, Kuma gives other zones none, and a hash policy builds its
/// table from the weights.
///
/// The table of every priority below the local zone is empty: requests that leave the zone get 503.
pub(in super::super) static WEIGHTLESS: MeshRule = MeshRule {
    id: "kuma-hash-cross-zone-weightless",
    severity: Severity::Error,
    summary: "affinity tags with RingHash or Maglev: requests that leave the zone get 503",
    check: weightless,
};

/// Finds views whose lower priorities have hosts but no table.
fn weightless(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        let own = entry.conf();
        let none = own.load_balancer.is_none() && own.locality_awareness.is_none();
        if none || !policy_of(entry.load_balancer()).hashes() {
            continue;
        }
        let known = entry.known_views(context).find_map(failing);
        let assumed = || {
            entry
                .assumed_views(Compat::Kuma)
                .into_iter()
                .find_map(failing)
        };
        let Some((sight, no_host)) = known.or_else(assumed) else {
            continue;
        };
        let kind = entry
            .load_balancer()
            .map_or("", |balancer| balancer.kind.as_str());
        let path = if own.load_balancer.is_some() {
            "loadBalancer.type"
        } else {
            "localityAwareness.localZone.affinityTags"
        };
        let cause = format!(
            "{kind} needs locality weights because of affinityTags, and Kuma gives other zones none"
        );
        let effect = format!(
            "if all hosts of {} fail, {} of its requests get 503, although other zones have hosts",
            sight.zone,
            percent(no_host)
        );
        let fix = "use RoundRobin, LeastRequest or Random, or remove affinityTags";
        sink.add(&entry.place(path), cause, effect, fix);
    }
}

/// A view with hosts of several priorities, and the percentage of requests without a host after the
/// first one has failed.
fn failing(sight: Sight) -> Option<(Sight, f64)> {
    if !sight.assignment.locality_weighted || sight.used_priorities().len() < 2 {
        return None;
    }
    let no_host = sight.shares_without_first().no_host;
    (no_host > 0.0).then_some((sight, no_host))
}
