//! `--to matrix`: zone-to-zone traffic.

use serde_json::{Map, Value, json};
use spillgate_answers::split::json_text;
use spillgate_mesh::{
    istio::IstioVersion,
    traffic::{TrafficMatrix, traffic_csv, traffic_markdown, traffic_svg},
};

use super::args::Format;
use crate::mesh::add_istio_version;

/// The matrices in a format.
pub(super) fn write(
    matrices: &[TrafficMatrix],
    format: Option<Format>,
    istio_version: Option<IstioVersion>,
) -> String {
    match format {
        Some(Format::Markdown) => traffic_markdown(matrices),
        Some(Format::Csv) => traffic_csv(matrices),
        Some(Format::Json) => {
            let all: Vec<Value> = matrices.iter().map(json_of).collect();
            let mut value = json!({"destinations": all});
            add_istio_version(&mut value, istio_version);
            json_text(&value)
        }
        _ => traffic_svg(matrices),
    }
}

/// A matrix: the percentages by zone of the proxies and zone of the hosts.
pub(crate) fn json_of(matrix: &TrafficMatrix) -> Value {
    let rows = matrix.rows.iter().map(|row| {
        let cells = matrix.zones.iter().zip(&row.to);
        let to: Map<String, Value> = cells
            .map(|(zone, share)| (zone.clone(), json!(share)))
            .collect();
        json!({"from": row.from, "to": to, "no_host": row.no_host, "panic": row.panic})
    });
    json!({"destination": matrix.destination, "rows": rows.collect::<Value>()})
}
