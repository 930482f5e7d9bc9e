//! A set of host orders, by their number. Copies share the numbers.

use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OrderSet(Rc<[u64]>);

impl OrderSet {
    /// The orders from 0 on.
    pub(super) fn all(count: usize) -> Self {
        let words = (0..count.div_ceil(64)).map(|word| match count - word * 64 {
            left @ 0..64 => (1 << left) - 1,
            _ => u64::MAX,
        });
        Self(words.collect())
    }

    /// The lowest number.
    pub(super) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|word| *word != 0)?;
        let bits = self.0.get(word)?;
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// Those that fulfill a condition.
    pub(super) fn filter(&self, keeps: impl Fn(usize) -> bool) -> Self {
        let words = self.0.iter().enumerate().map(|(word, bits)| {
            let kept = (0..64).filter(|bit| bits & (1 << bit) != 0 && keeps(word * 64 + bit));
            kept.fold(0, |kept, bit| kept | 1 << bit)
        });
        Self(words.collect())
    }

    /// Those of this set that the other one has not.
    pub(super) fn without(&self, other: &Self) -> Self {
        self.join(other, |one, other| one & !other)
    }

    /// Those of both sets together.
    pub(super) fn with(&self, other: &Self) -> Self {
        self.join(other, |one, other| one | other)
    }

    fn join(&self, other: &Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let words = self.0.iter().zip(other.0.iter());
        Self(words.map(|(one, other)| join(*one, *other)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_joined_and_filtered() {
        let all = OrderSet::all(130);
        let high = all.filter(|order| order >= 128);
        assert_eq!((all.first(), high.first()), (Some(0), Some(128)));
        let low = all.without(&high);
        assert_eq!(low.filter(|order| order > 126).first(), Some(127));
        assert!(low.filter(|order| order > 127).is_empty());
        assert_eq!(low.with(&high), all);
        assert!(OrderSet::all(64).without(&OrderSet::all(64)).is_empty());
    }
}
