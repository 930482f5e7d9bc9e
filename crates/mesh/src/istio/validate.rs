//! Validation of `localityLbSetting` (`ValidateLocalityLbSetting`).

use alloc::vec::Vec;

use super::{
    IstioDistribute, IstioFailover, IstioLocalityLbSetting, IstioOutlierDetection,
    locality::overlap,
};
use crate::{MeshFault, MeshFaultCode, paths::Place};

/// The labels that repeat what `failover` decides.
const LOCALITY_LABELS: [&str; 3] = [
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "topology.istio.io/subzone",
];

/// All errors and warnings of a setting, with paths below `localityLbSetting`. The target of a
/// share is an entry of its map: `distribute[0].to[region/zone]`.
///
/// # Examples
/// ```
/// use spillgate_mesh::istio::{IstioFailover, IstioLocalityLbSetting, validate_istio_setting};
///
/// let setting = IstioLocalityLbSetting {
///     failover: vec![IstioFailover {
///         from: "eu".into(),
///         to: "eu".into(),
///     }],
///     ..IstioLocalityLbSetting::default()
/// };
/// let found = validate_istio_setting(&setting, None);
/// assert_eq!(found[0].code.name(), "outlier_detection_missing");
/// assert_eq!(found[1].code.name(), "failover_regions_must_differ");
/// assert_eq!(found[1].path, "failover[0]");
/// ```
#[must_use]
pub fn validate_istio_setting(
    setting: &IstioLocalityLbSetting,
    outlier_detection: Option<&IstioOutlierDetection>,
) -> Vec<MeshFault> {
    let mut faults = Vec::new();
    let mut place = Place::root(&mut faults);
    place.field("distribute").fault_if(
        !setting.distribute.is_empty() && !setting.failover.is_empty(),
        MeshFaultCode::DistributeAndFailover,
    );
    if !setting.failover.is_empty() {
        let mut labels = place.field("failoverPriority");
        for (index, label) in setting.failover_priority.iter().enumerate() {
            labels.entry(index).fault_if(
                LOCALITY_LABELS.contains(&label.as_str()),
                MeshFaultCode::FailoverWithLocalityLabels,
            );
        }
    }
    check_distribute(&setting.distribute, &mut place.field("distribute"));
    let by_label = !setting.failover_priority.is_empty();
    if outlier_detection.is_none() && (by_label || !setting.failover.is_empty()) {
        let field = if setting.failover.is_empty() {
            "failoverPriority"
        } else {
            "failover"
        };
        let mut place = place.field(field);
        place.fault(MeshFaultCode::OutlierDetectionMissing);
    }
    let mut failover = place.field("failover");
    for (index, rule) in setting.failover.iter().enumerate() {
        check_failover(rule, &mut failover.entry(index));
    }
    faults
}

fn check_distribute(distribute: &[IstioDistribute], place: &mut Place<'_>) {
    for (index, entry) in distribute.iter().enumerate() {
        let mut place = place.entry(index);
        let mut to = place.field("to");
        let mut in_range = true;
        for (at, share) in entry.to.iter().enumerate() {
            let mut place = to.entry(&share.locality);
            if !(1..=100).contains(&share.weight) {
                in_range = false;
                place.fault(MeshFaultCode::WeightOutOfRange);
            }
            let before = entry
                .to
                .iter()
                .take(at)
                .map(|share| share.locality.as_str());
            check_locality(&share.locality, before, &mut place);
        }
        let sum = entry
            .to
            .iter()
            .map(|share| share.weight)
            .fold(0_i64, i64::saturating_add);
        to.fault_if(in_range && sum != 100, MeshFaultCode::WeightsMustSumTo100);
    }
    for (index, entry) in distribute.iter().enumerate() {
        let before = distribute
            .iter()
            .take(index)
            .map(|entry| entry.from.as_str());
        let mut place = place.entry(index);
        check_locality(&entry.from, before, &mut place.field("from"));
    }
}

/// Checks one locality of a list against its syntax and the ones before.
fn check_locality<'a>(
    locality: &str,
    mut before: impl Iterator<Item = &'a str>,
    place: &mut Place<'_>,
) {
    let wildcards = locality.matches('*').count();
    if wildcards > 1 || (wildcards == 1 && !locality.ends_with('*')) {
        place.fault(MeshFaultCode::MisplacedWildcard);
    } else if locality.split('/').any(str::is_empty) {
        place.fault(MeshFaultCode::EmptyLocalityPart);
    } else if before.any(|earlier| overlap(earlier, locality)) {
        place.fault(MeshFaultCode::OverlappingLocalities);
    }
}

fn check_failover(rule: &IstioFailover, place: &mut Place<'_>) {
    place.fault_if(
        rule.from == rule.to,
        MeshFaultCode::FailoverRegionsMustDiffer,
    );
    for (field, region) in [("from", &rule.from), ("to", &rule.to)] {
        place.field(field).fault_if(
            region.contains(['/', '*']),
            MeshFaultCode::FailoverMustBeARegion,
        );
    }
}
