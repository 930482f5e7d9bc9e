//! `trafficPolicy`.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::istio::{
    IstioConsistentHash, IstioHashCookie, IstioLoadBalancer, IstioOutlierDetection,
    IstioPortPolicy, IstioTrafficPolicy, IstioWarmup,
};

use super::{
    connection_pool::{read_connection_pool, read_retry_budget},
    locality_lb::read_locality_lb,
    zone_aware::read_zone_aware,
};
use crate::proto::{
    Irrelevance::{Discovery, Response, Transport},
    Message, Report, Schema,
};

pub(super) static TRAFFIC_POLICY: Schema = Schema::new(
    "trafficPolicy",
    "loadBalancer outlierDetection portLevelSettings tls connectionPool retryBudget",
)
.ignored(&[(Transport, "tunnel proxyProtocol")])
.of("DestinationRule.trafficPolicy");
pub(super) static PORT_POLICY: Schema = Schema::new(
    "portLevelSettings",
    "port loadBalancer outlierDetection tls connectionPool",
)
.of("DestinationRule.trafficPolicy.portLevelSettings");
pub(super) static PORT: Schema =
    Schema::new("port", "number").of("DestinationRule.trafficPolicy.portLevelSettings.port");
pub(super) static LOAD_BALANCER: Schema = Schema::new(
    "loadBalancer",
    "simple consistentHash localityLbSetting zoneAwareLbSetting warmup warmupDurationSecs",
)
.of("DestinationRule.trafficPolicy.loadBalancer");
pub(super) static CONSISTENT_HASH: Schema = Schema::new(
    "consistentHash",
    "httpHeaderName httpCookie useSourceIp httpQueryParameterName ringHash maglev minimumRingSize",
)
.of("DestinationRule.trafficPolicy.loadBalancer.consistentHash");
pub(super) static COOKIE: Schema = Schema::new("httpCookie", "name path ttl")
    .ignored(&[(Response, "attributes")])
    .of("DestinationRule.trafficPolicy.loadBalancer.consistentHash.httpCookie");
pub(super) static RING_HASH: Schema = Schema::new("ringHash", "minimumRingSize")
    .of("DestinationRule.trafficPolicy.loadBalancer.consistentHash.ringHash");
pub(super) static MAGLEV: Schema = Schema::new("maglev", "tableSize")
    .of("DestinationRule.trafficPolicy.loadBalancer.consistentHash.maglev");
pub(super) static WARMUP: Schema = Schema::new("warmup", "duration minimumPercent aggression")
    .of("DestinationRule.trafficPolicy.loadBalancer.warmup");
pub(super) static OUTLIER_DETECTION: Schema = Schema::new(
    "outlierDetection",
    "minHealthPercent consecutive5xxErrors consecutiveGatewayErrors \
     consecutiveLocalOriginFailures splitExternalLocalOriginErrors interval baseEjectionTime \
     maxEjectionPercent",
)
.ignored(&[(
    Discovery,
    "consecutiveErrors outlierDetectionHttpErrorCodes",
)])
.of("DestinationRule.trafficPolicy.outlierDetection");

/// Reads `trafficPolicy`.
pub(super) fn read_traffic_policy(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioTrafficPolicy> {
    let policy = parent.message("trafficPolicy", &TRAFFIC_POLICY, report)?;
    let mut ports = Vec::new();
    for (path, node) in policy.items("portLevelSettings", report) {
        let Some(entry) = Message::open(node, path, &PORT_POLICY, report) else {
            continue;
        };
        entry.require("port", report);
        let port = entry.message("port", &PORT, report);
        let read = IstioPortPolicy {
            load_balancer: read_load_balancer(&entry, report),
            outlier_detection: read_outlier_detection(&entry, report),
            connection_pool: read_connection_pool(&entry, report),
            tls_mode: read_tls_mode(&entry, report),
            port: 0,
        };
        if let Some(port) = port.and_then(|port| port.port("number", report)) {
            ports.push(IstioPortPolicy { port, ..read });
        }
    }
    Some(IstioTrafficPolicy {
        load_balancer: read_load_balancer(&policy, report),
        outlier_detection: read_outlier_detection(&policy, report),
        connection_pool: read_connection_pool(&policy, report),
        retry_budget: read_retry_budget(&policy, report),
        tls_mode: read_tls_mode(&policy, report),
        ports,
    })
}

/// The mode of `tls`: without mutual TLS, endpoints of other networks are not reached.
fn read_tls_mode(parent: &Message<'_, '_>, report: &mut Report) -> Option<String> {
    let tls = parent.object("tls", "tls", report)?;
    tls.string("mode", report).map(String::from)
}

fn read_load_balancer(parent: &Message<'_, '_>, report: &mut Report) -> Option<IstioLoadBalancer> {
    let balancer = parent.message("loadBalancer", &LOAD_BALANCER, report)?;
    balancer.one_of(&["simple", "consistentHash"], report);
    let warmup = balancer.message("warmup", &WARMUP, report);
    let warmup = match warmup {
        Some(warmup) => Some(IstioWarmup {
            duration_ms: warmup.milliseconds("duration", report).unwrap_or(0),
            minimum_percent: warmup.wrapped_double("minimumPercent", report),
            aggression: warmup.wrapped_double("aggression", report),
        }),
        None => balancer
            .milliseconds("warmupDurationSecs", report)
            .map(|duration_ms| IstioWarmup {
                duration_ms,
                ..IstioWarmup::default()
            }),
    };
    Some(IstioLoadBalancer {
        simple: balancer
            .enumeration("simple", &SIMPLE, report)
            .flatten()
            .map(String::from),
        consistent_hash: read_consistent_hash(&balancer, report),
        locality_lb_setting: read_locality_lb(&balancer, report),
        zone_aware_lb_setting: read_zone_aware(&balancer, report),
        warmup,
    })
}

/// The values of `simple`, by their names in the model; `UNSPECIFIED` is the default.
static SIMPLE: [(&str, i64, Option<&str>); 6] = [
    ("UNSPECIFIED", 0, None),
    ("LEAST_CONN", 1, Some("LEAST_CONN")),
    ("RANDOM", 2, Some("RANDOM")),
    ("PASSTHROUGH", 3, Some("PASSTHROUGH")),
    ("ROUND_ROBIN", 4, Some("ROUND_ROBIN")),
    ("LEAST_REQUEST", 5, Some("LEAST_REQUEST")),
];

fn read_consistent_hash(
    balancer: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioConsistentHash> {
    let hash = balancer.message("consistentHash", &CONSISTENT_HASH, report)?;
    const KEYS: [&str; 4] = [
        "httpHeaderName",
        "httpCookie",
        "useSourceIp",
        "httpQueryParameterName",
    ];
    hash.one_of(&KEYS, report);
    hash.one_of(&["ringHash", "maglev"], report);
    let cookie = hash.message("httpCookie", &COOKIE, report);
    let ring = hash.message("ringHash", &RING_HASH, report);
    let maglev = hash.message("maglev", &MAGLEV, report);
    let deprecated = hash.i64("minimumRingSize", report);
    Some(IstioConsistentHash {
        http_header_name: hash.string("httpHeaderName", report).map(Into::into),
        http_cookie: cookie.map(|cookie| IstioHashCookie {
            name: cookie
                .required_string("name", report)
                .unwrap_or_default()
                .into(),
            path: cookie.string("path", report).map(Into::into),
            ttl_ms: cookie.milliseconds("ttl", report),
        }),
        use_source_ip: hash.bool("useSourceIp", report),
        http_query_parameter_name: hash
            .string("httpQueryParameterName", report)
            .map(Into::into),
        minimum_ring_size: ring
            .and_then(|ring| ring.i64("minimumRingSize", report))
            .or(deprecated),
        maglev_table_size: maglev.map(|maglev| {
            /// Envoy's default number of slots.
            const DEFAULT: i64 = 65_537;
            maglev.i64("tableSize", report).unwrap_or(DEFAULT)
        }),
    })
}

fn read_outlier_detection(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioOutlierDetection> {
    let outlier = parent.message("outlierDetection", &OUTLIER_DETECTION, report)?;
    let mut number = |field| outlier.i64(field, report);
    let min_health_percent = number("minHealthPercent");
    let max_ejection_percent = number("maxEjectionPercent");
    let consecutive_5xx_errors = number("consecutive5xxErrors");
    let consecutive_gateway_errors = number("consecutiveGatewayErrors");
    let consecutive_local_origin_failures = number("consecutiveLocalOriginFailures");
    for (field, value) in [
        ("minHealthPercent", min_health_percent),
        ("maxEjectionPercent", max_ejection_percent),
    ] {
        if value.is_some_and(|value| !(0..=100).contains(&value)) {
            outlier.out_of_range(field, "a percentage from 0 to 100", report);
        }
    }
    for (field, value) in [
        ("consecutive5xxErrors", consecutive_5xx_errors),
        ("consecutiveGatewayErrors", consecutive_gateway_errors),
        (
            "consecutiveLocalOriginFailures",
            consecutive_local_origin_failures,
        ),
    ] {
        if value.is_some_and(|value| u32::try_from(value).is_err()) {
            outlier.out_of_range(field, "an integer from 0 to 4294967295", report);
        }
    }
    let interval_ms = outlier.milliseconds("interval", report);
    let base_ejection_time_ms = outlier.milliseconds("baseEjectionTime", report);
    for (field, value) in [
        ("interval", interval_ms),
        ("baseEjectionTime", base_ejection_time_ms),
    ] {
        if value == Some(0) {
            outlier.out_of_range(field, "at least 1ms", report);
        }
    }
    let splits = outlier.bool("splitExternalLocalOriginErrors", report);
    if consecutive_local_origin_failures.is_some_and(|of| of > 0) && splits != Some(true) {
        let field = "consecutiveLocalOriginFailures";
        outlier.out_of_range(
            field,
            "splitExternalLocalOriginErrors: true with it",
            report,
        );
    }
    Some(IstioOutlierDetection {
        min_health_percent,
        consecutive_5xx_errors,
        consecutive_gateway_errors,
        consecutive_local_origin_failures,
        split_external_local_origin_errors: splits,
        interval_ms,
        base_ejection_time_ms,
        max_ejection_percent,
    })
}
