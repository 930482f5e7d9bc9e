//! Which reading of a Kuma policy applies.

/// How a MeshLoadBalancingStrategy is read. The released code and the decision record (MADR
/// "MeshLoadBalancingStrategy - locality aware") differ; see [`KumaDifference`](crate::kuma::KumaDifference).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compat {
    /// The released code of Kuma 2.14, the default.
    #[default]
    Kuma,
    /// The decision record.
    Madr,
}
