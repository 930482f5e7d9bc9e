//! Differences between the released code and the decision record.
//!
//! Each difference is a row that can be read either way, and the assignment is computed once per
//! row: a row is reported if it alone changes the result. So a report never lists a difference that
//! does not matter for the given proxy and endpoints.

use alloc::vec::Vec;

use super::{
    KumaEndpoint, KumaLocalityRules, KumaRow, KumaView,
    assign::{Selected, assign},
    reading::Reading,
};
use crate::{Compat, MeshAssignment};

/// One row in which the two readings give different results for the same input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaDifference {
    /// The row.
    pub row: KumaRow,
    /// The result of the released code.
    pub kuma: MeshAssignment,
    /// The result if only this row is read as the decision record describes it.
    pub madr: MeshAssignment,
}

/// The rows whose reading changes the assignment, each with both results.
///
/// # Examples
/// ```
/// use spillgate_mesh::kuma::*;
///
/// // A threshold of 70 percent becomes a factor of 100 percent, which spills at the first failure.
/// let locality = KumaLocalityAwareness {
///     cross_zone: Some(KumaCrossZone {
///         failover: None,
///         failover_threshold: Some(KumaNumber::Integer(70)),
///     }),
///     ..KumaLocalityAwareness::default()
/// };
/// let rules = KumaLocalityRules::new(Some(&locality)).unwrap();
/// let proxy = KumaProxy::new("zone-1");
/// let view = KumaView {
///     proxy: &proxy,
///     destination: KumaDestinationKind::MeshMultiZoneService,
/// };
/// let found = kuma_differences(view, Some(&rules), &[KumaEndpoint::new("10.0.0.1:80", "zone-1")]);
/// assert_eq!(found[0].row, KumaRow::Threshold);
/// assert_eq!(found[0].kuma.overprovisioning_factor, Some(100));
/// assert_eq!(found[0].madr.overprovisioning_factor, Some(143));
/// ```
#[must_use]
pub fn kuma_differences(
    view: KumaView<'_>,
    rules: Option<&KumaLocalityRules>,
    endpoints: &[KumaEndpoint],
) -> Vec<KumaDifference> {
    let endpoints = Selected::all(endpoints);
    let kuma = assign(view, rules, endpoints, Reading::All(Compat::Kuma));
    let differences = KumaRow::ALL.into_iter().filter_map(|row| {
        let madr = assign(view, rules, endpoints, Reading::Only(row));
        (madr != kuma).then(|| KumaDifference {
            row,
            kuma: kuma.clone(),
            madr,
        })
    });
    differences.collect()
}
