//! The kinds of target references.

use super::super::KumaTargetRef;
use crate::{MeshFaultCode, paths::Place};

/// The kinds of `spec.targetRef`. The current release of Kuma has the first two, 2.x all of them.
const TOP: [&str; 6] = [
    "Mesh",
    "Dataplane",
    "MeshSubset",
    "MeshGateway",
    "MeshService",
    "MeshServiceSubset",
];

/// The kinds of `spec.to[].targetRef`.
const TO: [&str; 5] = [
    "Mesh",
    "MeshService",
    "MeshExternalService",
    "MeshMultiZoneService",
    "MeshHTTPRoute",
];

pub(super) fn check_top(target: &KumaTargetRef, place: &mut Place<'_>) {
    check(target, &TOP, place);
}

pub(super) fn check_to(target: &KumaTargetRef, place: &mut Place<'_>) {
    check(target, &TO, place);
}

fn check(target: &KumaTargetRef, kinds: &[&str], place: &mut Place<'_>) {
    let mut kind = place.field("kind");
    if target.kind.is_empty() {
        kind.fault(MeshFaultCode::MustNotBeEmpty);
    } else {
        kind.fault_if(
            !kinds.contains(&target.kind.as_str()),
            MeshFaultCode::UnsupportedKind,
        );
    }
}
