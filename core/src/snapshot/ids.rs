//! How clusters and hosts are named within a snapshot.

/// The number of a cluster within one snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterId(u32);

impl ClusterId {
    pub(super) const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The place in [`Snapshot::clusters`](super::Snapshot::clusters).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One host of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostRef {
    /// The cluster that owns it.
    pub cluster: ClusterId,
    /// Its priority in that cluster.
    pub priority: usize,
    /// Its index in the priority.
    pub host: usize,
}
