//! The configuration of a MeshHealthCheck.

use alloc::{string::ToString as _, vec::Vec};

use super::{
    reader::ConfReader,
    settings::{KumaSettings, KumaValue},
};
use crate::{
    mesh::document::KUMA_DOCUMENT,
    proto::{
        Irrelevance::{Document, Observability, Transport},
        Message, Report, Schema, integer_of, wrong_type,
    },
};

pub(super) static POLICY: Schema = Schema::new("MeshHealthCheck", "targetRef to")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshHealthCheck");
pub(super) static TO: Schema = Schema::new("to", "targetRef default").of("MeshHealthCheck.to");
pub(super) static CONF: Schema = Schema::new(
    "default",
    "interval timeout unhealthyThreshold healthyThreshold initialJitter intervalJitter \
     intervalJitterPercent noTrafficInterval healthyPanicThreshold failTrafficOnPanic reuseConnection \
     alwaysLogHealthCheckFailures http tcp grpc",
)
.ignored(&[(Observability, "eventLogPath")])
.of("MeshHealthCheck.to.default");
pub(super) static HTTP: Schema = Schema::new("http", "disabled expectedStatuses path")
    .ignored(&[(Transport, "requestHeadersToAdd")])
    .of("MeshHealthCheck.to.default.http");
pub(super) static TCP: Schema = Schema::new("tcp", "disabled receive")
    .ignored(&[(Transport, "send")])
    .of("MeshHealthCheck.to.default.tcp");
pub(super) static GRPC: Schema = Schema::new("grpc", "disabled")
    .ignored(&[(Transport, "authority serviceName")])
    .of("MeshHealthCheck.to.default.grpc");

/// The largest signed integer of the schema.
const MOST: u32 = i32::MAX.unsigned_abs();

/// Reads `default`.
pub(super) fn read(conf: &Message<'_, '_>, file: usize, report: &mut Report) -> KumaSettings {
    let mut reader = ConfReader::new(conf, file, report);
    reader.require_any(conf, &["http", "tcp", "grpc"]);
    let times = [
        "interval",
        "timeout",
        "initialJitter",
        "intervalJitter",
        "noTrafficInterval",
    ];
    reader.times(conf, &times);
    reader.counts(conf, &["unhealthyThreshold", "healthyThreshold"], MOST);
    reader.number(conf, "intervalJitterPercent", 0..=100);
    let percent = |number: f64| (0.0..=100.0).contains(&number);
    let expected = "a percentage from 0 to 100";
    reader.decimal(conf, "healthyPanicThreshold", percent, expected);
    reader.flag(conf, "failTrafficOnPanic");
    reader.flag(conf, "reuseConnection");
    reader.flag(conf, "alwaysLogHealthCheckFailures");
    if let Some(http) = reader.block(conf, "http", &HTTP) {
        reader.flag(&http, "http.disabled");
        if http.has("path") && http.text("path", reader.report).is_empty() {
            let fault = http.error("path", "mesh/empty", "must not be empty");
            reader.report.push(fault);
        }
        read_statuses(&http, &mut reader);
    }
    if let Some(tcp) = reader.block(conf, "tcp", &TCP) {
        reader.flag(&tcp, "tcp.disabled");
        reader.texts(&tcp, "tcp.receive");
    }
    if let Some(grpc) = reader.block(conf, "grpc", &GRPC) {
        reader.flag(&grpc, "grpc.disabled");
    }
    reader.finish()
}

/// `expectedStatuses`: statuses from 100 to 599.
fn read_statuses(http: &Message<'_, '_>, reader: &mut ConfReader<'_>) {
    let path = "http.expectedStatuses";
    let field = "expectedStatuses";
    if !http.has(field) {
        return;
    }
    let mut statuses = Vec::new();
    let items: Vec<_> = http.items(field, reader.report).collect();
    for (path, node) in items {
        match integer_of(node).filter(|of| (100..600).contains(of)) {
            Some(status) => statuses.push(status.to_string()),
            None => {
                let fault = wrong_type(node, &path, "a status from 100 to 599");
                reader.report.push(fault);
            }
        }
    }
    reader.set(http, path, KumaValue::Texts(statuses));
}
