//! The configuration of a MeshTimeout.

use super::{
    reader::{ConfReader, Least},
    settings::KumaSettings,
};
use crate::{
    mesh::document::KUMA_DOCUMENT,
    proto::{Irrelevance::Document, Irrelevance::Timing, Message, Report, Schema},
};

pub(super) static POLICY: Schema = Schema::new("MeshTimeout", "targetRef to from rules")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshTimeout");
pub(super) static TO: Schema = Schema::new("to", "targetRef default").of("MeshTimeout.to");
pub(super) static CONF: Schema =
    Schema::new("default", "connectionTimeout idleTimeout http").of("MeshTimeout.to.default");
pub(super) static HTTP: Schema = Schema::new(
    "http",
    "requestTimeout streamIdleTimeout maxStreamDuration maxConnectionDuration",
)
// How long the header of a request may take to arrive from the client.
.ignored(&[(Timing, "requestHeadersTimeout")])
.of("MeshTimeout.to.default.http");

/// Reads `default`.
pub(super) fn read(conf: &Message<'_, '_>, file: usize, report: &mut Report) -> KumaSettings {
    let mut reader = ConfReader::new(conf, file, report);
    reader.require_any(conf, &["connectionTimeout", "idleTimeout", "http"]);
    reader.time(conf, "connectionTimeout", Least::Positive);
    reader.time(conf, "idleTimeout", Least::Zero);
    if let Some(http) = reader.block(conf, "http", &HTTP) {
        let all = [
            "requestTimeout",
            "streamIdleTimeout",
            "maxStreamDuration",
            "maxConnectionDuration",
        ];
        reader.require_any(&http, &all);
        for path in [
            "http.requestTimeout",
            "http.streamIdleTimeout",
            "http.maxStreamDuration",
            "http.maxConnectionDuration",
        ] {
            reader.time(&http, path, Least::Zero);
        }
    }
    reader.finish()
}
