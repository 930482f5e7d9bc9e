//! Routes, HTTP filters and retry policies of Envoy configurations.

use std::sync::Arc;

use spillgate_config::{
    envoy::{EnvoyConfig, Format, ReadOptions, read, read_with},
    write::envoy_yaml,
};
use spillgate_core::{
    model::{Metadata, Value},
    route::{
        ClientAddress, Connection, HeaderList, HostPredicate, Regex, RetryPolicy, Rewrite,
        RouteOutcome, set_cookies,
    },
};

/// An expression that matches only its own text.
#[derive(Debug)]
struct Literal(String);

impl Regex for Literal {
    fn matches(&self, text: &[u8]) -> bool {
        text == self.0.as_bytes()
    }

    fn rewrite(&self, substitution: &str) -> Result<Arc<dyn Rewrite>, String> {
        if substitution.contains('\\') {
            return Err("no groups here".into());
        }
        Ok(Arc::new(Replaced(self.0.clone(), substitution.into())))
    }
}

#[derive(Debug)]
struct Replaced(String, String);

impl Rewrite for Replaced {
    fn replace_all(&self, text: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(text);
        text.replace(&self.0, &self.1).into_bytes()
    }
}

fn literal(source: &str) -> Result<Arc<dyn Regex>, String> {
    if source.contains('(') {
        return Err("unclosed group".into());
    }
    Ok(Arc::new(Literal(source.into())))
}

pub(crate) const WITH_REGEX: ReadOptions = ReadOptions {
    regex: Some(literal),
    for_grpc: false,
};

pub(crate) fn routes_text(routes: &str, more: &str) -> String {
    format!(
        "- {{name: a}}\n- {{name: b}}\n- name: r\n{more}  virtual_hosts:\n  - name: v\n    domains: ['*']\n    routes:\n{routes}"
    )
}

fn routes(routes: &str) -> EnvoyConfig {
    read_with(&routes_text(routes, ""), Format::Yaml, &WITH_REGEX).unwrap()
}

/// The first error or, without one, the first warning about routes.
fn finding(routes: &str, options: &ReadOptions) -> String {
    let text = routes_text(routes, "");
    let mut found = match read_with(&text, Format::Yaml, options) {
        Ok(config) => config.warnings,
        Err(faults) => faults,
    };
    found.retain(|finding| finding.code != "config/no-endpoints");
    found.first().map_or_else(String::new, |d| d.render("a"))
}

/// The target of a request: a cluster, a status, or the part that is not modeled.
pub(crate) fn outcome(config: &EnvoyConfig, path: &str, headers: &[(&str, &str)]) -> String {
    let mut all = vec![(":path", path), (":authority", "example.org")];
    all.extend_from_slice(headers);
    let headers = HeaderList(&all);
    let table = &config.listeners[0].routes;
    match table.route(&table.receive(&headers, Connection::default())) {
        RouteOutcome::Forward(routed) => {
            let names: Vec<_> = routed
                .destinations()
                .map(|d| d.cluster.unwrap_or_default())
                .collect();
            names.join("|")
        }
        RouteOutcome::Respond { status, .. } => status.to_string(),
        RouteOutcome::Refused { status } => status.to_string(),
        RouteOutcome::NotFound => "none".into(),
        RouteOutcome::Unknown { why, .. } => format!("unknown: {why}"),
    }
}

#[test]
fn regular_expressions_need_a_compiler() {
    let text = "    - {match: {safe_regex: {regex: /x}}, route: {cluster: a}}\n    - {match: {prefix: /}, route: {cluster: b}}\n";
    let config = routes(text);
    assert_eq!(outcome(&config, "/x?q", &[]), "a");
    assert_eq!(outcome(&config, "/xy", &[]), "b");

    let without = read(&routes_text(text, ""), Format::Yaml).unwrap();
    assert_eq!(outcome(&without, "/x", &[]), "unknown: safe_regex");
    let warnings = without.warnings.iter();
    assert!(
        warnings
            .clone()
            .any(|w| w.code == "config/route-not-modeled"),
        "{warnings:?}"
    );
}

#[test]
fn conditions_that_are_not_modeled_matter_only_if_reached() {
    let config = routes(concat!(
        "    - {match: {prefix: /tls, tls_context: {}, headers: [{name: x-a}]}, route: {cluster: a}}\n",
        "    - {match: {prefix: /never, runtime_fraction: {default_value: {numerator: 0}}}, route: {cluster: a}}\n",
        "    - {match: {prefix: /some, runtime_fraction: {default_value: {numerator: 5}}}, route: {cluster: a}}\n",
        "    - {match: {prefix: /plugin}, route: {inline_cluster_specifier_plugin: {}}}\n",
        "    - {match: {prefix: /}, route: {cluster: b}}\n",
    ));
    for (path, headers, expected) in [
        ("/tls", &[("x-a", "1")][..], "unknown: tls_context"),
        ("/tls", &[], "b"),
        ("/never", &[], "b"),
        ("/some", &[], "a"),
        ("/plugin", &[], "unknown: inline_cluster_specifier_plugin"),
        ("/", &[], "b"),
    ] {
        assert_eq!(outcome(&config, path, headers), expected, "{path}");
    }
}

#[test]
fn queries_cookies_and_ranges_are_conditions() {
    let config = routes(concat!(
        "    - {match: {prefix: /, query_parameters: [{name: u, string_match: {exact: x}}]}, route: {cluster: a}}\n",
        "    - {match: {prefix: /, cookies: [{name: u, string_match: {exact: x}}]}, route: {cluster: a}}\n",
        "    - {match: {prefix: /, headers: [{name: size, range_match: {start: -2, end: \"5\"}}]}, route: {cluster: a}}\n",
        "    - {match: {prefix: /, headers: [{name: e, exact_match: ''}]}, route: {cluster: a}}\n",
        "    - {match: {prefix: /}, route: {cluster: b}}\n",
    ));
    for (path, headers, expected) in [
        ("/?u=x", &[][..], "a"),
        ("/?u=y", &[], "b"),
        ("/", &[("cookie", "u=x")], "a"),
        ("/", &[("size", "-2")], "a"),
        ("/", &[("size", "5")], "b"),
        ("/", &[("e", "anything")], "a"),
        ("/", &[], "b"),
    ] {
        assert_eq!(
            outcome(&config, path, headers),
            expected,
            "{path} {headers:?}"
        );
    }
}

#[test]
fn header_changes_of_refreshed_weighted_clusters_are_a_limit() {
    let limits = |retry: &str, entry: &str| -> Vec<String> {
        let config = routes(&format!(
            "    - match: {{prefix: /}}\n      route:\n        retry_policy: {{retry_on: 5xx{retry}}}\n        weighted_clusters:\n          clusters:\n          - {{name: a, weight: 1}}\n          - {{name: b, weight: 1{entry}}}\n",
        ));
        config.limits().map(|limit| limit.path.clone()).collect()
    };
    let refresh = ", refresh_cluster_on_retry: true";
    let removes = ", request_headers_to_remove: [x-key]";
    assert_eq!(limits("", removes), [""; 0]);
    assert_eq!(limits(refresh, ""), [""; 0]);
    let found = limits(refresh, removes);
    assert!(
        matches!(found.as_slice(), [path] if path.ends_with("route.weighted_clusters")),
        "{found:?}"
    );
}

#[test]
fn weighted_clusters_merge_their_criteria() {
    let config = routes(concat!(
        "    - match: {prefix: /}\n",
        "      route:\n",
        "        metadata_match: {filter_metadata: {envoy.lb: {stage: prod, version: 1}}}\n",
        "        weighted_clusters:\n",
        "          header_name: X-Place\n",
        "          clusters:\n",
        "          - {name: a, weight: 1, metadata_match: {filter_metadata: {envoy.lb: {version: 2}}}}\n",
        "          - {name: b, weight: 0}\n",
        "          - {cluster_header: X-To, weight: 3}\n",
    ));
    let headers = [(":path", "/"), ("x-to", "b")];
    let headers = HeaderList(&headers);
    let table = &config.listeners[0].routes;
    let received = table.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("not forwarded");
    };
    assert!(routed.is_random());
    assert_eq!(routed.total_weight(), 4);
    let criteria = |version: f64| {
        Metadata::new([
            ("stage", Value::Text("prod".into())),
            ("version", Value::Number(version)),
        ])
    };
    let found: Vec<_> = routed.destinations().collect();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].cluster, found[0].weight), (Some("a"), 1));
    assert_eq!(found[0].criteria, criteria(2.0));
    assert_eq!((found[1].cluster, found[1].weight), (Some("b"), 3));
    assert_eq!(found[1].criteria, criteria(1.0));
    assert_eq!(routed.choose(4), found[0]);
    assert_eq!(routed.choose(5), found[1]);

    // Without x-to the second cluster has no name.
    for (place, expected) in [
        ("0", "a"),
        (" +4", "a"),
        ("1", ""),
        ("-1", "a|"),
        ("x", "a|"),
    ] {
        let found = outcome(&config, "/", &[("x-place", place)]);
        assert_eq!(found, expected, "{place:?}");
    }
    let twice = [("x-place", "0"), ("x-place", "0")];
    assert_eq!(outcome(&config, "/", &twice), "a|");
}

#[test]
fn every_kind_of_hash_policy_is_read() {
    let config = routes(concat!(
        "    - match: {prefix: /}\n",
        "      route:\n",
        "        cluster: a\n",
        "        hash_policy:\n",
        "        - {header: {header_name: X-A, regex_rewrite: {pattern: {regex: x}, substitution: z}}}\n",
        "        - {connection_properties: {source_ip: false}, terminal: true}\n",
        "        - {connection_properties: {source_ip: true}}\n",
        "        - {query_parameter: {name: q}}\n",
        "        - {filter_state: {key: k}}\n",
        "        - cookie: {name: c, ttl: 10.7s, path: /p, attributes: [{name: SameSite, value: Lax}]}\n",
    ));
    assert!(
        config
            .warnings
            .iter()
            .all(|w| w.code == "config/no-endpoints")
    );
    let headers = [(":path", "/"), ("x-a", "x")];
    let headers = HeaderList(&headers);
    let connection = Connection {
        remote: "127.0.0.1:1",
        local: "127.0.0.1:2",
        ..Connection::default()
    };
    let table = &config.listeners[0].routes;
    let received = table.receive(&headers, connection);
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("not forwarded");
    };
    assert_eq!(routed.hash_policies().len(), 5);
    let destination = routed.choose(0);
    assert!(routed.hash(&destination).is_some());
    let cookies = set_cookies(
        routed.hash_policies(),
        &routed.headers(&destination),
        &routed.connection,
    );
    assert_eq!(cookies.len(), 1);
    assert!(
        cookies[0].ends_with("; Max-Age=10; Path=/p; SameSite=Lax; HttpOnly"),
        "{cookies:?}"
    );
}

#[test]
fn retry_policies_come_from_the_route_or_its_host() {
    let policy = |route: &str| {
        let more = concat!(
            "retry_on: 5xx, host_selection_retry_max_attempts: 3, retry_priority: {name: p, typed_config: ",
            "{\"@type\": t/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig, update_frequency: 2}}",
        );
        let text = format!(
            "- {{name: a}}\n- name: r\n  virtual_hosts:\n  - name: v\n    domains: ['*']\n    retry_policy: {{{more}}}\n    routes: [{{match: {{prefix: /}}, route: {{cluster: a{route}}}}}]\n"
        );
        let config = read(&text, Format::Yaml).unwrap();
        let headers = HeaderList(&[(":path", "/")]);
        let table = &config.listeners[0].routes;
        match table.route(&table.receive(&headers, Connection::default())) {
            RouteOutcome::Forward(routed) => routed.retry().clone(),
            other => panic!("{other:?}"),
        }
    };
    let of_host = RetryPolicy {
        previous_priorities: Some(2),
        predicates: Vec::new(),
        host_selection_attempts: 3,
        retry_on: "5xx".into(),
        retries: 1,
        ..RetryPolicy::NONE
    };
    assert_eq!(policy(""), of_host);
    let own = ", retry_policy: {retry_on: 5xx, retry_host_predicate: [{name: x, typed_config: {'@type': t/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate}}, {name: z, typed_config: {'@type': t/envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig, metadata_match: {filter_metadata: {envoy.lb: {k: v}}}}}]}";
    let metadata = Metadata::new([("k", Value::Text("v".into()))]);
    assert_eq!(
        policy(own).predicates,
        [
            HostPredicate::PreviousHosts,
            HostPredicate::OmitHostMetadata(metadata)
        ]
    );
    // A policy without a condition never retries.
    assert_eq!(policy(", retry_policy: {}"), RetryPolicy::default());
}

#[test]
fn conditions_on_retried_requests_survive_writing() {
    let text = "- {name: a}\n- name: r\n  virtual_hosts:\n  - name: v\n    domains: ['*']\n    routes: [{match: {prefix: /}, route: {cluster: a, retry_policy: {retry_on: 5xx, retriable_request_headers: [{name: X-A, string_match: {exact: v}}, {name: x-b, present_match: true, invert_match: true}]}}}]\n";
    let config = read(text, Format::Yaml).unwrap();
    let retried = |config: &EnvoyConfig, headers: &[(&str, &str)]| {
        let headers = [&[(":path", "/")], headers].concat();
        let headers = HeaderList(&headers);
        let table = &config.listeners[0].routes;
        match table.route(&table.receive(&headers, Connection::default())) {
            RouteOutcome::Forward(routed) => routed
                .retry()
                .retries_request(&routed.headers(&routed.choose(0))),
            other => panic!("{other:?}"),
        }
    };
    let written = envoy_yaml(&config.model, &config.listeners).unwrap();
    let again = read(&written.text, Format::Yaml).unwrap();
    for config in [&config, &again] {
        assert!(retried(config, &[]));
        assert!(!retried(config, &[("x-b", "1")]));
        assert!(retried(config, &[("x-b", "1"), ("x-a", "v")]));
        assert!(!retried(config, &[("x-b", "1"), ("x-a", "w")]));
        assert!(config.listeners[0].routes.read_headers().contains("x-a"));
    }
}

/// Envoy 1.40.0: 504 after `max_stream_duration`, before the retry.
#[test]
fn timeouts_of_the_connection_manager_limit_retries() {
    let limit = |manager: &str| {
        let text = format!(
            "static_resources: {{clusters: [{{name: a}}], listeners: [{{name: l, filter_chains: [{{filters: [{{name: h, typed_config: {{'@type': t/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, {manager}route_config: {{virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{cluster: a, retry_policy: {{retry_on: 5xx, num_retries: 3}}}}}}]}}]}}}}}}]}}]}}]}}"
        );
        let config = read(&text, Format::Yaml).unwrap();
        let limit = config.listeners[0].marks[0].retry_time.limit.clone();
        limit.map(|limit| limit.message)
    };
    assert_eq!(limit(""), None);
    let options =
        |time: &str| format!("common_http_protocol_options: {{max_stream_duration: {time}}}, ");
    let ends = "max_stream_duration can end a request before its retries, which wait up to 0.175 s in total; fewer requests can succeed";
    assert_eq!(limit(&options("0.1s")).as_deref(), Some(ends));
    assert_eq!(limit(&options("0.2s")), None);
    assert!(limit("stream_idle_timeout: 0.1s, ").is_some());
    assert_eq!(limit("stream_idle_timeout: 0s, "), None);
}

const FILTERS: &str = r#"
static_resources:
  clusters: [{name: a}]
  listeners:
  - name: l
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": t/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          use_remote_address: true
          xff_num_trusted_hops: 2
          http_filters:
          - name: h2m
            typed_config:
              "@type": t/envoy.extensions.filters.http.header_to_metadata.v3.Config
              request_rules:
              - {header: X-Stage, remove: true, on_header_present: {metadata_namespace: envoy.lb, key: stage}}
              - {cookie: v, on_header_missing: {metadata_namespace: envoy.lb, key: version, value: "1.5", type: NUMBER}}
              - {header: other, on_header_present: {key: unseen}}
          - name: set
            typed_config:
              "@type": t/envoy.extensions.filters.http.set_metadata.v3.Config
              metadata: [{metadata_namespace: envoy.lb, allow_overwrite: true, value: {set: true}}]
          - name: lua
            typed_config: {"@type": t/envoy.extensions.filters.http.lua.v3.Lua}
          - name: router
            typed_config: {"@type": t/envoy.extensions.filters.http.router.v3.Router}
          route_config:
            virtual_hosts:
            - name: v
              domains: ["*"]
              routes:
              - match: {prefix: /other}
                route: {cluster: a}
                typed_per_filter_config:
                  h2m:
                    "@type": t/envoy.extensions.filters.http.header_to_metadata.v3.Config
                    request_rules: [{header: x-stage, on_header_present: {metadata_namespace: envoy.lb, key: own}}]
                  set: {"@type": t/envoy.config.route.v3.FilterConfig, disabled: true}
              - match: {prefix: /}
                route: {cluster: a, hash_policy: [{header: {header_name: x-stage}}]}
"#;

#[test]
fn filters_set_metadata_and_remove_headers() {
    let config = read(FILTERS, Format::Yaml).unwrap();
    let table = &config.listeners[0].routes;
    let client = &table.manager.as_ref().unwrap().client;
    let expected = ClientAddress::Connection {
        trusted_hops: 2,
        append: true,
    };
    assert_eq!(*client, expected);
    let text = |text: &str| Value::Text(text.into());

    let headers = [(":path", "/"), ("x-stage", "prod")];
    let headers = HeaderList(&headers);
    let received = table.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("not forwarded");
    };
    let expected = [
        ("stage", text("prod")),
        ("version", Value::Number(1.5)),
        ("set", Value::Bool(true)),
    ];
    assert_eq!(routed.choose(0).criteria, Metadata::new(expected));
    assert_eq!(routed.hash(&routed.choose(0)), None);

    let headers = [(":path", "/other"), ("x-stage", "prod")];
    let headers = HeaderList(&headers);
    let received = table.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("not forwarded");
    };
    let expected = Metadata::new([("own", text("prod"))]);
    assert_eq!(routed.choose(0).criteria, expected);

    let filters: Vec<_> = config
        .warnings
        .iter()
        .filter(|w| w.code == "config/filter-not-modeled")
        .collect();
    assert_eq!(filters.len(), 1, "{filters:?}");
    assert!(filters[0].message.contains("lua"), "{filters:?}");
}

#[test]
fn routes_have_their_places() {
    let config = routes(concat!(
        "    - {match: {prefix: /a}, route: {cluster: a}}\n",
        "    - match: {prefix: /}\n",
        "      route:\n",
        "        cluster: b\n",
        "        hash_policy: []\n",
    ));
    let listener = &config.listeners[0];
    let route = &listener.routes.virtual_hosts[0].routes[1];
    let marks = &listener.marks[route.id];
    assert_eq!((marks.route.line, marks.route.column), (9, 7));
    assert_eq!(marks.hash_policy.unwrap().line, 12);
    assert_eq!(marks.metadata_match, None);
}

#[test]
fn faults_name_their_places() {
    let route = |action: &str| format!("    - {{match: {{prefix: /}}, route: {{{action}}}}}\n");
    let matching =
        |matcher: &str| format!("    - {{match: {{{matcher}}}, route: {{cluster: a}}}}\n");
    let weighted = |inner: &str| route(&format!("weighted_clusters: {{clusters: [{inner}]}}"));
    for (text, expected) in [
        (
            matching("safe_regex: {regex: '('}"),
            "config/regex: [2].virtual_hosts[0].routes[0].match.safe_regex.regex: invalid regular expression: unclosed group; found \"(\"",
        ),
        (
            matching("safe_regex: {}"),
            "safe_regex.regex: required field is missing",
        ),
        (
            matching(
                "prefix: /, headers: [{name: a, string_match: {safe_regex: {regex: x}, ignore_case: true}}]",
            ),
            "ignore_case is not allowed with safe_regex",
        ),
        (
            matching("prefix: /, headers: [{name: a, range_match: {start: x}}]"),
            "range_match.start: not a number",
        ),
        (
            matching("prefix: /, cookies: [{name: a}]"),
            "cookies[0].string_match: required field is missing",
        ),
        (
            matching("prefix: /, runtime_fraction: {}"),
            "runtime_fraction.default_value: required field is missing",
        ),
        (weighted("{name: a, weight: 0}"), "the weights sum to 0"),
        (
            weighted("{name: a, weight: 4294967295}, {name: b, weight: 1}"),
            "the weights sum to more than 4294967295",
        ),
        (weighted("{name: a}"), "cluster without a weight"),
        (weighted("{weight: 1}"), "expected name or cluster_header"),
        (
            weighted("{name: a, cluster_header: b, weight: 1}"),
            "name and cluster_header are mutually exclusive",
        ),
        (weighted("{name: aa, weight: 1}"), "config/unknown-cluster"),
        (route("cluster_header: ''"), "cluster_header: empty value"),
        (
            route("cluster: a, metadata_match: {filter_metadata: {envoy.lb: 7}}"),
            "metadata_match.filter_metadata.envoy.lb: wrong type; found 7",
        ),
        (
            route("cluster: a, hash_policy: [{cookie: {name: ''}}]"),
            "hash_policy[0].cookie.name: empty value",
        ),
        (
            route("cluster: a, hash_policy: [{cookie: {name: a, ttl: -1s}}]"),
            "hash_policy[0].cookie.ttl: wrong type",
        ),
        (
            route(
                "cluster: a, hash_policy: [{header: {header_name: a, regex_rewrite: {pattern: {regex: x}, substitution: '\\1'}}}]",
            ),
            "regex_rewrite.substitution: no groups here",
        ),
        (
            route("cluster: a, retry_policy: {retry_on: 5xx, retry_priority: {name: p}}"),
            "retry_priority.typed_config: retry extension without a config",
        ),
    ] {
        let found = finding(&text, &WITH_REGEX);
        assert!(found.contains(expected), "{text}: {found}");
        assert!(found.starts_with("a:8:"), "{found}");
    }
}

#[test]
fn update_frequencies_out_of_range_are_rejected() {
    let text = |frequency: u64| {
        format!(
            "- {{name: a}}\n- name: r\n  virtual_hosts:\n  - name: v\n    domains: ['*']\n    retry_policy: {{retry_on: 5xx, retry_priority: {{name: p, typed_config: {{\"@type\": t/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig, update_frequency: {frequency}}}}}}}\n    routes: [{{match: {{prefix: /}}, route: {{cluster: a}}}}]\n"
        )
    };
    assert!(read(&text(2_147_483_647), Format::YamlAsJson).is_ok());
    let faults = read(&text(2_147_483_648), Format::YamlAsJson).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:#?}");
    let expected = "an integer from 1 to 2147483647";
    assert_eq!(faults[0].expected.as_deref(), Some(expected));
}

#[test]
fn only_routes_of_a_listener_must_name_known_clusters() {
    const TO_NOWHERE: &str = "    - {match: {prefix: /}, route: {cluster: nowhere}}";
    let manager = |routes: &str| {
        format!(
            "- {{name: a}}\n- name: l\n  filter_chains:\n  - filters:\n    - name: hcm\n      typed_config:\n        '@type': type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager\n        route_config: {{name: r, {routes} virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{cluster: nowhere}}}}]}}]}}\n"
        )
    };
    for (text, is_error) in [
        (routes_text(TO_NOWHERE, ""), false),
        (routes_text(TO_NOWHERE, "  validate_clusters: true\n"), true),
        (manager(""), true),
        (manager("validate_clusters: false,"), false),
    ] {
        let found = read(&text, Format::Yaml);
        let (findings, refused) = match found {
            Ok(config) => {
                assert_eq!(outcome(&config, "/", &[]), "nowhere");
                (config.warnings, false)
            }
            Err(faults) => (faults, true),
        };
        assert!(
            findings
                .iter()
                .any(|it| it.code == "config/unknown-cluster")
        );
        assert_eq!(refused, is_error, "{text}");
    }
}
