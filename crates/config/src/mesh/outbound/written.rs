//! The text of an Envoy configuration of everything that a proxy receives.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_mesh::istio::IstioOutlierDetection;

use super::{MeshOutbound, OutboundForm};
use crate::{
    Diagnostic,
    envoy::Format,
    write::{Fields, Written, duration, json_with, within, yaml_with},
};

impl MeshOutbound {
    /// The clusters with outlier detection, and a listener with the routes, as the text of a bootstrap.
    /// The warnings are about the parts that are not converted.
    ///
    /// # Errors
    /// Everything that Envoy rejects.
    pub fn written(
        &self,
        form: OutboundForm,
        format: Format,
    ) -> Result<(Written, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (model, listeners, warnings) = self.envoy(form)?;
        let more = |name: &str| {
            let cluster = self.cluster(name);
            let outlier = cluster.and_then(|cluster| cluster.settings.outlier_detection.as_ref());
            Fields::new().with_some("outlier_detection", outlier.map(outlier_detection))
        };
        let written = match format {
            Format::Json => json_with(&model, &listeners, &more),
            _ => yaml_with(&model, &listeners, &more),
        };
        Ok((written?, warnings))
    }
}

/// Envoy's outlier detection for that of a DestinationRule (`applyOutlierDetection`).
fn outlier_detection(of: &IstioOutlierDetection) -> Fields {
    let number = |value: Option<i64>| value.and_then(|value| u32::try_from(value).ok());
    let positive = |value: Option<i64>| number(value).filter(|value| *value > 0);
    let time = |ms: Option<u64>| {
        let ms = ms.filter(|ms| *ms > 0);
        ms.map(|ms| duration(Duration::from_millis(ms)))
    };
    // A threshold of 0 switches its detector off.
    let enforcing =
        |value: Option<i64>| number(value).map(|value| if value > 0 { 100_u32 } else { 0 });
    let split = of.split_external_local_origin_errors == Some(true);
    let local = positive(of.consecutive_local_origin_failures).filter(|_| split);
    within("enforcing_success_rate", 0_u32)
        .with_some("consecutive_5xx", positive(of.consecutive_5xx_errors))
        .with_some(
            "enforcing_consecutive_5xx",
            enforcing(of.consecutive_5xx_errors),
        )
        .with_some(
            "consecutive_gateway_failure",
            positive(of.consecutive_gateway_errors),
        )
        .with_some(
            "enforcing_consecutive_gateway_failure",
            enforcing(of.consecutive_gateway_errors),
        )
        .with_flag("split_external_local_origin_errors", split)
        .with_some("consecutive_local_origin_failure", local)
        .with_some(
            "enforcing_consecutive_local_origin_failure",
            local.map(|_| 100_u32),
        )
        .with_some("enforcing_local_origin_success_rate", local.map(|_| 0_u32))
        .with_some("interval", time(of.interval_ms))
        .with_some("base_ejection_time", time(of.base_ejection_time_ms))
        .with_some("max_ejection_percent", positive(of.max_ejection_percent))
}
