//! Why a token is refused.

/// Why a text is refused as a token. Clients get the same answer for every reason. The name is for
/// metrics and logs; it reveals nothing about the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refused {
    /// The text does not have the form of a token, or has another format version.
    Malformed,
    /// No key of the ring has the token's key id.
    UnknownKey,
    /// The tag does not match: the token was forged or changed.
    Forged,
    /// The token has expired ([`Token::expires`](super::Token::expires)).
    Expired,
    /// The session exceeds its maximum lifetime ([`Rules::max_life`](super::Rules::max_life)).
    TooOld,
    /// The token was issued in the future.
    Future,
    /// The token belongs to another scope.
    Scope,
    /// The token is revoked: its epoch is too low ([`Rules::epoch`](super::Rules::epoch)).
    Epoch,
    /// The token is for another carrier ([`TokenCarrier`](super::TokenCarrier)).
    Carrier,
}

impl Refused {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::Malformed,
        Self::UnknownKey,
        Self::Forged,
        Self::Expired,
        Self::TooOld,
        Self::Future,
        Self::Scope,
        Self::Epoch,
        Self::Carrier,
    ];

    /// The name in metrics and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::UnknownKey => "unknown_key",
            Self::Forged => "forged",
            Self::Expired => "expired",
            Self::TooOld => "too_old",
            Self::Future => "future",
            Self::Scope => "scope",
            Self::Epoch => "epoch",
            Self::Carrier => "carrier",
        }
    }
}
