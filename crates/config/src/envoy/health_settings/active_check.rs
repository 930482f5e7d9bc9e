//! Reads one entry of `health_checks` (`envoy.config.core.v3.HealthCheck`).

use alloc::{string::String, vec::Vec};
use core::ops::Range;
use core::time::Duration;

use spillgate_health::check::{ActiveCheck, HealthCheckKind, HttpStatuses, IntervalLimits};

use super::{LocatedSettings, setting::SettingReader};
use crate::proto::{Message, Report};

/// The checkers of which a check has exactly one.
const KINDS: [&str; 4] = [
    "http_health_check",
    "tcp_health_check",
    "grpc_health_check",
    "custom_health_check",
];

/// Reads a check. After faults it is incomplete.
pub(super) fn read_check(
    message: Message<'_, '_>,
    runtime: &Report,
    faults: &mut Report,
) -> LocatedSettings<ActiveCheck> {
    let mut reader = SettingReader::new(message, runtime, faults);
    let kind = read_kind(&mut reader);
    let timeout = reader.required_time("timeout");
    let interval = reader.required_time("interval");
    let plain = ActiveCheck::new(kind, timeout, interval);
    let check = ActiveCheck {
        name: text(&mut reader, "name"),
        initial_jitter: reader.optional_time("initial_jitter").unwrap_or_default(),
        interval_jitter: reader.optional_time("interval_jitter").unwrap_or_default(),
        interval_jitter_percent: reader.number("interval_jitter_percent").unwrap_or_default(),
        unhealthy_threshold: reader.required_number("unhealthy_threshold"),
        healthy_threshold: reader.required_number("healthy_threshold"),
        reuse_connection: reader.flag("reuse_connection", true),
        no_traffic_interval: reader
            .positive_time("no_traffic_interval")
            .unwrap_or(plain.no_traffic_interval),
        no_traffic_healthy_interval: reader.positive_time("no_traffic_healthy_interval"),
        unhealthy_interval: reader.positive_time("unhealthy_interval"),
        unhealthy_edge_interval: reader.positive_time("unhealthy_edge_interval"),
        healthy_edge_interval: reader.positive_time("healthy_edge_interval"),
        always_log_health_check_failures: reader.flag("always_log_health_check_failures", false),
        always_log_health_check_success: reader.flag("always_log_health_check_success", false),
        interval_limits: limits(&mut reader),
        ..plain
    };
    reader.finish(check)
}

fn text(reader: &mut SettingReader<'_, '_, '_>, field: &'static str) -> String {
    reader.found(field);
    let text = reader.message.string(field, reader.faults);
    text.unwrap_or_default().into()
}

/// The runtime keys that limit all intervals.
fn limits(reader: &mut SettingReader<'_, '_, '_>) -> IntervalLimits {
    let mut limit = |key| {
        reader
            .of_runtime(key, "interval")
            .map(Duration::from_millis)
    };
    let least = limit("health_check.min_interval");
    let most = limit("health_check.max_interval");
    IntervalLimits {
        least: least.unwrap_or(IntervalLimits::NONE.least),
        most: most.unwrap_or(IntervalLimits::NONE.most),
    }
}

fn read_kind(reader: &mut SettingReader<'_, '_, '_>) -> HealthCheckKind {
    let message = reader.message.clone();
    message.one_of(&KINDS, reader.faults);
    for field in KINDS {
        let Some(node) = message.get(field) else {
            continue;
        };
        reader.found(field);
        let path = message.path.field(field);
        let Some(own) = Message::unchecked(node, path, "HealthCheck", reader.faults) else {
            continue;
        };
        return match field {
            "http_health_check" => read_http(&own, reader),
            "tcp_health_check" => {
                let received = own.list("receive", reader.faults).count();
                if received == 0 {
                    HealthCheckKind::Tcp
                } else {
                    HealthCheckKind::TcpExchange
                }
            }
            "grpc_health_check" => HealthCheckKind::Grpc,
            _ => {
                let name = own.required_string("name", reader.faults);
                HealthCheckKind::Custom(name.unwrap_or_default().into())
            }
        };
    }
    let [http, ..] = KINDS;
    let fault = message.error(http, "config/missing", "required field is missing");
    if !KINDS.iter().any(|field| message.has(field)) {
        reader.faults.push(fault.expected(KINDS.join(" or ")));
    }
    HealthCheckKind::Tcp
}

fn read_http(own: &Message<'_, '_>, reader: &mut SettingReader<'_, '_, '_>) -> HealthCheckKind {
    own.required_string("path", reader.faults);
    let mut ranges = |field| {
        reader.found_in(own, field);
        read_ranges(own, field, reader.faults)
    };
    HealthCheckKind::Http(HttpStatuses {
        expected: ranges("expected_statuses"),
        retriable: ranges("retriable_statuses"),
    })
}

/// `envoy.type.v3.Int64Range`: half-open, within 100 to 600.
fn read_ranges(own: &Message<'_, '_>, field: &'static str, faults: &mut Report) -> Vec<Range<u16>> {
    let mut ranges = Vec::new();
    for (path, node) in own.list(field, faults) {
        let Some(range) = Message::unchecked(node, path, "Int64Range", faults) else {
            continue;
        };
        let start = range.i64("start", faults).unwrap_or_default();
        let end = range.i64("end", faults).unwrap_or_default();
        let valid = start < end && start >= 100 && end <= 600;
        match (u16::try_from(start), u16::try_from(end)) {
            (Ok(start), Ok(end)) if valid => ranges.push(start..end),
            _ => {
                let bound = if start < 100 { "start" } else { "end" };
                range.out_of_range(bound, "100 <= start < end <= 600", faults);
            }
        }
    }
    ranges
}
