//! The outlier detection of each cluster.

use core::time::Duration;

use spillgate_health::outlier::{Detector, OutlierDetection, SweepOrder};

/// The outlier detection of a cluster, whose sweeps start at this time.
pub(super) fn detector(settings: &OutlierDetection, start: Duration, hosts: usize) -> Detector {
    Detector::new(settings.clone(), start, hosts).with_order(SweepOrder::Random)
}
