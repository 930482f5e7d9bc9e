//! What becomes of addresses in a link.

/// Whether a link tells the addresses and hash keys of hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addresses {
    /// They are in the link.
    Included,
    /// The hosts get made up addresses instead ([`address`](super::address)). Under hash policies,
    /// shares of single hosts then differ a little.
    Replaced,
}
