//! How far what is known of hosts can be relied on.

/// How far what is known of a cluster can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The admin has told it lately, or the configuration does.
    Fresh,
    /// It was told some time ago and goes on counting.
    Stale,
    /// Nothing is known, or nothing that may still count: Envoy balances by itself.
    None,
}

impl Trust {
    /// The lesser of two.
    pub(super) fn worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::Stale, _) | (_, Self::Stale) => Self::Stale,
            (Self::Fresh, Self::Fresh) => Self::Fresh,
        }
    }
}
