//! Which derivation belongs to a step.

use spillgate_core::{
    decide::Decision,
    snapshot::Snapshot,
    subset::SetChoice,
    trace::StepData,
    why::{Why, why_linearized, why_priority},
};

/// The derivation of the load of the chosen priority; `None` for other steps. Loads within subsets have no
/// derivation.
#[must_use]
pub fn derivation(snapshot: &Snapshot, decision: &Decision, step: &StepData) -> Option<Why> {
    let priority = decision.priority?;
    match step {
        StepData::Priority(_) => {
            let whole = decision.subset.is_none_or(|s| s.choice == SetChoice::Whole);
            // The priority that an aggregate chooses is final, unless the member hashes.
            let hashes = snapshot.plain(priority.owner)?.settings.policy.hashes();
            let own = priority.owner == decision.cluster || hashes;
            let why = why_priority(snapshot, priority.owner, priority.number);
            why.filter(|_| whole && own)
        }
        // The choice of the aggregate; a member that hashes chooses the priority again.
        StepData::Member(choice) => why_linearized(snapshot, decision.cluster, choice.index),
        _ => None,
    }
}
