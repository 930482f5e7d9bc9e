//! Round robin: plain turns, or an EDF schedule where weights differ.

use alloc::vec::Vec;

use super::Edf;

/// The turn of one list of hosts.
#[derive(Debug, Clone)]
pub struct RoundRobin {
    /// Counts on when the list changes, as Envoy's index does.
    cursor: u64,
    schedule: Option<Schedule>,
}

#[derive(Debug, Clone)]
struct Schedule {
    edf: Edf,
    weights: Vec<f64>,
}

impl RoundRobin {
    /// Starts at a place that the seed gives, so that workers do not move in step.
    #[must_use]
    pub fn new(weights: &[u32], seed: u64) -> Self {
        Self::resume(weights, seed, seed)
    }

    /// The same list of hosts, changed: plain turns go on, a schedule starts anew.
    #[must_use]
    pub fn resume(weights: &[u32], seed: u64, cursor: u64) -> Self {
        let differ = weights.windows(2).any(|pair| pair.first() != pair.last());
        let schedule = differ.then(|| {
            let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight)).collect();
            Schedule {
                edf: Edf::with_picks(&weights, seed),
                weights,
            }
        });
        Self { cursor, schedule }
    }

    /// Where plain turns stand.
    #[must_use]
    pub const fn cursor(&self) -> u64 {
        self.cursor
    }

    /// The index of the next host of a list that is `len` long.
    pub fn pick(&mut self, len: usize) -> Option<usize> {
        match &mut self.schedule {
            Some(Schedule { edf, weights }) => edf
                .pick(|index| weights.get(index).copied().unwrap_or(1.0))
                .filter(|&index| index < len),
            None => {
                let index = self.cursor.checked_rem(len as u64)?;
                self.cursor = self.cursor.wrapping_add(1);
                Some(index as usize)
            }
        }
    }
}
