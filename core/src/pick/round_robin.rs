//! Round robin: hosts in order, or an EDF schedule for different weights.

use alloc::boxed::Box;

use super::Edf;

/// The position in a host list.
///
/// Envoy keeps one index for each host list of a load balancer. It starts at a random seed and
/// continues when the list changes: `host = list[index % len]`.
///
/// # Examples
/// ```
/// use spillgate_core::pick::Turns;
///
/// let mut turns = Turns::plain(4);
/// assert_eq!(turns.pick(3, |_| 1.0), Some(1));
/// assert_eq!(turns.pick(3, |_| 1.0), Some(2));
/// assert_eq!(turns.pick(3, |_| 1.0), Some(0));
/// assert_eq!(turns.pick(0, |_| 1.0), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Turns {
    /// Continues when the list changes, as Envoy's index does.
    cursor: u64,
    /// The cursor modulo `len`, so that a list of the same length needs no division.
    index: usize,
    /// The length of the list at the last pick; 0 before the first pick.
    len: usize,
    schedule: Option<Box<Edf>>,
}

impl Turns {
    /// Unweighted round robin. The cursor is a random seed, so that workers start at different
    /// hosts.
    #[must_use]
    pub const fn plain(cursor: u64) -> Self {
        Self {
            cursor,
            index: 0,
            len: 0,
            schedule: None,
        }
    }

    /// Weighted round robin by an EDF schedule. A list of fewer than two hosts needs no schedule.
    #[must_use]
    pub fn weighted(weights: &[f64], seed: u64, cursor: u64) -> Self {
        Self {
            schedule: (weights.len() > 1).then(|| Box::new(Edf::with_picks(weights, seed))),
            ..Self::plain(cursor)
        }
    }

    /// The cursor of unweighted round robin.
    #[must_use]
    pub const fn cursor(&self) -> u64 {
        self.cursor
    }

    /// The schedule; `None` for unweighted round robin.
    #[must_use]
    pub fn schedule(&self) -> Option<&Edf> {
        self.schedule.as_deref()
    }

    /// The index of the next host in a list of length `len`; `None` for an empty list. `weight`
    /// returns the weight with which a scheduled host is added to the schedule again.
    pub fn pick(&mut self, len: usize, weight: impl FnOnce(usize) -> f64) -> Option<usize> {
        if let Some(index) = self.pick_scheduled(weight) {
            // A schedule belongs to its host list; a shorter list means that the state is of an older one.
            return Some(index).filter(|&index| index < len);
        }
        let last = len.checked_sub(1)?;
        // Another length, or the cursor has wrapped: only then a division.
        if self.len != len || self.cursor == 0 {
            self.index = self.cursor.checked_rem(len as u64)? as usize;
            self.len = len;
        }
        let index = self.index;
        self.cursor = self.cursor.wrapping_add(1);
        self.index = if index < last { index + 1 } else { 0 };
        Some(index)
    }

    /// The next host of the schedule; `None` for unweighted round robin.
    pub fn pick_scheduled(&mut self, weight: impl FnOnce(usize) -> f64) -> Option<usize> {
        self.schedule.as_mut()?.pick(weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_the_cursor_modulo_the_list_length() {
        for start in [0, 7, 1000, u64::MAX - 4] {
            let mut turns = Turns::plain(start);
            let lengths = [3, 3, 3, 3, 5, 5, 1, 0, 3, 3, 5, 5, 5, 5, 5, 5];
            let mut cursor = start;
            for len in lengths {
                let expected = cursor.checked_rem(len as u64).map(|index| index as usize);
                assert_eq!(turns.pick(len, |_| 1.0), expected, "{cursor} of {len}");
                if expected.is_some() {
                    cursor = cursor.wrapping_add(1);
                }
                assert_eq!(turns.cursor(), cursor);
            }
        }
    }
}
