//! Validation of MeshLoadBalancingStrategies: the rules of Kuma (`validator.go` and the schema of the
//! resource), and warnings about settings without the intended effect.

mod conf;
mod hashing;
mod locality;
mod target;
mod warnings;

pub(super) use locality::check_locality_values;
pub use warnings::kuma_warnings;

use alloc::vec::Vec;

use super::{KumaConf, KumaPolicy, KumaTargetRef};
use crate::{MeshFault, paths::Place};

/// All errors of a policy, with paths below `spec`.
///
/// # Examples
/// ```
/// use spillgate_mesh::kuma::*;
///
/// let policy = KumaPolicy {
///     to: vec![KumaTo {
///         target_ref: KumaTargetRef {
///             kind: "MeshSubset".into(),
///             ..KumaTargetRef::default()
///         },
///         ..KumaTo::default()
///     }],
///     ..KumaPolicy::default()
/// };
/// let faults = validate_kuma_policy(&policy);
/// assert_eq!(faults[0].path, "to[0].targetRef.kind");
/// assert_eq!(faults[0].code.name(), "unsupported_kind");
/// ```
#[must_use]
pub fn validate_kuma_policy(policy: &KumaPolicy) -> Vec<MeshFault> {
    let mut faults = Vec::new();
    let mut spec = Place::root(&mut faults);
    if let Some(target) = &policy.target_ref {
        target::check_top(target, &mut spec.field("targetRef"));
    }
    let mut to = spec.field("to");
    for (index, entry) in policy.to.iter().enumerate() {
        let mut place = to.entry(index);
        target::check_to(&entry.target_ref, &mut place.field("targetRef"));
        conf::check(&entry.conf, &entry.target_ref, &mut place.field("default"));
    }
    faults
}

/// All errors of one configuration for these destinations, with paths below `default`.
#[must_use]
pub fn validate_kuma_conf(conf: &KumaConf, target: &KumaTargetRef) -> Vec<MeshFault> {
    let mut faults = Vec::new();
    conf::check(conf, target, &mut Place::root(&mut faults));
    faults
}
