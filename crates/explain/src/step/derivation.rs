//! Which derivation belongs to a step.

use spillgate_core::{
    decide::Decision,
    snapshot::Snapshot,
    subset::SetChoice,
    trace::StepData,
    why::{Why, why_linearized_in, why_priority_in},
};

/// The derivation of the load of the chosen priority; `None` for other steps. Loads within subsets have no
/// derivation.
#[must_use]
pub fn derivation(snapshot: &Snapshot, decision: &Decision, step: &StepData) -> Option<Why> {
    let priority = decision.priority?;
    match step {
        StepData::Priority(choice) => {
            let whole = decision.subset.is_none_or(|s| s.choice == SetChoice::Whole);
            // The priority that an aggregate chooses is final, unless the member hashes.
            let hashes = snapshot.plain(priority.owner)?.settings.policy.hashes();
            let own = priority.owner == decision.cluster || hashes;
            let retry = choice.retry.as_ref();
            let why = why_priority_in(snapshot, priority.owner, priority.number, retry);
            why.filter(|_| whole && own)
        }
        // The choice of the aggregate; a member that hashes chooses the priority again.
        StepData::Member(choice) => {
            let retry = choice.retry.as_ref();
            why_linearized_in(snapshot, decision.cluster, choice.index, retry)
        }
        _ => None,
    }
}
