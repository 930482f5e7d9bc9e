//! HTTP filters that change no choice of a host.

use crate::{
    node::{Node, NodeValue},
    proto::{
        Any,
        Irrelevance::{self, Admission, Discovery, Observability, Transport, UsedByOthers},
        field_of,
    },
};

/// The common prefix of the types of HTTP filters.
pub(crate) const HTTP_FILTER_PREFIX: &str = "envoy.extensions.filters.http.";

/// The headers that a rate limit adds to requests that it lets pass.
const ADDED_HEADERS: &str = "request_headers_to_add_when_not_enforced";

/// The filters of Envoy, by the first part of their type's name after the prefix of all HTTP filters, and why they
/// change nothing. All others may change what routes and policies read, or answer requests themselves.
const HARMLESS: [(Irrelevance, &str); 5] = [
    (
        Admission,
        "adaptive_concurrency admission_control bandwidth_limit bandwidth_share body_size_limit \
         rate_limit_quota ratelimit",
    ),
    (Discovery, "dynamic_forward_proxy"),
    (Observability, "grpc_stats tap"),
    (
        Transport,
        "alternate_protocols_cache buffer compressor connect_grpc_bridge decompressor \
         file_system_buffer grpc_http1_reverse_bridge grpc_web original_src upstream_codec",
    ),
    // The policies of `cors` are in routes, and named there.
    (UsedByOthers, "cors"),
];

/// Types of control planes, which Envoy itself does not have: statistics, metadata of peers for them, and the ALPN of
/// upstream connections.
const HARMLESS_TYPES: [&str; 3] = [
    "io.istio.http.peer_metadata.Config",
    "istio.envoy.config.filter.http.alpn.v2alpha1.FilterConfig",
    "stats.PluginConfig",
];

/// Any header but those of HTTP itself, such as `:path`.
pub(super) const ANY_HEADER: &str = "*";

/// The request headers that harmless filters change, with spaces between them: a choice that reads one of them can
/// differ.
const CHANGED_HEADERS: [(&str, &str); 9] = [
    ("buffer", "content-length"),
    ("compressor", "accept-encoding"),
    (
        "connect_grpc_bridge",
        ":method :path connect-accept-encoding connect-content-encoding connect-protocol-version connect-timeout-ms \
         content-type grpc-accept-encoding grpc-encoding grpc-timeout te",
    ),
    (
        "decompressor",
        "accept-encoding content-encoding content-length transfer-encoding",
    ),
    (
        "grpc_http1_reverse_bridge",
        "accept content-length content-type",
    ),
    (
        "grpc_web",
        "content-length content-type grpc-accept-encoding te",
    ),
    // The rate limit service can add any header.
    ("rate_limit_quota", ANY_HEADER),
    ("ratelimit", ANY_HEADER),
    ("router", "x-envoy-original-host x-envoy-original-path"),
];

/// The request headers that a filter changes although it is harmless, and its name.
pub(super) fn changed_headers(any: &Any<'_, '_>) -> Option<(&'static str, &'static str)> {
    let rest = any.type_name.strip_prefix(HTTP_FILTER_PREFIX)?;
    let kind = rest.split('.').next()?;
    let suppresses = || field_of(any.node, "suppress_envoy_headers");
    if kind == "router" && suppresses().is_none_or(|node| node.value != NodeValue::Bool(true)) {
        return None;
    }
    let mut changed = CHANGED_HEADERS.into_iter();
    changed.find(|(name, _)| *name == kind)
}

/// The prefix of filters by which a filter is named in a limit; the type's name for others.
pub(super) fn unseen_filter<'n>(any: &Any<'n, '_>, prefix: &str) -> Option<&'n str> {
    let type_name = any.type_name;
    let Some(rest) = type_name.strip_prefix(prefix) else {
        return (!HARMLESS_TYPES.contains(&type_name)).then_some(type_name);
    };
    let kind = rest.split('.').next().unwrap_or_default();
    let is_harmless = match kind {
        // It delays requests, which is harmless, or answers some of them.
        "fault" => field_of(any.node, "abort").is_none(),
        "router" => return unseen_in_router(any.node),
        "rbac" => ["rules", "matcher"]
            .iter()
            .all(|field| field_of(any.node, field).is_none()),
        "local_ratelimit" => !limits_rate(any.node),
        // It delays requests for routes, which is harmless, or adds clusters.
        "on_demand" => field_of(any.node, "odcds").is_none(),
        _ => HARMLESS
            .iter()
            .any(|(_, kinds)| kinds.split_ascii_whitespace().any(|known| known == kind)),
    };
    (!is_harmless).then_some(kind)
}

/// What a router does that is not modeled.
fn unseen_in_router(router: &Node<'_>) -> Option<&'static str> {
    // It answers requests with some values of these headers.
    if field_of(router, "strict_check_headers").is_some() {
        return Some("router with strict_check_headers");
    }
    let filters = field_of(router, "upstream_http_filters");
    let Some(NodeValue::List(filters)) = filters.map(|node| &node.value) else {
        return None;
    };
    let is_codec = |filter: &Node<'_>| {
        let config = field_of(filter, "typed_config");
        let kind = config.and_then(|config| field_of(config, "@type"));
        let name = "envoy.extensions.filters.http.upstream_codec.v3.UpstreamCodec";
        kind.is_some_and(
            |kind| matches!(&kind.value, NodeValue::String(text) if text.ends_with(name)),
        )
    };
    (!filters.iter().all(is_codec)).then_some("router with upstream_http_filters")
}

/// The filter, if it changes no choice of a host but can refuse or delay requests.
#[cfg(feature = "yaml")]
pub(super) fn admitting_filter(any: &Any<'_, '_>) -> Option<&'static str> {
    let kind = any.type_name.strip_prefix(HTTP_FILTER_PREFIX)?;
    let kind = kind.split('.').next()?;
    let admitting = HARMLESS.iter().filter(|(why, _)| *why == Admission);
    let mut kinds = admitting.flat_map(|(_, kinds)| kinds.split_ascii_whitespace());
    kinds
        .find(|known| *known == kind)
        .or_else(|| (kind == "fault" && field_of(any.node, "abort").is_none()).then_some("fault"))
}

/// Whether `local_ratelimit` can answer requests or change their headers; by default it does neither.
fn limits_rate(config: &Node<'_>) -> bool {
    let has = |field| field_of(config, field).is_some();
    has(ADDED_HEADERS) || (has("filter_enabled") && has("filter_enforced"))
}

/// As [`unseen_filter`], for the override of a filter in a route: only of those that change nothing without one.
pub(super) fn unseen_override(any: &Any<'_, '_>, prefix: &str) -> Option<&'static str> {
    let kind = any.type_name.strip_prefix(prefix)?;
    let has = |field| field_of(any.node, field).is_some();
    match kind {
        "cors.v3.CorsPolicy" => Some("cors"),
        "fault.v3.HTTPFault" if has("abort") => Some("fault"),
        "local_ratelimit.v3.LocalRateLimit" if limits_rate(any.node) => Some("local_ratelimit"),
        "rbac.v3.RBACPerRoute" if has("rbac") => Some("rbac"),
        _ => None,
    }
}
