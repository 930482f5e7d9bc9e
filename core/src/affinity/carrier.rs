//! Where clients carry tokens.

/// Where clients carry a token. The version in the authenticated head of a token names it, so a token
/// that leaks from a header is of no use in a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenCarrier {
    /// A cookie.
    Cookie,
    /// A header.
    Header,
}

impl TokenCarrier {
    /// The name in outputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cookie => "cookie",
            Self::Header => "header",
        }
    }
}
