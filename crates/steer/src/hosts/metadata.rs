//! The polled metadata of a cluster's endpoints, as a worker has applied it.

use super::shared::Versions;

/// The polled metadata of a cluster's endpoints, as a worker has applied it.
#[derive(Default)]
pub(super) struct PolledMetadata {
    /// When the query for the applied metadata was sent: 0 before the first.
    pub(super) read_at: u64,
    /// Whether the last published metadata could be read.
    pub(super) readable: bool,
    /// The version of the hosts that the applied metadata describe.
    described: u64,
}

impl PolledMetadata {
    /// Records that the applied metadata are those of these versions.
    pub(super) const fn apply(&mut self, versions: Versions) {
        (self.read_at, self.described) = (versions.metadata_at, versions.described);
    }

    /// Whether the applied metadata may be those of other hosts than of this version.
    pub(super) const fn is_of_others(&self, hosts: u64) -> bool {
        self.read_at == 0 || self.described != hosts
    }
}
