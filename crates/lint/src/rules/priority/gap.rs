//! Gaps in priority numbers.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_core::order::sorted;

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// The priority numbers have a gap.
///
/// Envoy skips the empty number; gRPC rejects the whole assignment.
pub(crate) static GAP: Rule = Rule {
    id: "priority-gap",
    severity: Severity::Info,
    summary: "gap in the priority numbers",
    check: gap,
};

/// Finds an empty priority before one with hosts.
fn gap(context: &Context<'_>, sink: &mut Sink) {
    for cluster in &context.facts.clusters {
        let used = cluster.localities.iter().map(|entry| entry.priority);
        let mut used = sorted(used.collect(), usize::cmp);
        used.dedup();
        let empty = used.iter().enumerate().find(|(at, number)| at < number);
        let Some((empty, &next)) = empty else {
            continue;
        };
        let mut entries = cluster.localities.iter();
        let Some(entry) = entries.find(|entry| entry.priority == next) else {
            continue;
        };
        let cause = format!(
            "cluster {} has priority {next} but no priority {empty}",
            quoted(&cluster.name)
        );
        let effect = "Envoy skips the empty number; gRPC rejects the whole assignment";
        let fix = "number the priorities without gaps";
        let finding = sink.add(&entry.place.field("priority"), cause, effect, fix);
        for entry in &cluster.localities {
            let number = used.iter().position(|number| *number == entry.priority);
            if let Some(number) = number.filter(|number| *number != entry.priority) {
                finding.set(entry.place.field("priority").path, format!("{number}"));
            }
        }
    }
}
