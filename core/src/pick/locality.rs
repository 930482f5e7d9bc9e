//! The choice of a locality by effective weights.

use alloc::vec::Vec;

use super::Edf;

/// The EDF schedule of the localities of a priority, for one class of hosts.
#[derive(Debug, Clone)]
pub struct LocalitySchedule {
    edf: Edf,
    /// The localities with a weight above 0: index and weight.
    entries: Vec<(usize, f64)>,
}

impl LocalitySchedule {
    /// A schedule; `None` if no locality has a weight above 0. The seed sets the starting point.
    #[must_use]
    pub fn new(effective_weights: &[f64], seed: u64) -> Option<Self> {
        let entries: Vec<(usize, f64)> = effective_weights
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, weight)| *weight > 0.0)
            .collect();
        // Without a schedule, Envoy goes on to zone-aware routing or the whole priority.
        if entries.is_empty() {
            return None;
        }
        let weights: Vec<f64> = entries.iter().map(|(_, weight)| *weight).collect();
        Some(Self {
            edf: Edf::with_picks(&weights, seed),
            entries,
        })
    }

    /// The index of the next locality.
    pub fn pick(&mut self) -> Option<usize> {
        let entries = &self.entries;
        let weight = |at: usize| entries.get(at).map_or(0.0, |(_, weight)| *weight);
        let at = self.edf.pick(weight)?;
        entries.get(at).map(|(index, _)| *index)
    }
}
