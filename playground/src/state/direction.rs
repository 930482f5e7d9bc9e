//! The direction of a step through a list.

/// A direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the next entry.
    Forward,
    /// To the previous entry.
    Back,
}
