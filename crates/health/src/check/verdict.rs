//! What a checker makes of the result of a check.

use super::CheckFailureType;

/// What a checker makes of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckVerdict {
    /// It passes.
    Pass {
        /// Whether the host is degraded.
        degraded: bool,
    },
    /// A failure that counts towards `unhealthy_threshold`.
    Retriable,
    /// A failure that makes the host unhealthy at once.
    Fail,
    /// A network failure, which counts towards `unhealthy_threshold`.
    Network,
}

impl CheckVerdict {
    /// The type of the failure; `None` for a success.
    #[must_use]
    pub const fn failure_type(self) -> Option<CheckFailureType> {
        match self {
            Self::Pass { .. } => None,
            Self::Retriable | Self::Fail => Some(CheckFailureType::Active),
            Self::Network => Some(CheckFailureType::Network),
        }
    }
}
