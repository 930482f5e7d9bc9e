//! What a priority must be able to take: its highest load over all cases.

use alloc::vec::Vec;

use super::{CaseReport, PriorityDemand, PriorityPlace};

/// The highest load of a priority.
#[derive(Debug, Clone, PartialEq)]
pub struct PriorityNeed {
    /// The priority.
    pub place: PriorityPlace,
    /// The index of the case with the highest load; the first of several.
    pub case: usize,
    /// The load in this case.
    pub demand: PriorityDemand,
}

/// The highest load of each priority.
pub(super) fn needs(cases: &[CaseReport]) -> Vec<PriorityNeed> {
    let mut needs: Vec<PriorityNeed> = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        for demand in &case.priorities {
            let need = || PriorityNeed {
                place: demand.place.clone(),
                case: at,
                demand: demand.clone(),
            };
            match needs.iter_mut().find(|known| known.place == demand.place) {
                Some(known) if demand.rps > known.demand.rps => *known = need(),
                Some(_) => {}
                None => needs.push(need()),
            }
        }
    }
    needs.sort_by(|a, b| a.place.cmp(&b.place));
    needs
}
