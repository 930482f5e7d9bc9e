//! Faults against the rules of a mesh, with their positions and texts.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::{MeshFaultCode as Code, MeshFaultSeverity};

use super::place::ValuePlaces;
use crate::{
    Diagnostic,
    proto::{Report, nearest},
};

/// The text of a kind of fault.
struct RuleText {
    code: &'static str,
    message: &'static str,
    expected: &'static str,
}

/// The diagnostic of a fault at a path below a value.
pub(super) fn rule_fault(code: Code, root: &str, places: &ValuePlaces, path: String) -> Diagnostic {
    let text = text(code);
    let diagnostic = match code.severity() {
        MeshFaultSeverity::Error => Diagnostic::error(text.code, text.message),
        MeshFaultSeverity::Warning => Diagnostic::warning(text.code, text.message),
    };
    let position = places.position(&path);
    let full = match (root.is_empty(), path.is_empty()) {
        (true, _) => path.clone(),
        (false, true) => root.into(),
        (false, false) => format!("{root}.{path}"),
    };
    let diagnostic = diagnostic.at(full, position);
    let diagnostic = match places.found(&path) {
        Some(found) => diagnostic.found(found),
        None => diagnostic,
    };
    if !text.expected.is_empty() {
        return diagnostic.expected(text.expected);
    }
    match expected(code, &path) {
        Expected::Nothing => diagnostic,
        Expected::Range(range) => diagnostic.expected(range),
        Expected::OneOf(names) => {
            let found = places.text(&path).unwrap_or_default();
            diagnostic
                .expected(format!("one of {}", names.join(", ")))
                .suggest(nearest(found, names.iter().copied()))
        }
    }
}

/// Adds faults against rules, except those at values that have a fault already: a value of the wrong
/// type is missing in the model, which is not a fault of its own.
pub(super) fn push_rule_faults(faults: Vec<Diagnostic>, known: usize, report: &mut Report) {
    let known: Vec<String> = report.error_paths_since(known);
    for fault in faults {
        let covered = |path: &String| within(path, &fault.path) || within(&fault.path, path);
        if !known.iter().any(covered) {
            report.push(fault);
        }
    }
}

/// Whether a path is inside a value, or is its path.
fn within(path: &str, value: &str) -> bool {
    path.strip_prefix(value)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// What a field accepts.
enum Expected {
    Nothing,
    Range(&'static str),
    OneOf(&'static [&'static str]),
}

/// What Kuma accepts at a path, for faults whose kind does not say so.
fn expected(code: Code, path: &str) -> Expected {
    const TOP_KINDS: [&str; 6] = [
        "Mesh",
        "Dataplane",
        "MeshSubset",
        "MeshGateway",
        "MeshService",
        "MeshServiceSubset",
    ];
    const TO_KINDS: [&str; 5] = [
        "Mesh",
        "MeshService",
        "MeshExternalService",
        "MeshMultiZoneService",
        "MeshHTTPRoute",
    ];
    let field = path.rsplit('.').next().unwrap_or_default();
    match (code, field) {
        (Code::UnsupportedKind, _) if path.starts_with("to") => Expected::OneOf(&TO_KINDS),
        (Code::UnsupportedKind, _) => Expected::OneOf(&TOP_KINDS),
        (Code::UnrecognizedType, "hashFunction") => Expected::OneOf(&["XXHash", "MurmurHash2"]),
        (Code::UnrecognizedType, _) if path.ends_with("loadBalancer.type") => {
            Expected::OneOf(&["RoundRobin", "LeastRequest", "RingHash", "Random", "Maglev"])
        }
        (Code::UnrecognizedType, _) if path.ends_with("to.type") => {
            Expected::OneOf(&["None", "Only", "Any", "AnyExcept"])
        }
        (Code::UnrecognizedType, _) => Expected::OneOf(&[
            "Header",
            "Cookie",
            "Connection",
            "QueryParameter",
            "FilterState",
        ]),
        (Code::OutOfRange, "choiceCount") => Expected::Range("2 to 4294967295"),
        (Code::OutOfRange, "minRingSize" | "maxRingSize") => Expected::Range("1 to 8000000"),
        (Code::OutOfRange, "tableSize") => Expected::Range("1 to 5000011"),
        (Code::OutOfRange, "weight") => Expected::Range("1 to 4294967295"),
        _ => Expected::Nothing,
    }
}

const fn rule(code: &'static str, message: &'static str, expected: &'static str) -> RuleText {
    RuleText {
        code,
        message,
        expected,
    }
}

fn text(code: Code) -> RuleText {
    match code {
        Code::MustNotBeEmpty => rule("mesh/empty", "must not be empty", ""),
        Code::MustBeGreaterThan0 => rule("mesh/not-positive", "out of range", "more than 0"),
        Code::MustBeAtLeast0 => rule("mesh/negative", "out of range", "at least 0"),
        Code::NotANumber => rule("mesh/not-a-number", "not a number", "a number"),
        Code::OutOfPercentageRange => {
            rule("mesh/percentage", "out of range", "a percentage up to 100")
        }
        Code::OutOfRange => rule("mesh/range", "out of range of this field", ""),
        Code::AllOrNoneWeighted => rule(
            "mesh/mixed-weights",
            "some affinity tags have a weight and others do not",
            "a weight for all tags or for none",
        ),
        Code::MustNotBeSet => rule(
            "mesh/local-service",
            "crossZone is not allowed for a MeshService, which is in one zone",
            "a MeshMultiZoneService",
        ),
        Code::MustBeEmptyForType => rule(
            "mesh/zones-not-allowed",
            "a rule of this type takes no zones",
            "type Only or AnyExcept, or no zones",
        ),
        Code::MustNotBeEmptyForType => rule(
            "mesh/zones-required",
            "a rule of this type requires zones",
            "at least one zone",
        ),
        Code::UnrecognizedType => rule("mesh/unknown-type", "unknown type", ""),
        Code::UnsupportedKind => rule("mesh/unsupported-kind", "kind is not supported here", ""),
        Code::OnlyHashPoliciesForRoute => rule(
            "mesh/only-hash-policies",
            "a policy for a MeshHTTPRoute has hashPolicies only",
            "another targetRef",
        ),
        Code::MustBeDefined => rule(
            "mesh/block-missing",
            "the block that the type names is missing",
            "",
        ),
        Code::MustBeAbsolutePath => rule(
            "mesh/cookie-path",
            "not an absolute path",
            "a path such as /",
        ),
        other => istio_text(other),
    }
}

fn istio_text(code: Code) -> RuleText {
    match code {
        Code::DistributeAndFailover => rule(
            "mesh/distribute-and-failover",
            "distribute excludes failover and failoverPriority",
            "one of them",
        ),
        Code::FailoverWithLocalityLabels => rule(
            "mesh/failover-labels",
            "failover excludes region, zone and sub-zone in failoverPriority",
            "other labels",
        ),
        Code::WeightOutOfRange => rule("mesh/share", "out of range", "a weight from 1 to 100"),
        Code::WeightsMustSumTo100 => rule(
            "mesh/share-sum",
            "the weights do not sum to 100",
            "a sum of 100",
        ),
        Code::MisplacedWildcard => rule(
            "mesh/wildcard",
            "misplaced wildcard",
            "one * as the last part",
        ),
        Code::OverlappingLocalities => rule(
            "mesh/overlapping-localities",
            "this locality overlaps another one of the list",
            "",
        ),
        Code::EmptyLocalityPart => rule(
            "mesh/locality-part",
            "locality with an empty part",
            "region/zone/subzone",
        ),
        Code::FailoverRegionsMustDiffer => rule(
            "mesh/same-region",
            "failover from a region to itself",
            "another region",
        ),
        Code::FailoverMustBeARegion => rule(
            "mesh/not-a-region",
            "not a region",
            "a region without / and *",
        ),
        Code::OutlierDetectionMissing => rule(
            "mesh/no-outlier-detection",
            "failover has no effect without outlierDetection",
            "outlierDetection",
        ),
        other => effect_text(other),
    }
}

/// Settings that Kuma accepts and that have no effect, or another one than expected.
fn effect_text(code: Code) -> RuleText {
    match code {
        Code::DuplicateKey => rule(
            "mesh/duplicate-key",
            "an earlier affinity tag has the same key and takes its endpoints",
            "",
        ),
        Code::EmptyZoneName => rule("mesh/empty-zone", "empty zone name", "the name of a zone"),
        Code::ZoneTakenByEarlierRule => {
            rule("mesh/zone-taken", "an earlier rule takes this zone", "")
        }
        Code::UnreachableRule => rule(
            "mesh/unreachable-rule",
            "earlier rules take every zone of this rule",
            "",
        ),
        Code::NoneHasNoEffect => rule(
            "mesh/none-has-no-effect",
            "a rule of type None takes no zone; later rules still apply",
            "",
        ),
        Code::UnknownZone => rule(
            "mesh/zone-without-endpoints",
            "no endpoint is in this zone",
            "",
        ),
        Code::OwnZone => rule(
            "mesh/own-zone",
            "the rule takes the zone of its own proxies, which priority 0 serves",
            "another zone",
        ),
        Code::WeightSumTooLarge => rule(
            "mesh/weight-sum",
            "the weights of a priority exceed 4294967295; Envoy rejects them",
            "smaller weights",
        ),
        Code::TooManyUnweightedTags => rule(
            "mesh/too-many-tags",
            "the default weights of more than 9 affinity tags exceed 4294967295",
            "at most 9 tags, or explicit weights",
        ),
        Code::TooManyRules => rule(
            "mesh/too-many-rules",
            "more failover rules than priorities that Envoy accepts",
            "at most 128 rules",
        ),
        Code::ThresholdTruncated => rule(
            "mesh/threshold-truncated",
            "Kuma truncates the overprovisioning factor of this threshold to a multiple of 100",
            "",
        ),
        Code::DisabledIgnored => rule(
            "mesh/disabled-ignored",
            "disabled has no effect because localZone or crossZone is present",
            "",
        ),
        Code::EmptyLocalityAwareness => rule(
            "mesh/empty-locality-awareness",
            "an empty localityAwareness still prefers the local zone",
            "disabled: true, or localZone and crossZone",
        ),
        _ => rule("mesh/rule", "the mesh does not accept this value", ""),
    }
}
