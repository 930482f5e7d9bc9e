//! The configuration of a MeshCircuitBreaker.

use super::{reader::ConfReader, settings::KumaSettings};
use crate::{
    mesh::document::KUMA_DOCUMENT,
    proto::{Irrelevance::Document, Message, Report, Schema},
};

pub(super) static POLICY: Schema = Schema::new("MeshCircuitBreaker", "targetRef to from rules")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshCircuitBreaker");
pub(super) static TO: Schema = Schema::new("to", "targetRef default").of("MeshCircuitBreaker.to");
pub(super) static CONF: Schema =
    Schema::new("default", "connectionLimits outlierDetection").of("MeshCircuitBreaker.to.default");
pub(super) static CONNECTION_LIMITS: Schema = Schema::new(
    "connectionLimits",
    "maxConnections maxConnectionPools maxPendingRequests maxRequests maxRetries",
)
.of("MeshCircuitBreaker.to.default.connectionLimits");
pub(super) static OUTLIER_DETECTION: Schema = Schema::new(
    "outlierDetection",
    "disabled interval baseEjectionTime maxEjectionPercent splitExternalAndLocalErrors detectors \
     healthyPanicThreshold",
)
.of("MeshCircuitBreaker.to.default.outlierDetection");
pub(super) static DETECTORS: Schema = Schema::new(
    "detectors",
    "totalFailures gatewayFailures localOriginFailures successRate failurePercentage",
)
.of("MeshCircuitBreaker.to.default.outlierDetection.detectors");
/// Those that count errors in a row.
pub(super) static CONSECUTIVE: [Schema; 3] = [
    Schema::new("totalFailures", "consecutive")
        .of("MeshCircuitBreaker.to.default.outlierDetection.detectors.totalFailures"),
    Schema::new("gatewayFailures", "consecutive")
        .of("MeshCircuitBreaker.to.default.outlierDetection.detectors.gatewayFailures"),
    Schema::new("localOriginFailures", "consecutive")
        .of("MeshCircuitBreaker.to.default.outlierDetection.detectors.localOriginFailures"),
];
pub(super) static SUCCESS_RATE: Schema = Schema::new(
    "successRate",
    "minimumHosts requestVolume standardDeviationFactor",
)
.of("MeshCircuitBreaker.to.default.outlierDetection.detectors.successRate");
pub(super) static FAILURE_PERCENTAGE: Schema =
    Schema::new("failurePercentage", "minimumHosts requestVolume threshold")
        .of("MeshCircuitBreaker.to.default.outlierDetection.detectors.failurePercentage");

/// The paths of the detectors of errors in a row.
const ROWS: [(&str, &str); 3] = [
    (
        "outlierDetection.detectors.totalFailures",
        "outlierDetection.detectors.totalFailures.consecutive",
    ),
    (
        "outlierDetection.detectors.gatewayFailures",
        "outlierDetection.detectors.gatewayFailures.consecutive",
    ),
    (
        "outlierDetection.detectors.localOriginFailures",
        "outlierDetection.detectors.localOriginFailures.consecutive",
    ),
];

/// Reads `default`.
pub(super) fn read(conf: &Message<'_, '_>, file: usize, report: &mut Report) -> KumaSettings {
    let mut reader = ConfReader::new(conf, file, report);
    reader.require_any(conf, &["connectionLimits", "outlierDetection"]);
    if let Some(limits) = reader.block(conf, "connectionLimits", &CONNECTION_LIMITS) {
        let fields = [
            "connectionLimits.maxConnections",
            "connectionLimits.maxConnectionPools",
            "connectionLimits.maxPendingRequests",
            "connectionLimits.maxRequests",
            "connectionLimits.maxRetries",
        ];
        reader.counts(&limits, &fields, u32::MAX);
    }
    if let Some(outlier) = reader.block(conf, "outlierDetection", &OUTLIER_DETECTION) {
        read_outlier_detection(&outlier, &mut reader);
    }
    reader.finish()
}

fn read_outlier_detection(outlier: &Message<'_, '_>, reader: &mut ConfReader<'_>) {
    reader.flag(outlier, "outlierDetection.disabled");
    let times = [
        "outlierDetection.interval",
        "outlierDetection.baseEjectionTime",
    ];
    reader.times(outlier, &times);
    reader.number(outlier, "outlierDetection.maxEjectionPercent", 0..=100);
    reader.flag(outlier, "outlierDetection.splitExternalAndLocalErrors");
    let percent = |number: f64| (0.0..=100.0).contains(&number);
    let path = "outlierDetection.healthyPanicThreshold";
    reader.decimal(outlier, path, percent, "a percentage from 0 to 100");
    let path = "outlierDetection.detectors";
    let Some(detectors) = reader.block(outlier, path, &DETECTORS) else {
        outlier.require("detectors", reader.report);
        return;
    };
    let all = [
        "totalFailures",
        "gatewayFailures",
        "localOriginFailures",
        "successRate",
        "failurePercentage",
    ];
    reader.require_any(&detectors, &all);
    for ((path, consecutive), schema) in ROWS.into_iter().zip(&CONSECUTIVE) {
        if let Some(detector) = reader.block(&detectors, path, schema) {
            reader.counts(&detector, &[consecutive], u32::MAX);
        }
    }
    let path = "outlierDetection.detectors.successRate";
    if let Some(rate) = reader.block(&detectors, path, &SUCCESS_RATE) {
        let counts = [
            "outlierDetection.detectors.successRate.minimumHosts",
            "outlierDetection.detectors.successRate.requestVolume",
        ];
        reader.counts(&rate, &counts, u32::MAX);
        let path = "outlierDetection.detectors.successRate.standardDeviationFactor";
        reader.decimal(&rate, path, |factor| factor > 0.0, "more than 0");
    }
    let path = "outlierDetection.detectors.failurePercentage";
    if let Some(failures) = reader.block(&detectors, path, &FAILURE_PERCENTAGE) {
        let counts = [
            "outlierDetection.detectors.failurePercentage.minimumHosts",
            "outlierDetection.detectors.failurePercentage.requestVolume",
        ];
        reader.counts(&failures, &counts, u32::MAX);
        let path = "outlierDetection.detectors.failurePercentage.threshold";
        reader.number(&failures, path, 0..=100);
    }
}
