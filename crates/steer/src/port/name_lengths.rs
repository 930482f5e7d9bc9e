//! The lengths of header names, as a filter before a search.

/// The lengths of the names of all headers of a request. Most searches are for headers that are absent,
/// and few names have the same length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NameLengths(u64);

impl NameLengths {
    /// Adds a name of this length.
    #[inline]
    pub fn add(&mut self, length: usize) {
        self.0 |= bit(length);
    }

    /// Whether a name of this length can be among them.
    #[must_use]
    #[inline]
    pub fn may_contain(self, length: usize) -> bool {
        self.0 & bit(length) != 0
    }
}

/// The bit of a length. All long names share one bit.
#[inline]
fn bit(length: usize) -> u64 {
    1 << length.min(63)
}
