//! What connection managers, filters and routes change in requests: values of Envoy 1.40.

use spillgate_config::envoy::{EnvoyConfig, Format, ReadOptions, read, read_with};
use spillgate_config::write::envoy_yaml;
use spillgate_core::route::{Connection, HeaderList, Headers, RouteOutcome};

const MANAGER: &str = "\"@type\": t/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
/// The last filter of a connection manager.
pub(crate) const ROUTER: &str =
    "{name: r, typed_config: {'@type': t/envoy.extensions.filters.http.router.v3.Router}}";
const MUTATION: &str = "t/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation";

/// A listener with one route; `route` and `host` are further fields, `manager` those of the
/// connection manager.
fn text(chain: &str, manager: &str, routes: &str, host: &str, route: &str) -> String {
    format!(
        "- {{name: a}}\n- name: l\n  filter_chains:\n  - {{{chain}filters: [{{name: h, typed_config: {{{MANAGER}, {manager}\
         route_config: {{{routes}virtual_hosts: [{{name: v, domains: ['*'], {host}\
         routes: [{{match: {{prefix: /}}, {route}}}]}}]}}}}}}]}}\n"
    )
}

pub(crate) fn config(
    chain: &str,
    manager: &str,
    routes: &str,
    host: &str,
    route: &str,
) -> EnvoyConfig {
    let text = text(chain, manager, routes, host, route);
    read(&text, Format::Yaml).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
}

/// The values of headers as the router forwards them.
fn forwarded(config: &EnvoyConfig, sent: &[(&str, &str)], names: &[&str]) -> Vec<String> {
    let mut all = vec![(":authority", "localhost"), (":path", "/p?q=1")];
    all.extend_from_slice(sent);
    let sent = HeaderList(&all);
    let connection = Connection {
        remote: "192.0.2.9:40000",
        local: "192.0.2.1:10000",
        ..Connection::default()
    };
    let table = &config.listeners[0].routes;
    let received = table.receive(&sent, connection);
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("not forwarded");
    };
    let headers = routed.headers(&routed.choose(0));
    let values = names.iter().map(|name| {
        let values: Vec<_> = headers.values(name).map(String::from_utf8_lossy).collect();
        values.join(" | ")
    });
    values.collect()
}

/// Header changes of one part: one appended and one overwritten header.
fn changes(value: &str) -> String {
    format!(
        "request_headers_to_add: [{{header: {{key: X-O, value: {value}}}}}, \
         {{header: {{key: x-w, value: {value}}}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}}], "
    )
}

#[test]
fn header_changes_have_the_order_of_envoy() {
    let weighted = format!(
        "{}route: {{weighted_clusters: {{clusters: [{{name: a, weight: 1, {}request_headers_to_remove: [x-a], \
         host_rewrite_literal: weighted.example}}]}}, host_rewrite_literal: route.example, append_x_forwarded_host: true}}",
        changes("route"),
        changes("wc"),
    );
    let names = ["x-o", "x-w", "x-a", ":authority", "x-forwarded-host"];
    let of = |first: &str| {
        let routes = format!("{first}{}", changes("rc"));
        let config = config("", "", &routes, &changes("vh"), &weighted);
        forwarded(&config, &[("x-a", "1")], &names)
    };
    let hosts = ["", "route.example", "weighted.example"];
    let last = of("");
    assert_eq!(last[..2], ["wc | route | vh | rc", "rc"]);
    assert_eq!(last[2..], hosts);
    let first = of("most_specific_header_mutations_wins: true, ");
    assert_eq!(first[..2], ["wc | rc | vh | route", "route"]);
    assert_eq!(first[2..], hosts);
}

#[test]
fn filters_that_change_a_header_are_named_if_a_choice_reads_it() {
    const EXTENSIONS: &str = "t/envoy.extensions.filters.http";
    let hash = |header: &str| {
        format!("route: {{cluster: a, hash_policy: [{{header: {{header_name: {header}}}}}]}}")
    };
    for (filter, header, named) in [
        ("grpc_web.v3.GrpcWeb", "content-type", true),
        ("grpc_web.v3.GrpcWeb", "x-user", false),
        ("decompressor.v3.Decompressor", "accept-encoding", true),
        ("connect_grpc_bridge.v3.FilterConfig", "x-user", true),
        ("local_ratelimit.v3.LocalRateLimit", "x-user", false),
        (
            "local_ratelimit.v3.LocalRateLimit\", token_bucket: {}, filter_enabled: {}, \"x\": \"",
            "x-user",
            false,
        ),
        (
            "local_ratelimit.v3.LocalRateLimit\", filter_enabled: {}, filter_enforced: {}, \"x\": \"",
            "x-user",
            true,
        ),
        (
            "local_ratelimit.v3.LocalRateLimit\", request_headers_to_add_when_not_enforced: [], \"x\": \"",
            "x-user",
            true,
        ),
    ] {
        let manager = format!(
            "http_filters: [{{name: f, typed_config: {{\"@type\": \"{EXTENSIONS}.{filter}\"}}}}, {ROUTER}], "
        );
        let config = config("", &manager, "", "", &hash(header));
        let codes: Vec<_> = config.limits().map(|limit| limit.code).collect();
        let expected = if named {
            &["config/filter-not-modeled"][..]
        } else {
            &[]
        };
        assert_eq!(codes, expected, "{filter} {header}: {:?}", config.warnings);
    }
}

/// Measured with Envoy 1.40.
#[test]
fn a_fragment_is_refused_unless_a_runtime_value_removes_it() {
    let layers = "layered_runtime: {layers: [{name: s, static_layer: \
                  {envoy.reloadable_features.http_reject_path_with_fragment: false}}]}";
    for (path, by_default, removed) in [
        ("/a", None, "/a"),
        ("/a#x", Some(400), "/a"),
        ("/a?q=1#x", Some(400), "/a?q=1"),
        ("/b#x/a", Some(400), "/b"),
        ("/a%23x", None, "/a%23x"),
    ] {
        let of = |layers: &str| {
            let text = format!(
                "{layers}\nstatic_resources:\n  clusters: [{{name: a}}]\n  listeners:\n  - filter_chains:\n    - filters: \
                 [{{name: h, typed_config: {{{MANAGER}, route_config: {{virtual_hosts: [{{name: v, domains: ['*'], \
                 routes: [{{match: {{prefix: /}}, route: {{cluster: a}}}}]}}]}}}}}}]\n"
            );
            let config = read(&text, Format::Yaml).unwrap_or_else(|faults| panic!("{faults:#?}"));
            let sent = [(":path", path)];
            let headers = HeaderList(&sent);
            let table = &config.listeners[0].routes;
            let received = table.receive(&headers, Connection::default());
            let path = received.first(":path").map(<[u8]>::to_vec);
            (received.refused, path)
        };
        assert_eq!(of("").0, by_default, "{path}");
        assert_eq!(of(layers), (None, Some(removed.into())), "{path}");
    }
}

#[test]
fn header_mutation_filters_apply_every_part() {
    let step = |value: &str| {
        format!(
            "{{append: {{header: {{key: x-o, value: {value}}}}}}}, {{append: {{header: {{key: x-w, value: {value}}}, \
             append_action: OVERWRITE_IF_EXISTS_OR_ADD}}}}"
        )
    };
    let per = |value: &str| {
        format!(
            "typed_per_filter_config: {{m: {{\"@type\": {MUTATION}PerRoute, mutations: {{request_mutations: [{}]}}}}}}, ",
            step(value)
        )
    };
    let of = |specific: bool| {
        let manager = format!(
            "http_filters: [{{name: m, typed_config: {{\"@type\": {MUTATION}, mutations: {{request_mutations: [{}]}}, \
             most_specific_header_mutations_wins: {specific}}}}}, {ROUTER}], ",
            step("listener")
        );
        let route = format!("{}route: {{cluster: a}}", per("route"));
        let config = config("", &manager, &per("rc"), &per("vh"), &route);
        assert!(config.limits().next().is_none(), "{:?}", config.warnings);
        forwarded(&config, &[], &["x-o", "x-w"])
    };
    assert_eq!(of(false), ["listener | route | vh | rc", "rc"]);
    assert_eq!(of(true), ["listener | rc | vh | route", "route"]);
}

#[test]
fn the_connection_manager_sets_headers_by_its_settings() {
    let names = [
        "x-forwarded-proto",
        "x-forwarded-for",
        "x-forwarded-port",
        "x-envoy-external-address",
        ":authority",
    ];
    let of = |chain: &str, manager: &str, sent: &[(&str, &str)]| {
        let config = config(chain, manager, "", "", "route: {cluster: a}");
        forwarded(&config, sent, &names)
    };
    let tls = "transport_socket: {name: tls, typed_config: {\"@type\": \
               t/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext}}, ";
    let own = "use_remote_address: true, append_x_forwarded_port: true, ";
    assert_eq!(of("", "", &[]), ["http", "", "", "", "localhost"]);
    assert_eq!(of(tls, "", &[]), ["https", "", "", "", "localhost"]);
    assert_eq!(
        of(
            "",
            own,
            &[
                ("x-forwarded-for", "1.2.3.4"),
                ("x-forwarded-proto", "https")
            ]
        ),
        [
            "http",
            "1.2.3.4,192.0.2.9",
            "10000",
            "192.0.2.9",
            "localhost"
        ]
    );
    let stripped = "strip_any_host_port: true, skip_xff_append: true, use_remote_address: true, ";
    assert_eq!(
        of("", stripped, &[]),
        ["http", "", "", "192.0.2.9", "localhost"]
    );
}

#[test]
fn rewrites_change_what_hash_policies_read() {
    let route = "route: {cluster: a, regex_rewrite: {pattern: {regex: x}, substitution: z}, \
                 hash_policy: [{header: {header_name: ':path'}}]}";
    let config = config("", "", "", "", route);
    // Without a compiler the path is unknown, and something reads it.
    let limits: Vec<_> = config.limits().map(|limit| limit.code).collect();
    assert_eq!(limits, ["config/header-change-not-modeled"]);
    let format =
        "route: {cluster: a, path_rewrite: '/x%REQ(x-a)%', host_rewrite: '%REQ(x-h)%.example'}";
    let config = self::config("", "", "", "", format);
    let names = [":path", ":authority", "x-envoy-original-path"];
    assert_eq!(
        forwarded(&config, &[("x-a", "A")], &names),
        ["/xA?q=1", "-.example", "/p?q=1"]
    );
}

#[test]
fn unknown_values_are_limits_only_if_something_reads_them() {
    let add = "request_headers_to_add: [{header: {key: x-start, value: '%START_TIME%'}}], ";
    let hash = "hash_policy: [{header: {header_name: x-start}}]";
    let limits = |route: &str| {
        let config = config("", "", "", "", route);
        config
            .limits()
            .map(|limit| limit.message.clone())
            .collect::<Vec<_>>()
    };
    let unread = limits(&format!("{add}route: {{cluster: a}}"));
    assert!(unread.is_empty(), "{unread:?}");
    let read = limits(&format!("{add}route: {{cluster: a, {hash}}}"));
    assert_eq!(
        read,
        [
            "\"%START_TIME%\" in the value of the header \"x-start\" is not modeled; requests of this route can go \
          to another host"
        ]
    );
    let id = limits("route: {cluster: a, hash_policy: [{header: {header_name: x-request-id}}]}");
    assert_eq!(id.len(), 1, "{id:?}");
}

#[test]
fn pseudo_headers_must_not_be_added() {
    let route = "request_headers_to_add: [{header: {key: ':path', value: /}}], route: {cluster: a}";
    let faults = read_with(
        &text("", "", "", "", route),
        Format::Yaml,
        &ReadOptions::default(),
    )
    .unwrap_err();
    assert_eq!(faults[0].code, "config/value", "{faults:?}");
}

#[test]
fn changes_of_requests_are_written() {
    let manager = "use_remote_address: true, xff_num_trusted_hops: 1, normalize_path: true, merge_slashes: true, \
                   path_with_escaped_slashes_action: REJECT_REQUEST, strip_matching_host_port: true, via: me, \
                   internal_address_config: {cidr_ranges: [{address_prefix: 10.0.0.0, prefix_len: 8}]}, ";
    let route = format!(
        "{}request_headers_to_remove: [x-z], route: {{cluster: a, prefix_rewrite: /n, host_rewrite_header: x-h}}",
        changes("'%REQ(x-q?x-r):3%'")
    );
    let read_once = config(
        "",
        manager,
        "internal_only_headers: [x-i], ",
        &changes("vh"),
        &route,
    );
    let written = envoy_yaml(&read_once.model, &read_once.listeners).unwrap();
    let again = read(&written.text, Format::Yaml).unwrap();
    assert_eq!(again.listeners[0].routes, read_once.listeners[0].routes);
}

/// Measured with Envoy 1.40.
#[test]
fn host_is_the_authority() {
    let hash = "hash_policy: [{header: {header_name: Host}}]";
    let config = config("", "", "", "", &format!("route: {{cluster: a, {hash}}}"));
    let of = |authority: &str| {
        let sent = [(":authority", authority), (":path", "/")];
        let headers = HeaderList(&sent);
        let table = &config.listeners[0].routes;
        let received = table.receive(&headers, Connection::default());
        let RouteOutcome::Forward(routed) = table.route(&received) else {
            panic!("not forwarded");
        };
        routed.hash(&routed.choose(0))
    };
    assert!(of("a.example").is_some());
    assert_ne!(of("a.example"), of("b.example"));
}

/// Measured with Envoy 1.40.
#[test]
fn dot_segments_may_have_path_parameters() {
    let config = config("", "normalize_path: true, ", "", "", "route: {cluster: a}");
    for (path, expected) in [
        ("/a/..;/b", "/b"),
        ("/a/..;x=1/b", "/b"),
        ("/a/.;/b", "/a/.;/b"),
        ("/a/..x/b", "/a/..x/b"),
    ] {
        let sent = [(":path", path)];
        let headers = HeaderList(&sent);
        let received = config.listeners[0]
            .routes
            .receive(&headers, Connection::default());
        assert_eq!(received.first(":path"), Some(expected.as_bytes()));
    }
}

#[test]
fn upgrades_are_unknown_and_keep_their_headers() {
    let upgrade = [("connection", "Upgrade, x"), ("upgrade", "websocket")];
    let connect = [(":method", "CONNECT")];
    let config = config("", "", "", "", "route: {cluster: a}");
    let table = &config.listeners[0].routes;
    for (sent, unknown) in [
        (&upgrade[..], true),
        (&connect, true),
        (&upgrade[1..], false),
        (&[("connection", "close")], false),
    ] {
        let mut all = vec![(":authority", "a"), (":path", "/")];
        all.extend_from_slice(sent);
        let headers = HeaderList(&all);
        let received = table.receive(&headers, Connection::default());
        assert_eq!(
            received.first("upgrade").is_some(),
            unknown && sent.len() > 1
        );
        let outcome = table.route(&received);
        assert_eq!(
            matches!(outcome, RouteOutcome::Unknown { .. }),
            unknown,
            "{sent:?}"
        );
    }
}

#[test]
fn an_override_inside_of_a_switch_is_named() {
    let fault = "{\"@type\": t/envoy.extensions.filters.http.fault.v3.HTTPFault, abort: {http_status: 503, percentage: {numerator: 100}}}";
    let manager = format!(
        "http_filters: [{{name: f, typed_config: {{\"@type\": t/envoy.extensions.filters.http.fault.v3.HTTPFault}}}}, {ROUTER}], "
    );
    for config_of_route in [
        fault.to_owned(),
        format!("{{\"@type\": t/envoy.config.route.v3.FilterConfig, config: {fault}}}"),
    ] {
        let route =
            format!("typed_per_filter_config: {{f: {config_of_route}}}, route: {{cluster: a}}");
        let config = config("", &manager, "", "", &route);
        let codes: Vec<_> = config.limits().map(|limit| limit.code).collect();
        assert_eq!(codes, ["config/filter-not-modeled"], "{config_of_route}");
    }
}

/// Envoy 1.40.0: "Empty route/virtual host per filter configuration"; it accepts an empty config.
#[test]
fn a_switch_that_is_on_has_a_config() {
    for (setting, accepted) in [
        ("", false),
        ("disabled: false", false),
        ("config: null", false),
        ("config: {}", true),
        ("disabled: true", true),
    ] {
        let route = format!(
            "typed_per_filter_config: {{f: {{\"@type\": t/envoy.config.route.v3.FilterConfig, {setting}}}}}, route: {{cluster: a}}"
        );
        let read = read(&text("", "", "", "", &route), Format::Yaml);
        let codes = read.err().unwrap_or_default();
        let codes: Vec<_> = codes.iter().map(|fault| fault.code).collect();
        let expected: &[&str] = if accepted { &[] } else { &["config/missing"] };
        assert_eq!(codes, expected, "{setting}");
    }
}

#[test]
fn a_raw_value_is_not_added() {
    let add = "request_headers_to_add: [{header: {key: x-a, raw_value: YWJj}}], ";
    let config = config("", "", add, "", "route: {cluster: a}");
    let mut warnings = config.warnings.iter();
    assert!(warnings.any(|warning| warning.code == "config/no-effect"));
    assert_eq!(forwarded(&config, &[], &["x-a"]), [""]);
    assert_eq!(config.limits().count(), 0);
}
