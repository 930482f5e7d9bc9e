//! Envoy's own sessions and override hosts, as read and routed.

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, Format, read},
};
use spillgate_core::{
    model::{ClusterKind, HealthStatus, OverrideHostSource, OverrideStatuses, PlainCluster},
    route::{
        Connection, HeaderList, RouteOutcome, SessionReading, SessionStateKind, StatefulSession,
        StatefulSessionCookie,
    },
};

const FILTERS: &str = r#"
static_resources:
  clusters:
  - {name: a, load_assignment: {cluster_name: a, endpoints: []}}
  listeners:
  - name: l
    filter_chains:
    - filters:
      - name: h
        typed_config:
          "@type": t/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          http_filters:
          - name: sess
            typed_config:
              "@type": t/envoy.extensions.filters.http.stateful_session.v3.StatefulSession
              strict: true
              status_on_strict_destination_not_found: 410
              session_state:
                name: envoy.http.stateful_session.cookie
                typed_config:
                  "@type": t/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState
                  cookie: {name: c, path: /, ttl: 2.5s}
          - name: named
            typed_config:
              "@type": t/envoy.extensions.filters.http.header_to_metadata.v3.Config
              request_rules:
              - {header: X-Hosts, on_header_present: {metadata_namespace: named, key: hosts}, remove: true}
          - {name: router, typed_config: {"@type": t/envoy.extensions.filters.http.router.v3.Router}}
          route_config:
            virtual_hosts:
            - name: v
              domains: ["*"]
              typed_per_filter_config:
                sess: &own
                  "@type": t/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute
                  stateful_session:
                    session_state:
                      name: envoy.http.stateful_session.header
                      typed_config:
                        "@type": t/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState
                        name: X-Own
              routes:
              - match: {prefix: /off}
                route: {cluster: a}
                typed_per_filter_config:
                  sess:
                    "@type": t/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute
                    disabled: true
              - match: {prefix: /split}
                route:
                  weighted_clusters:
                    clusters:
                    - {name: a, weight: 1}
                    - name: a
                      weight: 1
                      typed_per_filter_config:
                        sess: {"@type": t/envoy.config.route.v3.FilterConfig, disabled: true}
              - match: {prefix: /}
                route: {cluster: a}
            - name: w
              domains: [plain]
              routes: [{match: {prefix: /}, route: {cluster: a}}]
"#;

fn carriers(config: &EnvoyConfig, host: &str, path: &str) -> Vec<Option<SessionStateKind>> {
    let headers = [(":authority", host), (":path", path)];
    let headers = HeaderList(&headers);
    let routes = &config.listeners[0].routes;
    let received = routes.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = routes.route(&received) else {
        panic!("not forwarded");
    };
    let carrier = |destination| {
        let sessions = routed.sessions(&destination, 0);
        assert!(
            sessions
                .iter()
                .all(|(_, read)| *read == SessionReading::Absent)
        );
        sessions.first().map(|(session, _)| session.carrier.clone())
    };
    routed.destinations().map(carrier).collect()
}

#[test]
fn the_most_specific_session_settings_are_used() {
    let config = read(FILTERS, Format::Yaml).unwrap();
    let table = &config.listeners[0].routes;
    let cookie = SessionStateKind::Cookie(StatefulSessionCookie {
        name: "c".into(),
        path: "/".into(),
        ttl: 2,
    });
    let own = SessionStateKind::Header("x-own".into());
    assert_eq!(carriers(&config, "plain", "/"), [Some(cookie.clone())]);
    assert_eq!(carriers(&config, "other", "/"), [Some(own.clone())]);
    assert_eq!(carriers(&config, "other", "/off"), [None]);
    assert_eq!(carriers(&config, "other", "/split"), [Some(own), None]);
    let base = StatefulSession {
        carrier: cookie,
        strict: true,
        status_not_found: 410,
    };
    let found = format!("{:?}", table.filters);
    assert!(found.contains(&format!("{base:?}")), "{found}");
    let marks = &config.listeners[0].marks;
    let lines: Vec<_> = marks.iter().map(|m| m.session.map(|at| at.line)).collect();
    assert_eq!(lines, [None, Some(34), Some(34), Some(15)]);
    assert_eq!(config.warnings.len(), 1, "{:?}", config.warnings);
}

#[test]
fn requests_name_hosts_in_headers_and_metadata() {
    let config = read(FILTERS, Format::Yaml).unwrap();
    let headers = [
        (":authority", "plain"),
        (":path", "/"),
        ("x-hosts", " a:1 ,, b:1"),
        ("x-host", "c:1"),
        ("x-host", "d:1"),
    ];
    let headers = HeaderList(&headers);
    let routes = &config.listeners[0].routes;
    let received = routes.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = routes.route(&received) else {
        panic!("not forwarded");
    };
    let header = |name: &str| OverrideHostSource::Header(name.into());
    let metadata = |key: &str| OverrideHostSource::Metadata {
        namespace: "named".into(),
        path: vec![key.into()],
    };
    let sources = [
        header("x-host"),
        metadata("hosts"),
        metadata("none"),
        header("x-hosts"),
    ];
    let named = routed.override_host_list(&routed.choose(0), &sources);
    assert_eq!(named, ["c:1", "a:1", "b:1"]);
}

fn plain(text: &str) -> PlainCluster {
    let text = format!("name: c\nload_assignment: {{cluster_name: c}}\n{text}");
    let config = read(&text, Format::Yaml).unwrap();
    match &config.model.cluster("c").unwrap().kind {
        ClusterKind::Plain(plain) => plain.clone(),
        _ => panic!("a plain cluster"),
    }
}

#[test]
fn an_empty_set_of_statuses_differs_from_an_absent_one() {
    let only = OverrideStatuses::EMPTY
        .with(HealthStatus::Draining)
        .with(HealthStatus::Unhealthy);
    for (text, expected) in [
        ("", OverrideStatuses::DEFAULT),
        (
            "common_lb_config: {override_host_status: {}}",
            OverrideStatuses::EMPTY,
        ),
        (
            "common_lb_config: {override_host_status: {statuses: []}}",
            OverrideStatuses::EMPTY,
        ),
        (
            "common_lb_config: {override_host_status: {statuses: [DRAINING, 2]}}",
            only,
        ),
    ] {
        assert_eq!(plain(text).override_statuses, expected, "{text}");
    }
}

/// A typed policy of these settings.
fn policy(name: &str, settings: &str) -> String {
    format!(
        "{{policies: [{{typed_extension_config: {{name: x, typed_config: {{\"@type\": \
         t/envoy.extensions.load_balancing_policies.{name}, {settings}}}}}}}]}}"
    )
}

#[test]
fn only_the_outermost_policy_uses_override_hosts() {
    let inner = policy("random.v3.Random", "");
    let over = |sources: &str, inner: &str| {
        let settings = format!("override_host_sources: [{sources}], fallback_policy: {inner}");
        policy("override_host.v3.OverrideHost", &settings)
    };
    let sources = "{header: X-A}, {metadata: {key: m, path: [{key: k}, {key: l}]}}";
    let found = plain(&format!("load_balancing_policy: {}", over(sources, &inner)));
    let expected = [
        OverrideHostSource::Header("x-a".into()),
        OverrideHostSource::Metadata {
            namespace: "m".into(),
            path: vec!["k".into(), "l".into()],
        },
    ];
    assert_eq!(found.override_hosts, expected);
    let nested = over("{header: x-outer}", &over(sources, &inner));
    let found = plain(&format!("load_balancing_policy: {nested}"));
    assert_eq!(
        found.override_hosts,
        [OverrideHostSource::Header("x-outer".into())]
    );
    let settings = format!(
        "fallback_policy: ANY_ENDPOINT, subset_lb_policy: {}",
        over(sources, &inner)
    );
    let found = plain(&format!(
        "load_balancing_policy: {}",
        policy("subset.v3.Subset", &settings)
    ));
    assert_eq!(found.override_hosts, []);
}

fn faults(text: &str) -> Vec<Diagnostic> {
    read(text, Format::Yaml).unwrap_err()
}

#[test]
fn settings_that_envoy_rejects_are_rejected() {
    for (from, to, code) in [
        ("disabled: true\n", "disabled: false\n", "config/value"),
        ("name: X-Own", "name: \"\"", "config/value"),
        ("cookie: {name: c,", "cookie: {", "config/missing"),
        (
            "stateful_session.header\n",
            "stateful_session.heder\n",
            "config/unknown-value",
        ),
        ("strict: true", "strikt: true", "config/unknown-field"),
    ] {
        let text = FILTERS.replacen(from, to, 1);
        assert_ne!(text, FILTERS, "{from}");
        let found = faults(&text);
        assert_eq!(found[0].code, code, "{found:?}");
        assert!(found[0].position.is_some());
    }
    for (source, code) in [
        ("{}", "config/missing"),
        ("{header: \"\"}", "config/missing"),
        (
            "{header: a, metadata: {key: k, path: [{key: p}]}}",
            "config/one-of",
        ),
        ("{metadata: {key: k, path: []}}", "config/missing"),
    ] {
        let settings = format!(
            "override_host_sources: [{source}], fallback_policy: {}",
            policy("random.v3.Random", "")
        );
        let over = policy("override_host.v3.OverrideHost", &settings);
        let text =
            format!("name: c\nload_assignment: {{cluster_name: c}}\nload_balancing_policy: {over}");
        assert_eq!(faults(&text)[0].code, code, "{source}");
    }
    let statuses = "common_lb_config: {override_host_status: {statuses: [HELTHY]}}";
    let text = format!("name: c\nload_assignment: {{cluster_name: c}}\n{statuses}");
    assert_eq!(faults(&text)[0].code, "config/unknown-value");
}

#[test]
fn state_that_is_not_modeled_gets_a_warning() {
    let text = FILTERS.replacen(
        "stateful_session.cookie\n",
        "stateful_session.envelope\n",
        1,
    );
    let warnings = read(&text, Format::Yaml).unwrap().warnings;
    let found = warnings
        .iter()
        .find(|w| w.code == "config/filter-not-modeled");
    assert!(found.is_some(), "{warnings:?}");
}
