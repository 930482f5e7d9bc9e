//! What only one of two sides has.

use std::collections::BTreeMap;

/// What only one side has.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OneSided<T> {
    /// What only the new side has.
    pub new: Vec<T>,
    /// What only the old side has.
    pub gone: Vec<T>,
}

impl<T> OneSided<T> {
    /// Whether no side has anything that the other one does not have.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty()
    }
}

/// What only one of two lists has, each element as often as it is there more often. Elements with one key are the
/// same.
pub fn one_sided<'t, T, K: Ord>(
    old: &'t [T],
    new: &'t [T],
    key: impl Fn(&'t T) -> K,
) -> OneSided<&'t T> {
    let only = |of: &'t [T], other: &'t [T]| {
        let mut left: BTreeMap<K, usize> = BTreeMap::new();
        for one in other {
            *left.entry(key(one)).or_default() += 1;
        }
        let is_left = |one: &&'t T| match left.get_mut(&key(one)) {
            Some(count @ 1..) => {
                *count -= 1;
                false
            }
            _ => true,
        };
        of.iter().filter(is_left).collect()
    };
    OneSided {
        new: only(new, old),
        gone: only(old, new),
    }
}
