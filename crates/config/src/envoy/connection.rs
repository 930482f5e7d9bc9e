//! What a listener determines about its connections.

/// The local address that requests and `ORIGINAL_DST` clusters see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LocalAddress {
    /// That of the listener: nothing restores another one.
    OfListener,
    /// Listener filters can restore the original destination, or the listener is unknown.
    #[default]
    MayBeRestored,
}

/// The encryption of a filter chain's connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChainSecurity {
    Plain,
    Tls,
    /// A transport socket that may be either.
    Unknown,
}
