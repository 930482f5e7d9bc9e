//! The rules that the released code and the decision record read differently.

/// A rule that the released code and the decision record read differently. The discriminant is the
/// number of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum KumaRow {
    /// `localityAwareness: {}`. Code: other zones have priority 1 and the factor stays 140. Record:
    /// only the local zone (`plugin.go`).
    EmptyObject = 1,
    /// `failoverThreshold`. Code: the factor is a multiple of 100, so 70 becomes 100. Record: the
    /// factor is the inverse of the threshold (`plugin.go`).
    Threshold = 2,
    /// A rule of type `None`. Code: it takes no zone and later rules apply. Record: it ends the
    /// list (`locality_aware.go`).
    NoneEndsList = 3,
    /// An endpoint that matches several tags with explicit weights. Code: the first tag. Record: the
    /// tag with the highest weight (`locality_aware.go`).
    TagOrder = 4,
    /// A zone that an `AnyExcept` rule names. Code: its own proxies use the rule. Record: they do
    /// not (`priority.go`).
    ExcludedZone = 6,
    /// Rules that do not apply to the proxy. Code: they leave gaps in the priorities. Record: only
    /// applied rules count (`priority.go`).
    PriorityGaps = 7,
    /// `disabled: true` with other settings. Code: it has no effect. Record: all zones have priority
    /// 0 (`plugin.go`).
    Disabled = 9,
    /// Zone egress without cross-zone rules. Code: the egress keeps priority 1. Record: the proxy
    /// does not use it (`locality_aware.go` of Kuma 2.14).
    EgressWithoutCrossZone = 11,
    /// Affinity keys without a tag. Code: the labels of the Dataplane. Record: tags only
    /// (`priority.go`).
    LabelFallback = 13,
}

impl KumaRow {
    /// The number of the row.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// All rows, by number.
    pub const ALL: [Self; 9] = [
        Self::EmptyObject,
        Self::Threshold,
        Self::NoneEndsList,
        Self::TagOrder,
        Self::ExcludedZone,
        Self::PriorityGaps,
        Self::Disabled,
        Self::EgressWithoutCrossZone,
        Self::LabelFallback,
    ];
}
