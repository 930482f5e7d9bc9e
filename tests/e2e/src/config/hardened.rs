//! What a listener may have beyond routes and filters.

use serde_json::{Value, json};

use super::{CLUSTER_HEADER, HOST_HEADER};

/// Drops our internal headers of clients before any filter or route sees it, so that it steers
/// nothing either when our filter is bypassed.
#[must_use]
pub fn dropping_internal_headers(mut listener: Value) -> Value {
    let names = [HOST_HEADER, CLUSTER_HEADER, "x-spillgate-trace"];
    manager(&mut listener)["early_header_mutation_extensions"] = json!([{
        "name": "envoy.http.early_header_mutation.header_mutation",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation",
            "mutations": names.map(|name| json!({"remove": name})),
        },
    }]);
    listener
}

/// Lets requests of half a megabyte of headers pass, so that they reach the filter.
#[must_use]
pub fn taking_large_headers(mut listener: Value) -> Value {
    let manager = manager(&mut listener);
    manager["max_request_headers_kb"] = json!(512);
    manager["common_http_protocol_options"] = json!({"max_headers_count": 20_000});
    listener
}

/// The HTTP connection manager of a listener of [`super::http_listener`].
fn manager(listener: &mut Value) -> &mut Value {
    &mut listener["filter_chains"][0]["filters"][0]["typed_config"]
}
