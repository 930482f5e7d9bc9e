//! Headers of which a request in Envoy has at most one value: repeated ones are joined by commas.

use super::{ChangedHeaders, Headers};
use alloc::vec::Vec;

/// Their names (Envoy 1.40; `cookie` is not one of them).
const COMBINED: [&str; 54] = [
    "accept",
    "accept-encoding",
    "access-control-request-headers",
    "access-control-request-method",
    "authorization",
    "cache-control",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "grpc-accept-encoding",
    "grpc-timeout",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "origin",
    "pragma",
    "referer",
    "te",
    "user-agent",
    "via",
    "x-client-trace-id",
    "x-envoy-attempt-count",
    "x-envoy-decorator-operation",
    "x-envoy-downstream-service-cluster",
    "x-envoy-downstream-service-node",
    "x-envoy-expected-rq-timeout-ms",
    "x-envoy-external-address",
    "x-envoy-force-trace",
    "x-envoy-hedge-on-per-try-timeout",
    "x-envoy-internal",
    "x-envoy-ip-tags",
    "x-envoy-is-timeout-retry",
    "x-envoy-max-retries",
    "x-envoy-original-host",
    "x-envoy-original-path",
    "x-envoy-original-url",
    "x-envoy-retriable-header-names",
    "x-envoy-retriable-status-codes",
    "x-envoy-retry-grpc-on",
    "x-envoy-retry-on",
    "x-envoy-upstream-alt-stat-name",
    "x-envoy-upstream-rq-per-try-timeout-ms",
    "x-envoy-upstream-rq-timeout-alt-response",
    "x-envoy-upstream-rq-timeout-ms",
    "x-envoy-upstream-stream-duration-ms",
    "x-forwarded-client-cert",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-proto",
    "x-request-id",
];

/// Whether a header has at most one value.
pub(crate) fn is_combined(name: &str) -> bool {
    COMBINED.contains(&name)
}

/// Joins the values of each such header.
pub(crate) fn combine<H: Headers>(headers: &mut ChangedHeaders<'_, H>) {
    for name in COMBINED {
        if headers.values(name).nth(1).is_some() {
            let values: Vec<&[u8]> = headers.values(name).collect();
            let joined = values.join(&b","[..]);
            headers.set(name, joined);
        }
    }
}
