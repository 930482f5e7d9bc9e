//! `health`: where the health of hosts comes from.

use alloc::string::String;
use core::time::Duration;

use crate::proto::{Message, Report, Schema};

/// `health`: all fields but `source` need the source `admin`.
pub(super) static HEALTH: Schema = Schema::new(
    "health",
    "source cluster interval metadata_interval stale_after on_stale poller",
);

/// Where health comes from; `true` is the admin.
pub(super) const SOURCES: [(&str, i64, bool); 2] = [("static", 0, false), ("admin", 1, true)];
/// What happens when the last known good state is older than `stale_after`.
pub(crate) const ON_STALE: [(&str, i64, OnStale); 2] = [
    ("keep", 0, OnStale::Keep),
    ("pass_through", 1, OnStale::PassThrough),
];
/// Who asks the admin: one poller for all workers, or each worker.
pub(crate) const POLLERS: [(&str, i64, PollerKind); 2] = [
    ("shared", 0, PollerKind::Shared),
    ("worker", 1, PollerKind::Worker),
];

/// How often the admin is asked when nothing is said.
pub(crate) const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);
/// How often it is asked for metadata when nothing is said.
pub(crate) const DEFAULT_METADATA_INTERVAL: Duration = Duration::from_secs(30);
/// How old an answer may be when nothing is said.
pub(crate) const DEFAULT_STALE_AFTER: Duration = Duration::from_secs(30);
/// Asking costs Envoy's main thread time, by the number of hosts.
pub(super) const SHORTEST_INTERVAL: Duration = Duration::from_millis(50);

/// The source of health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthSource {
    /// What the load assignments of the configuration say.
    Static,
    /// What Envoy's admin says.
    Admin(AdminHealth),
}

/// Health from `/clusters` of Envoy's admin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminHealth {
    /// The Envoy cluster that reaches the admin (`health.cluster`).
    pub cluster: String,
    /// How often a worker asks where it does so itself (`health.interval`).
    pub interval: Duration,
    /// How often it asks for endpoint metadata (`health.metadata_interval`).
    pub metadata_interval: Duration,
    /// How old an answer may be (`health.stale_after`).
    pub stale_after: Duration,
    /// What is done with an older one (`health.on_stale`).
    pub on_stale: OnStale,
    /// Who asks (`health.poller`).
    pub poller: PollerKind,
}

/// What is done when nothing new has been heard for too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnStale {
    /// The last answer goes on counting.
    Keep,
    /// Envoy balances by itself until there is a new one.
    PassThrough,
}

/// Who asks the admin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollerKind {
    /// One for all workers, a plugin of its own in `bootstrap_extensions`.
    Shared,
    /// Every worker, unless another one has just done so.
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
                let fault = "this field needs the source admin";
                report.push(message.error(field, "config/one-of", fault));
            }
        }
        return Some(HealthSource::Static);
    }
    let cluster = message.required_string("cluster", report);
    let poller = message.enumeration("poller", &POLLERS, report);
    let interval = read_interval(&message, "interval", report).unwrap_or(DEFAULT_INTERVAL);
    let metadata_interval = read_interval(&message, "metadata_interval", report);
    let stale_after = message.duration("stale_after", report);
    let stale_after = stale_after.unwrap_or(DEFAULT_STALE_AFTER);
    if stale_after <= interval {
        let fault = "every answer would be stale before the next one";
        message
            .error("stale_after", "config/value", fault)
            .expected("more than the interval")
            .push_to(report);
    }
    let on_stale = message.enumeration("on_stale", &ON_STALE, report);
    Some(HealthSource::Admin(AdminHealth {
        cluster: cluster?.into(),
        interval,
        metadata_interval: metadata_interval.unwrap_or(DEFAULT_METADATA_INTERVAL),
        stale_after,
        on_stale: on_stale.unwrap_or(OnStale::Keep),
        poller: poller.unwrap_or(PollerKind::Shared),
    }))
}

/// How often something is asked.
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
