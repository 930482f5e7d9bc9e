//! A MeshHealthCheck as a health check of Envoy (`meshhealthcheck/plugin/xds/configurer.go`).

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_health::check::{ActiveCheck, HealthCheckKind, HttpStatuses};

use super::super::over_time::PlacedField;
use crate::mesh::{KumaSettings, assemble::KumaProtocol};

/// Kuma's default of `interval`.
const INTERVAL: Duration = Duration::from_secs(60);
/// Kuma's default of `timeout`.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Kuma's default of `unhealthyThreshold`.
const UNHEALTHY_THRESHOLD: u32 = 5;
/// Kuma's default of `healthyThreshold`.
const HEALTHY_THRESHOLD: u32 = 1;

/// The check; `None` if the settings have none for the protocol.
pub(super) fn active_check(
    settings: &KumaSettings,
    protocol: Option<KumaProtocol>,
) -> Option<ActiveCheck> {
    let kind = kind(settings, protocol)?;
    let time = |path| settings.time(path);
    let timeout = time("timeout").unwrap_or(TIMEOUT);
    let plain = ActiveCheck::new(kind, timeout, time("interval").unwrap_or(INTERVAL));
    let number = |path, default| settings.number(path).unwrap_or(default);
    Some(ActiveCheck {
        initial_jitter: time("initialJitter").unwrap_or_default(),
        interval_jitter: time("intervalJitter").unwrap_or_default(),
        interval_jitter_percent: number("intervalJitterPercent", 0),
        unhealthy_threshold: number("unhealthyThreshold", UNHEALTHY_THRESHOLD),
        healthy_threshold: number("healthyThreshold", HEALTHY_THRESHOLD),
        reuse_connection: settings.flag("reuseConnection").unwrap_or(true),
        no_traffic_interval: time("noTrafficInterval").unwrap_or(plain.no_traffic_interval),
        always_log_health_check_failures: settings.flag("alwaysLogHealthCheckFailures")
            == Some(true),
        ..plain
    })
}

/// The block of the protocol; that of TCP if the one of the protocol is disabled (`selectHealthCheckType`). Without a
/// known protocol, the first block that is not disabled.
fn kind(settings: &KumaSettings, protocol: Option<KumaProtocol>) -> Option<HealthCheckKind> {
    let is_on = |block: &str, flag: &str| settings.has(block) && settings.flag(flag) != Some(true);
    let is_off = |flag: &str| settings.flag(flag) == Some(true);
    let http = is_on("http", "http.disabled");
    let grpc = is_on("grpc", "grpc.disabled");
    let tcp = is_on("tcp", "tcp.disabled");
    let of_http = || {
        Some(HealthCheckKind::Http(HttpStatuses {
            expected: settings
                .texts("http.expectedStatuses")
                .iter()
                .filter_map(|status| status.parse().ok())
                .map(|status: u16| status..status.saturating_add(1))
                .collect(),
            retriable: Vec::new(),
        }))
    };
    let of_tcp = || {
        Some(if settings.texts("tcp.receive").is_empty() {
            HealthCheckKind::Tcp
        } else {
            HealthCheckKind::TcpExchange
        })
    };
    match protocol {
        Some(KumaProtocol::Http | KumaProtocol::Http2) | None if http => of_http(),
        Some(KumaProtocol::Grpc) | None if grpc => Some(HealthCheckKind::Grpc),
        Some(KumaProtocol::Tcp) | None if tcp => of_tcp(),
        Some(KumaProtocol::Http | KumaProtocol::Http2) if is_off("http.disabled") && tcp => {
            of_tcp()
        }
        Some(KumaProtocol::Grpc) if is_off("grpc.disabled") && tcp => of_tcp(),
        _ => None,
    }
}

/// The fields of Envoy, and the settings that they come from.
const FIELDS: [(&str, &str); 9] = [
    ("", ""),
    ("interval", "interval"),
    ("timeout", "timeout"),
    ("unhealthy_threshold", "unhealthyThreshold"),
    ("healthy_threshold", "healthyThreshold"),
    ("no_traffic_interval", "noTrafficInterval"),
    ("initial_jitter", "initialJitter"),
    ("interval_jitter", "intervalJitter"),
    ("interval_jitter_percent", "intervalJitterPercent"),
];

/// The places of the settings, and of the `default` for those that are not stated.
pub(super) fn places(settings: &KumaSettings) -> Vec<PlacedField> {
    let placed = FIELDS.iter().filter_map(|(field, path)| {
        Some(PlacedField {
            of_check: true,
            field,
            place: settings.nearest_place(path)?.clone(),
        })
    });
    placed.collect()
}
