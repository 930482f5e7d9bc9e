//! The time of retries: their back-off, and the timeouts that can end a request before.

use alloc::{boxed::Box, format};
use core::time::Duration;

use spillgate_core::route::RetryBackOff;

use crate::{
    Affects, Diagnostic,
    envoy::retry_time::RetryTime,
    node::Node,
    proto::{Message, Path, Report, duration_of, field_of},
};

/// Envoy's default of `RouteAction.timeout`.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(15);
/// How long these retries wait.
pub(super) fn back_off(policy: &Message<'_, '_>, report: &Report) -> RetryBackOff {
    let back_off = policy.get("retry_back_off");
    let stated = |field| duration_of(field_of(back_off?, field)?);
    let base = stated("base_interval")
        .unwrap_or_else(|| default_base(report))
        .max(Duration::from_millis(1));
    let waits = RetryBackOff::with_base(base);
    RetryBackOff {
        most: stated("max_interval").unwrap_or(waits.most),
        ..waits
    }
}

/// The interval of policies without one.
fn default_base(report: &Report) -> Duration {
    #[cfg(feature = "yaml")]
    if let Some((milliseconds, _)) = report.runtime_integer("upstream.base_retry_backoff_ms") {
        return Duration::from_millis(milliseconds);
    }
    #[cfg(not(feature = "yaml"))]
    let _ = report;
    RetryBackOff::DEFAULT.base
}

/// The timeout of an attempt; `None` for none.
pub(super) fn per_try_timeout(policy: &Message<'_, '_>) -> Option<Duration> {
    let stated = policy.get("per_try_timeout").and_then(duration_of);
    stated.filter(|timeout| !timeout.is_zero())
}

/// The time of retries, with a limit if a timeout of the route can end their waits.
pub(super) fn read_retry_time(
    action: &Message<'_, '_>,
    (retries, back_off): (u32, RetryBackOff),
    per_try_timeout: Option<Duration>,
) -> RetryTime {
    let waits = back_off.longest(retries);
    let timeout = action.get("timeout");
    let stated = timeout.and_then(duration_of).unwrap_or(DEFAULT_TIMEOUT);
    let mut time = RetryTime {
        waits,
        back_off,
        limit: None,
        timeout: Some(stated).filter(|timeout| !timeout.is_zero()),
        per_try_timeout,
    };
    if waits.is_zero() {
        return time;
    }
    if timeout.is_none() && waits >= DEFAULT_TIMEOUT {
        end(&mut time, "the default timeout of 15 s", &action.path, None);
    }
    let mut check = |name: &str, node: Option<&Node<'_>>, path: Path| {
        if let Some(node) = node
            && duration_of(node).is_some_and(|most| !most.is_zero() && waits >= most)
        {
            end(&mut time, name, &path, Some(node));
        }
    };
    check("timeout", timeout, action.path.field("timeout"));
    let idle = action.get("idle_timeout");
    check("idle_timeout", idle, action.path.field("idle_timeout"));
    let path = action.path.field("max_stream_duration");
    let of_stream = |field| field_of(action.get("max_stream_duration")?, field);
    let field = "max_stream_duration";
    check(field, of_stream(field), path.field(field));
    let of_grpc = of_stream("grpc_timeout_header_max").or(action.get("max_grpc_timeout"));
    if let Some(node) = of_grpc {
        end(&mut time, "a grpc-timeout header", &action.path, Some(node));
    }
    time
}

/// Adds a limit if a timeout of the connection manager can end the retries of a route.
pub(in crate::envoy) fn limit_retry_time(manager: &Message<'_, '_>, time: &mut RetryTime) {
    let options = "common_http_protocol_options";
    let field = "max_stream_duration";
    let of_stream = manager.get(options).and_then(|node| field_of(node, field));
    let idle = "stream_idle_timeout";
    let timeouts = [
        (field, of_stream, manager.path.field(options).field(field)),
        (idle, manager.get(idle), manager.path.field(idle)),
    ];
    for (name, node, path) in timeouts {
        if let Some(node) = node
            && duration_of(node).is_some_and(|most| !most.is_zero() && time.waits >= most)
        {
            end(time, name, &path, Some(node));
        }
    }
}

/// A timeout can end the retries; the first one that is found counts.
fn end(time: &mut RetryTime, name: &str, path: &Path, node: Option<&Node<'_>>) {
    let effect = format!(
        "{name} can end a request before its retries, which wait up to {} s in total; fewer requests \
         can succeed",
        time.waits.as_secs_f64()
    );
    let limit = Diagnostic {
        path: path.text(),
        position: node.map(|node| node.position),
        ..Diagnostic::limit("config/not-modeled", effect, Affects::Everything)
    };
    time.limit.get_or_insert(Box::new(limit));
}
