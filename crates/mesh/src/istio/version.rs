//! The versions of Istio whose rules are modeled.

/// A minor version of Istio; later ones are greater. Docs list what differs between them
/// (`docs/mesh/README.md`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IstioVersion {
    /// Istio 1.28.
    V1_28,
    /// Istio 1.29.
    V1_29,
    /// Istio 1.30.
    V1_30,
    /// Istio 1.31, the newest one and the default.
    #[default]
    V1_31,
}

// === impl IstioVersion ===

impl IstioVersion {
    /// The number, such as `1.31`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1_28 => "1.28",
            Self::V1_29 => "1.29",
            Self::V1_30 => "1.30",
            Self::V1_31 => "1.31",
        }
    }
}
