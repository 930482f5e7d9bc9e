//! `health`: the source of host health.

use alloc::string::String;
use core::time::Duration;

use crate::proto::{Message, Report, Schema};

/// `health`: all fields except `source` require the source `admin`.
pub(super) static HEALTH: Schema = Schema::new(
    "health",
    "source cluster interval metadata_interval stale_after on_stale on_unknown poller",
);

/// The sources; `true`: the admin.
pub(super) const SOURCES: [(&str, i64, bool); 2] = [("static", 0, false), ("admin", 1, true)];
/// The handling of a last known good state older than `stale_after`.
pub(crate) const ON_STALE: [(&str, i64, OnStale); 3] = [
    ("keep", 0, OnStale::Keep),
    ("pass_through", 1, OnStale::PassThrough),
    ("refuse", 2, OnStale::Refuse),
];
/// The handling of a request while the hosts that it may use are unknown.
pub(crate) const ON_UNKNOWN: [(&str, i64, UnknownHostsPolicy); 2] = [
    ("pass_through", 0, UnknownHostsPolicy::PassThrough),
    ("refuse", 1, UnknownHostsPolicy::Refuse),
];
/// Which part polls the admin: one poller for all workers, or each worker.
pub(crate) const POLLERS: [(&str, i64, PollerKind); 2] = [
    ("shared", 0, PollerKind::Shared),
    ("worker", 1, PollerKind::Worker),
];

/// Default of `health.interval`.
pub(crate) const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);
/// Default of `health.metadata_interval` if requests do not select hosts by metadata.
pub(crate) const DEFAULT_METADATA_INTERVAL: Duration = Duration::from_secs(30);
/// Default of `health.stale_after`.
pub(crate) const DEFAULT_STALE_AFTER: Duration = Duration::from_secs(30);
/// A poll takes time in Envoy's main thread, proportional to the number of hosts.
pub(super) const SHORTEST_INTERVAL: Duration = Duration::from_millis(50);

/// The source of host health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthSource {
    /// The load assignments of the configuration.
    Static,
    /// Envoy's admin.
    Admin(AdminHealth),
    /// Envoy itself: the filter is a dynamic module.
    Envoy {
        /// The handling of requests while the hosts are unknown, if configured (`health.on_unknown`).
        on_unknown: Option<UnknownHostsPolicy>,
    },
}

/// Health from `/clusters` of Envoy's admin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminHealth {
    /// The Envoy cluster that reaches the admin (`health.cluster`).
    pub cluster: String,
    /// Poll interval of a worker without a shared poller (`health.interval`); at least 50 ms.
    pub interval: Duration,
    /// Poll interval for endpoint metadata, if configured (`health.metadata_interval`); at least 50 ms.
    /// [`FilterConfig::metadata_interval`](super::FilterConfig::metadata_interval) has the default.
    pub metadata_interval: Option<Duration>,
    /// Maximum age of the last response (`health.stale_after`); greater than the interval.
    pub stale_after: Duration,
    /// The handling of an older response (`health.on_stale`).
    pub on_stale: OnStale,
    /// The handling of requests while the hosts are unknown, if configured (`health.on_unknown`);
    /// [`FilterConfig::on_unknown`](super::FilterConfig::on_unknown) has the default.
    pub on_unknown: Option<UnknownHostsPolicy>,
    /// Which part polls (`health.poller`).
    pub poller: PollerKind,
}

/// The handling of a last known good state that is too old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnStale {
    /// Keeps using the last known good state.
    Keep,
    /// Envoy balances by itself until the next response.
    PassThrough,
    /// Requests get 503 until the next response.
    Refuse,
}

/// The handling of a request while the hosts that it may use are unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnknownHostsPolicy {
    /// Envoy balances by itself.
    PassThrough,
    /// The request gets 503.
    Refuse,
}

/// Which part polls the admin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollerKind {
    /// One poller for all workers, a plugin in `bootstrap_extensions`.
    Shared,
    /// Every worker, unless another one has just polled.
    Worker,
}

/// Reads `health`; `None` after an error.
pub(super) fn read_health(parent: &Message<'_, '_>, report: &mut Report) -> Option<HealthSource> {
    let Some(message) = parent.message("health", &HEALTH, report) else {
        return (!parent.has("health")).then_some(HealthSource::Static);
    };
    let admin = message.enumeration("source", &SOURCES, report);
    if admin != Some(true) {
        for field in HEALTH.fields().filter(|field| *field != "source") {
            if message.has(field) {
                let fault = "requires source: admin";
                report.push(message.error(field, "config/one-of", fault));
            }
        }
        return Some(HealthSource::Static);
    }
    let cluster = message.required_string("cluster", report);
    let poller = message.enumeration("poller", &POLLERS, report);
    let interval = read_interval(&message, "interval", report).unwrap_or(DEFAULT_INTERVAL);
    let metadata_interval = read_interval(&message, "metadata_interval", report);
    let stale_after = message
        .duration("stale_after", report)
        .unwrap_or(DEFAULT_STALE_AFTER);
    if stale_after <= interval {
        let fault = "stale_after must exceed interval";
        message
            .error("stale_after", "config/value", fault)
            .expected("more than the interval")
            .push_to(report);
    }
    let on_stale = message.enumeration("on_stale", &ON_STALE, report);
    let on_unknown = message.enumeration("on_unknown", &ON_UNKNOWN, report);
    Some(HealthSource::Admin(AdminHealth {
        cluster: cluster?.into(),
        interval,
        metadata_interval,
        stale_after,
        on_stale: on_stale.unwrap_or(OnStale::Keep),
        on_unknown,
        poller: poller.unwrap_or(PollerKind::Shared),
    }))
}

/// A poll interval.
pub(super) fn read_interval(
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<Duration> {
    let interval = message.duration(field, report)?;
    if interval < SHORTEST_INTERVAL {
        message.out_of_range(field, "at least \"50ms\"", report);
    }
    Some(interval)
}
