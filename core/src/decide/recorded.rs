//! Draws that a numbered trace remembers.

use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::{draw::Draw, trace::Trace};

/// A source of random numbers, and the numbers since the last [`RecordedDraws::forget`] if the steps of the
/// trace `T` have them.
pub(super) struct RecordedDraws<'a, D, T> {
    draw: &'a mut D,
    numbers: Vec<u64>,
    trace: PhantomData<T>,
}

impl<'a, D: Draw, T: Trace> RecordedDraws<'a, D, T> {
    pub(super) const fn new(draw: &'a mut D) -> Self {
        Self {
            draw,
            numbers: Vec::new(),
            trace: PhantomData,
        }
    }

    /// The numbers, in order.
    pub(super) fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// Forgets the numbers.
    pub(super) fn forget(&mut self) {
        if T::NUMBERED {
            self.numbers.clear();
        }
    }
}

impl<D: Draw, T: Trace> Draw for RecordedDraws<'_, D, T> {
    #[inline]
    fn draw(&mut self) -> u64 {
        let number = self.draw.draw();
        if T::NUMBERED {
            self.numbers.push(number);
        }
        number
    }
}
