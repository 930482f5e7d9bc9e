//! A MeshRetry as the retry policy of routes (`meshretry/plugin/xds/configurer.go`).

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::time::Duration;

use spillgate_core::route::{
    HeaderMatch, HeaderMatcher, HostPredicate, RetryBackOff, RetryPolicy, StringMatch, TextMatch,
};

use crate::mesh::{KumaSettings, KumaValue, assemble::KumaProtocol};

/// The conditions of HTTP if none is stated.
const HTTP_CONDITIONS: &str = "gateway-error,connect-failure,refused-stream";
/// The conditions of gRPC if none is stated.
const GRPC_CONDITIONS: &str =
    "cancelled,connect-failure,gateway-error,refused-stream,reset,resource-exhausted,unavailable";

/// How long retries wait, and how long attempts may take.
pub(super) struct RetryTimes {
    pub(super) back_off: RetryBackOff,
    pub(super) per_try_timeout: Option<Duration>,
}

/// The block of a protocol; HTTP/2 has none.
const fn block(protocol: Option<KumaProtocol>) -> Option<&'static str> {
    match protocol {
        Some(KumaProtocol::Http) | None => Some("http"),
        Some(KumaProtocol::Grpc) => Some("grpc"),
        Some(KumaProtocol::Tcp) => Some("tcp"),
        Some(KumaProtocol::Http2 | KumaProtocol::Other) => None,
    }
}

/// Whether a setting of the block is that of a policy that no document has.
pub(super) fn is_assumed(settings: &KumaSettings, protocol: Option<KumaProtocol>) -> bool {
    let Some(block) = block(protocol) else {
        return false;
    };
    let prefix = format!("{block}.");
    let mut own = settings
        .iter()
        .filter(|(path, _)| path.starts_with(&prefix));
    own.any(|(_, setting)| setting.place.is_none())
}

/// How often a TCP proxy connects; `None` for HTTP.
pub(super) fn connect_attempts(
    settings: &KumaSettings,
    protocol: Option<KumaProtocol>,
) -> Option<u32> {
    match protocol? {
        KumaProtocol::Tcp => Some(settings.number("tcp.maxConnectAttempt").unwrap_or(1)),
        KumaProtocol::Other => Some(1),
        _ => None,
    }
}

/// The retries of requests.
pub(super) fn retry_policy(settings: &KumaSettings, protocol: Option<KumaProtocol>) -> RetryPolicy {
    let block = block(protocol).filter(|block| *block != "tcp");
    let Some(block) = block.filter(|block| settings.has(block)) else {
        return RetryPolicy::NONE;
    };
    // Envoy's default of `num_retries` is 1.
    let retries = settings.number(&format!("{block}.numRetries")).unwrap_or(1);
    if retries == 0 {
        return RetryPolicy::NONE;
    }
    let mut policy = RetryPolicy {
        retries,
        ..RetryPolicy::NONE
    };
    let stated = settings.texts(&format!("{block}.retryOn"));
    if block == "grpc" {
        let named: Vec<&str> = stated
            .iter()
            .filter_map(|one| grpc_condition(one))
            .collect();
        policy.retry_on = if named.is_empty() {
            GRPC_CONDITIONS.into()
        } else {
            named.join(",")
        };
        return policy;
    }
    set_http_conditions(&mut policy, stated);
    if let Some(KumaValue::Headers(headers)) = settings.value("http.retriableRequestHeaders") {
        policy
            .request_headers
            .extend(headers.iter().flatten().cloned());
    }
    if let Some(KumaValue::Hosts(hosts)) = settings.value("http.hostSelection") {
        for of in hosts {
            match of.predicate.as_str() {
                "OmitPreviousHosts" => policy.predicates.push(HostPredicate::PreviousHosts),
                "OmitPreviousPriorities" => {
                    policy.previous_priorities = Some(of.update_frequency);
                }
                _ => {}
            }
        }
    }
    let attempts = settings.number("http.hostSelectionMaxAttempts");
    policy.host_selection_attempts = attempts.unwrap_or(1).max(1);
    policy
}

/// How long retries wait, and how long attempts may take.
pub(super) fn time(settings: &KumaSettings, protocol: Option<KumaProtocol>) -> RetryTimes {
    let block = block(protocol).unwrap_or_default();
    let stated = |field: &str| settings.time(&format!("{block}.{field}"));
    let base = stated("backOff.baseInterval").unwrap_or(RetryBackOff::DEFAULT.base);
    let waits = RetryBackOff::with_base(base);
    RetryTimes {
        back_off: RetryBackOff {
            most: stated("backOff.maxInterval").unwrap_or(waits.most),
            ..waits
        },
        per_try_timeout: stated("perTryTimeout").filter(|time| !time.is_zero()),
    }
}

/// Names, statuses and methods of `retryOn` (`splitRetryOn`).
fn set_http_conditions(policy: &mut RetryPolicy, stated: &[String]) {
    const CODES: &str = "retriable-status-codes";
    let mut named: Vec<&str> = Vec::new();
    for one in stated {
        if let Some(method) = one.strip_prefix("HttpMethod") {
            policy.request_headers.push(method_match(method));
        } else if let Ok(code) = one.parse() {
            policy.status_codes.push(code);
        } else {
            named.extend(http_condition(one));
        }
    }
    policy.retry_on = if named.is_empty() {
        HTTP_CONDITIONS.into()
    } else {
        named.join(",")
    };
    if !policy.status_codes.is_empty() {
        policy.retry_on.push(',');
        policy.retry_on.push_str(CODES);
    }
}

fn method_match(method: &str) -> HeaderMatch {
    HeaderMatch {
        name: ":method".to_string(),
        matcher: HeaderMatcher::Text(StringMatch {
            text: TextMatch::Exact(method.to_ascii_uppercase()),
            ignore_case: false,
        }),
        invert: false,
        missing_as_empty: false,
    }
}

fn http_condition(name: &str) -> Option<&'static str> {
    Some(match name {
        "5xx" => "5xx",
        "GatewayError" => "gateway-error",
        "Reset" => "reset",
        "Retriable4xx" => "retriable-4xx",
        "ConnectFailure" => "connect-failure",
        "EnvoyRatelimited" => "envoy-ratelimited",
        "RefusedStream" => "refused-stream",
        "Http3PostConnectFailure" => "http3-post-connect-failure",
        _ => return None,
    })
}

/// Kuma writes `canceled`, which Envoy does not know: its condition is `cancelled`.
fn grpc_condition(name: &str) -> Option<&'static str> {
    Some(match name {
        "Canceled" => "canceled",
        "DeadlineExceeded" => "deadline-exceeded",
        "Internal" => "internal",
        "ResourceExhausted" => "resource-exhausted",
        "Unavailable" => "unavailable",
        _ => return None,
    })
}
