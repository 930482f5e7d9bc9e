//! Whether a link has the addresses of hosts.

/// Whether a link has the addresses and hash keys of hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addresses {
    /// The link has them.
    Included,
    /// The hosts get generated addresses ([`address`](super::address)), so shares of single hosts
    /// under hash policies can differ.
    Replaced,
}
