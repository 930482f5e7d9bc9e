//! What decides when hosts of a cluster are ejected, and which requests it refuses.

use alloc::{string::String, vec::Vec};

use spillgate_health::{check::ActiveCheck, outlier::OutlierDetection};

use crate::{
    Affects, Diagnostic,
    envoy::{Thresholds, UpstreamProtocol},
    mesh::place::ValuePlace,
};

/// The settings of a cluster that decide what happens over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutboundHealth {
    /// `health_checks`.
    pub checks: Vec<ActiveCheck>,
    /// `outlier_detection`.
    pub outlier_detection: Option<OutlierDetection>,
    /// What it allows at the same time; all routes have the routing priority `DEFAULT`.
    pub thresholds: Thresholds,
    /// The protocol of requests to its hosts.
    pub upstream_protocol: UpstreamProtocol,
    /// The settings that simulations do not model, each with the number of its file.
    pub limits: Vec<(usize, Diagnostic)>,
    /// Where the documents state settings.
    pub(super) places: Vec<PlacedField>,
}

/// A setting of a cluster and its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlacedField {
    /// Whether the message is a health check, or else outlier detection.
    pub(super) of_check: bool,
    /// The name of the field in Envoy; empty for the message.
    pub(super) field: &'static str,
    pub(super) place: ValuePlace,
}

impl OutboundHealth {
    /// Where the documents state a setting, by its proto name, or the message of a default: of the check with this
    /// index, or of outlier detection.
    #[must_use]
    pub fn place_of(&self, check: Option<usize>, field: &str) -> Option<&ValuePlace> {
        let of_check = check.is_some();
        let known = |name: &str| {
            let mut places = self.places.iter();
            places.find(|of| of.of_check == of_check && of.field == name)
        };
        known(field).or_else(|| known("")).map(|of| &of.place)
    }
}

/// The limit of simulations over time at the place of a setting, with the number of its file.
pub(super) fn limit_at(place: &ValuePlace, effect: String) -> (usize, Diagnostic) {
    let limit = Diagnostic::limit(OVER_TIME, effect, Affects::Everything);
    (place.file, limit.at(place.path.clone(), place.position))
}

/// The code of limits of simulations over time.
const OVER_TIME: &str = "config/over-time";
