//! Ids of clusters and hosts within a snapshot.

/// The index of a cluster in one snapshot. Ids of different snapshots are unrelated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterId(u32);

impl ClusterId {
    pub(crate) const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index in [`Snapshot::clusters`](super::Snapshot::clusters).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A reference to a host of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostRef {
    /// The cluster of the host.
    pub cluster: ClusterId,
    /// The priority in the cluster, from 0.
    pub priority: usize,
    /// The index in the priority.
    pub host: usize,
}
