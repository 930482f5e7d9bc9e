//! Entries that configure no destination.

use alloc::{collections::BTreeSet, format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::nearest;

use super::super::{context::MeshContext, names::listed, rule::MeshRule};
use crate::{finding::Severity, sink::Sink};

/// The `targetRef` of an entry selects no destination of its mesh. Often the name is misspelled.
///
/// The entry has no effect. Not reported if the input has no destination of that kind.
pub(in super::super) static NO_DESTINATION: MeshRule = MeshRule {
    id: "kuma-target-no-destination",
    severity: Severity::Warning,
    summary: "policy for a service that does not exist",
    check: no_destination,
};

/// Finds entries without destinations.
fn no_destination(context: &MeshContext<'_>, sink: &mut Sink) {
    let mut skipped = context.documents.skipped.iter();
    // ExternalServices are not read, and a MeshService may name one.
    if skipped.any(|document| document.kind == "ExternalService") {
        return;
    }
    for entry in &context.idle_entries {
        let target = entry.target();
        let known = entry.known_destinations(&context.kuma).into_iter();
        let known: BTreeSet<&str> = known
            .map(|input| input.destination.meta.name.as_str())
            .collect();
        let written = match (target.name.as_deref(), target.labels.is_some()) {
            (Some(name), false) => format!("{} {}", target.kind, quoted(name)),
            _ => format!("{} with these labels", target.kind),
        };
        let cause = format!("no destination of the mesh is {written}");
        let effect = format!(
            "the entry applies to no request; destinations: {}",
            listed(known.iter().copied())
        );
        let meant = target
            .name
            .as_deref()
            .and_then(|name| nearest(name, known.iter().copied()));
        let fix = match meant.filter(|meant| target.name.as_deref() != Some(meant)) {
            Some(meant) => format!("did you mean {}?", quoted(meant)),
            None => String::from("select an existing service, or remove the entry"),
        };
        sink.add(&entry.target_place(), cause, effect, fix);
    }
}
