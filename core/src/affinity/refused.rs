//! Why a token is not one.

/// Why a text is not taken for a token. Clients get the same answer for all of them; the name is
/// for metrics and logs, and says nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refused {
    /// It has not the form of a token, or is of another version.
    Malformed,
    /// No key has its number.
    UnknownKey,
    /// Its key did not seal it as it is.
    Forged,
    /// Its time is over.
    Expired,
    /// Its session has lived as long as a session may.
    TooOld,
    /// It was issued later than now.
    Future,
    /// It is for another scope.
    Scope,
    /// It is of a generation that is not honoured any more.
    Epoch,
}

impl Refused {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::Malformed,
        Self::UnknownKey,
        Self::Forged,
        Self::Expired,
        Self::TooOld,
        Self::Future,
        Self::Scope,
        Self::Epoch,
    ];

    /// Its name in metrics and logs.
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
        }
    }
}
