//! Faults in the documents of a mesh.

use alloc::string::String;

/// One fault: its field and its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshFault {
    /// The path of the field below the checked part of the document, for example
    /// `localityAwareness.crossZone.failover[0].to.zones`. Each checking function names the part.
    pub path: String,
    /// The kind of the fault.
    pub code: MeshFaultCode,
}

/// How severe a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeshFaultSeverity {
    /// The mesh rejects the document.
    Error,
    /// The mesh accepts the document, but a part of it has no effect or another effect than
    /// expected.
    Warning,
}

/// The kind of a fault. Errors of Kuma come from its `validator.go` and from the schema of its
/// resource, errors of Istio from `ValidateLocalityLbSetting`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MeshFaultCode {
    /// An empty text or list.
    MustNotBeEmpty,
    /// A number that must be greater than 0.
    MustBeGreaterThan0,
    /// A number that must not be negative.
    MustBeAtLeast0,
    /// A text that is not a number.
    NotANumber,
    /// A percentage outside of 0 to 100.
    OutOfPercentageRange,
    /// A number outside of the range of its field.
    OutOfRange,
    /// Some affinity tags have a weight and others do not.
    AllOrNoneWeighted,
    /// `crossZone` for a `MeshService`, which is in one zone.
    MustNotBeSet,
    /// Zones in a rule of type `Any` or `None`.
    MustBeEmptyForType,
    /// No zones in a rule of type `Only` or `AnyExcept`.
    MustNotBeEmptyForType,
    /// An unknown type.
    UnrecognizedType,
    /// An unknown kind of a `targetRef`, or a kind that is not supported there.
    UnsupportedKind,
    /// `localityAwareness` or `loadBalancer` for a `MeshHTTPRoute`.
    OnlyHashPoliciesForRoute,
    /// The block that the type of a hash policy names is missing.
    MustBeDefined,
    /// A cookie path that does not start with `/`.
    MustBeAbsolutePath,
    /// `distribute` together with `failover`.
    DistributeAndFailover,
    /// `failover` together with a `failoverPriority` that names region, zone or sub-zone.
    FailoverWithLocalityLabels,
    /// A weight outside of 1 to 100.
    WeightOutOfRange,
    /// The weights of one `distribute` entry do not sum to 100.
    WeightsMustSumTo100,
    /// `*` in the middle of a locality, or more than once.
    MisplacedWildcard,
    /// Two localities of which one contains the other.
    OverlappingLocalities,
    /// A locality with an empty part, such as `region//subzone`.
    EmptyLocalityPart,
    /// A `failover` entry from a region to the same region.
    FailoverRegionsMustDiffer,
    /// A region of `failover` that contains `/` or `*`.
    FailoverMustBeARegion,
    /// Warning: `failover` or `failoverPriority` without outlier detection has no effect.
    OutlierDetectionMissing,
    /// Warning: an affinity tag with the key of an earlier one. The earlier one takes the
    /// endpoints.
    DuplicateKey,
    /// Warning: an empty zone name in `to`.
    EmptyZoneName,
    /// Warning: a zone that an earlier rule takes.
    ZoneTakenByEarlierRule,
    /// Warning: a rule after a rule that takes every zone, or that takes no zone of its own.
    UnreachableRule,
    /// Warning: a rule of type `None` before other rules. It takes no zone and they still apply.
    NoneHasNoEffect,
    /// Warning: a zone of which no endpoint is known.
    UnknownZone,
    /// Warning: a failover rule that names the zone of its own proxies, which priority 0 serves.
    OwnZone,
    /// Warning: the weights of one priority exceed 2^32-1, which Envoy rejects.
    WeightSumTooLarge,
    /// Warning: more than 9 affinity tags without weights. The default weights exceed 2^32-1.
    TooManyUnweightedTags,
    /// Warning: more rules than priorities that Envoy accepts.
    TooManyRules,
    /// Warning: a threshold whose overprovisioning factor Kuma truncates.
    ThresholdTruncated,
    /// Warning: `disabled` has no effect because `localZone` or `crossZone` is present.
    DisabledIgnored,
    /// Warning: an empty `localityAwareness` still prefers the local zone.
    EmptyLocalityAwareness,
}

// === impl MeshFault ===

impl MeshFault {
    pub(crate) fn new(path: impl Into<String>, code: MeshFaultCode) -> Self {
        Self {
            path: path.into(),
            code,
        }
    }

    /// Whether the mesh rejects the document.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.code.severity() == MeshFaultSeverity::Error
    }
}

// === impl MeshFaultCode ===

impl MeshFaultCode {
    /// The severity of all faults of this kind.
    #[must_use]
    pub const fn severity(self) -> MeshFaultSeverity {
        match self {
            Self::OutlierDetectionMissing
            | Self::DuplicateKey
            | Self::EmptyZoneName
            | Self::ZoneTakenByEarlierRule
            | Self::UnreachableRule
            | Self::NoneHasNoEffect
            | Self::UnknownZone
            | Self::OwnZone
            | Self::WeightSumTooLarge
            | Self::TooManyUnweightedTags
            | Self::TooManyRules
            | Self::ThresholdTruncated
            | Self::DisabledIgnored
            | Self::EmptyLocalityAwareness => MeshFaultSeverity::Warning,
            _ => MeshFaultSeverity::Error,
        }
    }

    /// A stable name in lower case, for example `must_not_be_empty`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MustNotBeEmpty => "must_not_be_empty",
            Self::MustBeGreaterThan0 => "must_be_greater_than_0",
            Self::MustBeAtLeast0 => "must_be_at_least_0",
            Self::NotANumber => "not_a_number",
            Self::OutOfPercentageRange => "out_of_percentage_range",
            Self::OutOfRange => "out_of_range",
            Self::AllOrNoneWeighted => "all_or_none_weighted",
            Self::MustNotBeSet => "must_not_be_set",
            Self::MustBeEmptyForType => "must_be_empty_for_type",
            Self::MustNotBeEmptyForType => "must_not_be_empty_for_type",
            Self::UnrecognizedType => "unrecognized_type",
            Self::UnsupportedKind => "unsupported_kind",
            Self::OnlyHashPoliciesForRoute => "only_hash_policies_for_route",
            Self::MustBeDefined => "must_be_defined",
            Self::MustBeAbsolutePath => "must_be_absolute_path",
            Self::DistributeAndFailover => "distribute_and_failover",
            Self::FailoverWithLocalityLabels => "failover_with_locality_labels",
            Self::WeightOutOfRange => "weight_out_of_range",
            Self::WeightsMustSumTo100 => "weights_must_sum_to_100",
            Self::MisplacedWildcard => "misplaced_wildcard",
            Self::OverlappingLocalities => "overlapping_localities",
            Self::EmptyLocalityPart => "empty_locality_part",
            Self::FailoverRegionsMustDiffer => "failover_regions_must_differ",
            Self::FailoverMustBeARegion => "failover_must_be_a_region",
            Self::OutlierDetectionMissing => "outlier_detection_missing",
            Self::DuplicateKey => "duplicate_key",
            Self::EmptyZoneName => "empty_zone_name",
            Self::ZoneTakenByEarlierRule => "zone_taken_by_earlier_rule",
            Self::UnreachableRule => "unreachable_rule",
            Self::NoneHasNoEffect => "none_has_no_effect",
            Self::UnknownZone => "unknown_zone",
            Self::OwnZone => "own_zone",
            Self::WeightSumTooLarge => "weight_sum_too_large",
            Self::TooManyUnweightedTags => "too_many_unweighted_tags",
            Self::TooManyRules => "too_many_rules",
            Self::ThresholdTruncated => "threshold_truncated",
            Self::DisabledIgnored => "disabled_ignored",
            Self::EmptyLocalityAwareness => "empty_locality_awareness",
        }
    }
}
