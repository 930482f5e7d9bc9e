//! Settings that refuse or change requests because of their headers are limits.

use crate::requests::{ROUTER, config};

#[test]
fn settings_that_refuse_ordinary_requests_are_limits() {
    let options = |option: &str| format!("common_http_protocol_options: {{{option}}}, ");
    for (manager, expected) in [
        ("max_request_headers_kb: 8, ".into(), "status 431"),
        ("max_request_headers_kb: {value: 8}, ".into(), "status 431"),
        ("max_request_headers_kb: 96, ".into(), ""),
        (options("max_headers_count: 20"), "status 431"),
        (options("max_headers_count: 1000"), ""),
        (
            options("headers_with_underscores_action: REJECT_REQUEST"),
            "status 400",
        ),
        (options("headers_with_underscores_action: DROP_HEADER"), ""),
        (options("headers_with_underscores_action: ALLOW"), ""),
    ] {
        let config = config("", &manager, "", "", "route: {cluster: a}");
        let found: Vec<_> = config.limits().map(|limit| &limit.message).collect();
        match expected {
            "" => assert!(found.is_empty(), "{manager}: {found:?}"),
            expected => {
                assert_eq!(found.len(), 1, "{manager}: {found:?}");
                assert!(found[0].ends_with(expected), "{manager}: {found:?}");
            }
        }
    }
}

#[test]
fn a_referer_that_something_reads_is_a_limit() {
    let hash = |header: &str| {
        format!("route: {{cluster: a, hash_policy: [{{header: {{header_name: {header}}}}}]}}")
    };
    let limits = |header: &str| config("", "", "", "", &hash(header)).limits().count();
    assert_eq!((limits("referer"), limits("x-user")), (1, 0));
}

#[test]
fn replies_of_envoy_with_another_status_are_a_limit() {
    let limits = |mapper: &str| {
        let manager = format!("local_reply_config: {{mappers: [{mapper}]}}, ");
        let config = config("", &manager, "", "", "route: {cluster: a}");
        config.limits().count()
    };
    assert_eq!(limits("{status_code: 418}"), 1);
    assert_eq!(limits("{body: {inline_string: sorry}}"), 0);
}

#[test]
fn a_filter_that_can_add_clusters_is_a_limit() {
    let limits = |odcds: &str| {
        let manager = format!(
            "http_filters: [{{name: o, typed_config: {{'@type': \
             t/envoy.extensions.filters.http.on_demand.v3.OnDemand{odcds}}}}}, {ROUTER}], "
        );
        config("", &manager, "", "", "route: {cluster: a}")
            .limits()
            .count()
    };
    assert_eq!(limits(", odcds: {source: {ads: {}}}"), 1);
    assert_eq!(limits(""), 0);
}

/// Envoy 1.40 refuses the orders that are named: `non-terminal filter named o ... is the last filter` and
/// `terminal filter named r ... must be the last filter`.
#[test]
fn orders_of_filters_that_envoy_refuses_are_limits() {
    const ON_DEMAND: &str =
        "{name: o, typed_config: {'@type': t/envoy.extensions.filters.http.on_demand.v3.OnDemand}}";
    const UNKNOWN: &str = "{name: x, typed_config: {'@type': t/acme.Terminal}}";
    let codes = |filters: &[&str]| -> Vec<_> {
        let manager = format!("http_filters: [{}], ", filters.join(", "));
        let config = config("", &manager, "", "", "route: {cluster: a}");
        config.limits().map(|limit| limit.code).collect()
    };
    assert_eq!(codes(&[]), [""; 0]);
    assert_eq!(codes(&[ROUTER]), [""; 0]);
    assert_eq!(codes(&[ON_DEMAND, ROUTER]), [""; 0]);
    assert_eq!(codes(&[ON_DEMAND]), ["config/filter-order"]);
    assert_eq!(codes(&[ROUTER, ON_DEMAND]), ["config/filter-order"]);
    assert_eq!(codes(&[ROUTER, ROUTER]), ["config/filter-order"]);
    // A filter that is not known may answer all requests itself.
    assert_eq!(codes(&[UNKNOWN]), ["config/filter-not-modeled"]);
}
