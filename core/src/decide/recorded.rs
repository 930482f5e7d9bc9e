//! Draws that a trace remembers.

use alloc::vec::Vec;

use crate::{draw::Draw, trace::Trace};

/// A source of random numbers, and the numbers since the last [`RecordedDraws::forget`] if the trace has
/// them.
pub(super) struct RecordedDraws<'a, D> {
    draw: &'a mut D,
    numbers: Option<Vec<u64>>,
}

impl<'a, D: Draw> RecordedDraws<'a, D> {
    pub(super) fn new(draw: &'a mut D, trace: &impl Trace) -> Self {
        Self {
            draw,
            numbers: trace.has_numbers().then(Vec::new),
        }
    }

    /// The numbers, in order; empty if the trace does not have them.
    pub(super) fn numbers(&self) -> &[u64] {
        self.numbers.as_deref().unwrap_or_default()
    }

    /// Forgets the numbers.
    pub(super) fn forget(&mut self) {
        if let Some(numbers) = &mut self.numbers {
            numbers.clear();
        }
    }
}

impl<D: Draw> Draw for RecordedDraws<'_, D> {
    #[inline]
    fn draw(&mut self) -> u64 {
        let number = self.draw.draw();
        if let Some(numbers) = &mut self.numbers {
            numbers.push(number);
        }
        number
    }
}
