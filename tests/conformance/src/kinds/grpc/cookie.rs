//! Subjects `cookie_parse` and `cookie_emit`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_grpc::{GrpcSessionCookie, ProtoDuration};

use super::super::{Figures, figures, read};

/// The configuration of the cookie.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cookie {
    name: String,
    #[serde(default)]
    path: String,
    ttl_ms: Option<i64>,
}

/// The input of `cookie_parse`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parse {
    cookie: Cookie,
    request: Request,
}

/// A request with its cookies and the clusters of its route.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    path: String,
    cookie_headers: Vec<String>,
    route_clusters: Vec<String>,
    selected_cluster: String,
}

/// The input of `cookie_emit`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Emit {
    cookie: Cookie,
    cookie_address_list: String,
    actual_address_list: String,
    cluster_used: String,
    cluster_changed: bool,
}

impl Cookie {
    /// The configuration, or the invalid fields.
    fn read(&self) -> Result<GrpcSessionCookie, String> {
        let ttl = self.ttl_ms.map(|ms| ProtoDuration {
            seconds: ms / 1000,
            // Less than a billion.
            nanos: (ms % 1000 * 1_000_000) as i32,
        });
        GrpcSessionCookie::new(&self.name, &self.path, ttl)
            .map_err(|faults| format!("input.cookie: {faults:?}"))
    }
}

/// The address list in the cookie of a request, and the cluster to use.
pub(super) fn parse(input: &Value) -> Result<Figures, String> {
    let Parse { cookie, request } = read(input)?;
    let cookie = cookie.read()?;
    if !cookie.applies_to(&request.path) {
        return Ok(figures([("active", json!(false))]));
    }
    let headers = request.cookie_headers.iter().map(String::as_str);
    // gRPC's own cookies have no end.
    let asked = cookie.parse(headers, 0);
    let route: Vec<&str> = request.route_clusters.iter().map(String::as_str).collect();
    let (cluster, changed) = asked.cluster_to_use(&route, &request.selected_cluster);
    Ok(figures([
        ("active", json!(true)),
        ("address_list", json!(asked.address_list)),
        ("cluster_to_use", json!(cluster)),
        ("cluster_changed", json!(changed)),
    ]))
}

/// The `set-cookie` header of a response.
pub(super) fn emit(input: &Value) -> Result<Figures, String> {
    let input: Emit = read(input)?;
    let header = input.cookie.read()?.emit(
        &input.cookie_address_list,
        &input.actual_address_list,
        &input.cluster_used,
        input.cluster_changed,
    );
    Ok(figures([("set_cookie", json!(header))]))
}
