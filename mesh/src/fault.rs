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
    /// `distribute` together with `failover` or `failoverPriority`.
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
    /// Warning: a zone that an earlier rule takes.
    ZoneTakenByEarlierRule,
    /// Warning: a rule after a rule that takes every zone, or that takes no zone of its own.
    UnreachableRule,
    /// Warning: a rule of type `None`. It takes no zone and later rules still apply.
    NoneHasNoEffect,
    /// Warning: a zone of which no endpoint is known.
    UnknownZone,
    /// Warning: a failover rule that names the zone of its own proxies, which priority 0 serves.
    OwnZone,
    /// Warning: the weights of one priority exceed 2^32-1, which Envoy rejects.
    WeightSumTooLarge,
    /// Warning: more than 9 affinity tags without weights. The default weights exceed 2^32-1.
    TooManyUnweightedTags,
    /// Warning: a threshold whose overprovisioning factor Kuma truncates.
    ThresholdTruncated,
    /// Warning: `disabled` has no effect because `localZone` or `crossZone` is present.
    DisabledIgnored,
    /// Warning: an empty `localityAwareness` still prefers the local zone.
    EmptyLocalityAwareness,
}
