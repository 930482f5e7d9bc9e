//! Turns: each host in order, or an EDF schedule where weights differ.

use alloc::boxed::Box;

use super::Edf;

/// The turns of one list of hosts.
#[derive(Debug, Clone, Default)]
pub struct Turns {
    /// Counts on when the list changes, as Envoy's index does.
    cursor: u64,
    /// The cursor modulo `len`: a turn in a list of the same length divides nothing.
    place: usize,
    /// The length of the list of the turn before; 0 before the first one.
    len: usize,
    schedule: Option<Box<Edf>>,
}

impl Turns {
    /// Plain turns, from a place that the seed gives, so that workers do not move in step.
    #[must_use]
    pub const fn plain(cursor: u64) -> Self {
        Self {
            cursor,
            place: 0,
            len: 0,
            schedule: None,
        }
    }

    /// Turns by weight. A list of one host, or of none, needs no schedule.
    #[must_use]
    pub fn weighted(weights: &[f64], seed: u64, cursor: u64) -> Self {
        Self {
            schedule: (weights.len() > 1).then(|| Box::new(Edf::with_picks(weights, seed))),
            ..Self::plain(cursor)
        }
    }

    /// Where plain turns stand.
    #[must_use]
    pub const fn cursor(&self) -> u64 {
        self.cursor
    }

    /// The place of the next host of a list that is `len` long. `weight` gives the weight with
    /// which a scheduled host queues up again.
    pub fn pick(&mut self, len: usize, weight: impl FnOnce(usize) -> f64) -> Option<usize> {
        if let Some(place) = self.pick_scheduled(weight) {
            return Some(place).filter(|&place| place < len);
        }
        let last = len.checked_sub(1)?;
        if self.len != len || self.cursor == 0 {
            self.place = self.cursor.checked_rem(len as u64)? as usize;
            self.len = len;
        }
        let place = self.place;
        self.cursor = self.cursor.wrapping_add(1);
        self.place = if place < last { place + 1 } else { 0 };
        Some(place)
    }

    /// The same where there is a schedule; `None` where turns are plain.
    pub fn pick_scheduled(&mut self, weight: impl FnOnce(usize) -> f64) -> Option<usize> {
        self.schedule.as_mut()?.pick(weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_the_cursor_modulo_the_length_of_the_list() {
        for start in [0, 7, 1000, u64::MAX - 4] {
            let mut turns = Turns::plain(start);
            let lengths = [3, 3, 3, 3, 5, 5, 1, 0, 3, 3, 5, 5, 5, 5, 5, 5];
            let mut cursor = start;
            for len in lengths {
                let expected = cursor.checked_rem(len as u64).map(|place| place as usize);
                assert_eq!(turns.pick(len, |_| 1.0), expected, "{cursor} of {len}");
                if expected.is_some() {
                    cursor = cursor.wrapping_add(1);
                }
                assert_eq!(turns.cursor(), cursor);
            }
        }
    }
}
