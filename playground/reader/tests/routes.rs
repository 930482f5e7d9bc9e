//! Requests that the routes of a configuration send to a cluster.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use spillgate_codec::import::{
    FaultSeverity, RouteAnswer, RouteFieldKind, RouteQuestion, RouteReplyReason,
};
use spillgate_core::hash::xxh64;
use spillgate_reader::route_answer;

const CONFIG: &str = r#"
static_resources:
  listeners:
  - name: edge
    address: {socket_address: {address: 127.0.0.1, port_value: 10000}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: edge
          http_filters:
          - name: envoy.filters.http.router
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
          route_config:
            virtual_hosts:
            - name: shop
              domains: [shop.example]
              routes:
              - name: cart
                match: {prefix: /cart, headers: [{name: x-stage, string_match: {exact: test}}]}
                route:
                  cluster: test
                  metadata_match: {filter_metadata: {envoy.lb: {stage: test}}}
                  hash_policy:
                  - header: {header_name: x-user}
                  - cookie: {name: session}
                  - connection_properties: {source_ip: true}
              - match: {prefix: /split}
                route: {weighted_clusters: {clusters: [{name: shop, weight: 30}, {name: test, weight: 70}]}}
              - match: {safe_regex: {regex: "/x[0-9]"}}
                route: {cluster: test}
              - match: {prefix: /}
                route: {cluster: shop}
            - name: drawn
              domains: [drawn.example]
              routes:
              - match: {prefix: /, runtime_fraction: {default_value: {numerator: 50}}}
                route: {weighted_clusters: {header_name: x-n, clusters: [{name: shop, weight: 50}, {name: test, weight: 50}]}}
              - match: {prefix: /}
                route: {cluster: shop}
            - name: other
              domains: ["*"]
              routes:
              - match: {prefix: /down}
                direct_response: {status: 503}
              - match: {prefix: /gone}
                direct_response: {status: 404}
              - match: {prefix: /lost}
                route: {cluster_header: x-cluster}
  clusters:
  - {name: shop, connect_timeout: 1s, lb_policy: RING_HASH}
  - {name: test, connect_timeout: 1s, lb_policy: MAGLEV}
"#;

fn asked(question: &RouteQuestion) -> RouteAnswer {
    let answer = route_answer(CONFIG.as_bytes(), &question.to_bytes());
    RouteAnswer::from_bytes(&answer).unwrap()
}

fn to(host: &str, path: &str) -> RouteQuestion {
    RouteQuestion {
        host: host.into(),
        path: path.into(),
        method: "GET".into(),
        source: "192.0.2.7:1234".into(),
        ..RouteQuestion::default()
    }
}

fn header(name: &str, value: &str) -> (String, String) {
    (name.into(), value.into())
}

#[test]
fn host_path_and_headers_choose_the_route_with_its_cluster_and_criteria() {
    let mut question = to("shop.example", "/cart?x=1");
    question.headers = vec![header("x-stage", "test")];
    let routed = asked(&question);
    assert_eq!(routed.cluster.as_deref(), Some("test"));
    let [stage] = routed.criteria.fields() else {
        panic!("{:?}", routed.criteria);
    };
    assert_eq!(&*stage.key, "stage");
    assert_eq!(routed.steps[0].kind, "route");
    let sentence = &routed.steps[0].sentence;
    assert!(sentence.contains("route cart"), "{sentence}");
    let position = routed.steps[0].position.unwrap();
    let line = CONFIG.lines().nth(position.line as usize - 1);
    assert!(line.unwrap().contains("name: cart"), "{line:?}");
}

#[test]
fn the_hash_is_that_of_the_policies_of_the_route() {
    let mut question = to("shop.example", "/cart");
    let source = xxh64(b"192.0.2.7", 0);
    question.headers = vec![header("x-stage", "test")];
    assert_eq!(asked(&question).hash, Some(source));
    question.headers.push(header("x-user", "ann"));
    question.headers.push(header("cookie", "session=s1"));
    let user = xxh64(b"ann", 0).rotate_left(1) ^ xxh64(b"s1", 0);
    assert_eq!(asked(&question).hash, Some(user.rotate_left(1) ^ source));
}

#[test]
fn fields_are_what_the_policies_and_conditions_name() {
    let mut question = to("shop.example", "/cart");
    question.headers = vec![header("x-stage", "test")];
    let fields = asked(&question).fields;
    let names: Vec<_> = fields
        .iter()
        .map(|field| (field.kind, field.name.as_str(), field.is_hashed))
        .collect();
    assert_eq!(
        names,
        [
            (RouteFieldKind::Header, "x-user", true),
            (RouteFieldKind::Cookie, "session", true),
            (RouteFieldKind::Source, "", true),
            (RouteFieldKind::Header, "x-stage", false),
        ]
    );
}

#[test]
fn the_random_number_chooses_a_weighted_cluster() {
    for (number, cluster) in [(29, "shop"), (30, "test"), (129, "shop")] {
        let question = RouteQuestion {
            number,
            ..to("shop.example", "/split")
        };
        let answer = asked(&question);
        assert_eq!(answer.cluster.as_deref(), Some(cluster), "{number}");
        assert!(answer.uses_number);
        let roll = format!("random number modulo 100 = {}", number % 100);
        let arithmetic = answer.steps[1].arithmetic.as_deref().unwrap();
        assert!(arithmetic.starts_with(&roll), "{arithmetic}");
    }
}

#[test]
fn the_random_number_of_a_fraction_chooses_no_cluster_by_a_header() {
    let question = RouteQuestion {
        number: 29,
        headers: vec![header("x-n", "70")],
        ..to("drawn.example", "/")
    };
    let answer = asked(&question);
    assert_eq!(answer.cluster.as_deref(), Some("test"));
    assert!(answer.uses_number);
    let [field] = answer.fields.as_slice() else {
        panic!("{:?}", answer.fields);
    };
    assert_eq!(
        (field.kind, field.name.as_str()),
        (RouteFieldKind::Header, "x-n")
    );
    let split = &answer.steps[1];
    assert_eq!(
        (split.sentence.as_str(), split.arithmetic.as_deref()),
        (
            "test, a weighted cluster chosen by the number in the header x-n",
            None
        )
    );
}

#[test]
fn what_has_no_cluster_has_a_status_or_a_limit() {
    let none = asked(&to("else.example", "/"));
    assert_eq!(none.cluster, None);
    assert_eq!(reply(&none), Some((404, RouteReplyReason::NoRoute)));
    for (path, status) in [("/down", 503), ("/gone", 404)] {
        let answer = asked(&to("else.example", path));
        assert_eq!(
            reply(&answer),
            Some((status, RouteReplyReason::Responded)),
            "{path}"
        );
        assert_eq!(answer.steps.len(), 1, "the matched route");
    }
    let lost = asked(&to("else.example", "/lost"));
    assert_eq!(reply(&lost), Some((503, RouteReplyReason::UnknownCluster)));
}

#[test]
fn a_path_with_a_fragment_is_refused_for_it() {
    let answer = asked(&to("shop.example", "/cart#top"));
    assert_eq!(reply(&answer), Some((400, RouteReplyReason::Fragment)));
    let mut other = to("shop.example", "/cart");
    other.headers = vec![header("connection", "host")];
    assert_eq!(
        reply(&asked(&other)),
        Some((400, RouteReplyReason::Refused))
    );
}

fn reply(answer: &RouteAnswer) -> Option<(u16, RouteReplyReason)> {
    answer.reply.map(|reply| (reply.status, reply.reason))
}

#[test]
fn the_whole_path_must_match_an_expression() {
    for (path, cluster) in [
        ("/x1", "test"),
        ("/x1?y", "test"),
        ("/x12", "shop"),
        ("/a/x1", "shop"),
    ] {
        let answer = asked(&to("shop.example", path));
        assert_eq!(answer.cluster.as_deref(), Some(cluster), "{path}");
        assert_eq!(answer.limits, [""; 0]);
    }
}

#[test]
fn an_invalid_expression_makes_every_request_unknown() {
    let config = CONFIG.replace("/x[0-9]", "/x(");
    let question = to("shop.example", "/").to_bytes();
    let answer = route_answer(config.as_bytes(), &question);
    let answer = RouteAnswer::from_bytes(&answer).unwrap();
    assert_eq!((answer.reply, answer.cluster.as_deref()), (None, None));
    let line = config
        .lines()
        .position(|line| line.contains("/x("))
        .unwrap()
        + 1;
    assert_eq!(
        answer.limits,
        [format!(
            "Envoy rejects the configuration, line {line}: invalid regular expression: unclosed group"
        )]
    );
    assert_eq!(answer.listeners, ["edge (127.0.0.1:10000)"]);
    let [rejected] = answer.rejected.as_slice() else {
        panic!("{:?}", answer.rejected);
    };
    assert_eq!(rejected.severity, FaultSeverity::Warning);
    assert_eq!(rejected.position.unwrap().line as usize, line);
    assert_eq!(
        rejected.message,
        "Envoy rejects the configuration: invalid regular expression: unclosed group"
    );
}

#[test]
fn routes_without_a_listener_have_their_invalid_expressions() {
    let routes = "name: r\nvirtual_hosts:\n- name: h\n  domains: ['*']\n  routes:\n  \
        - {match: {safe_regex: {regex: '/a['}}, route: {cluster: shop}}\n  \
        - {match: {safe_regex: {regex: '/b('}}, route: {cluster: shop}}\n";
    let answer = route_answer(routes.as_bytes(), &RouteQuestion::default().to_bytes());
    let answer = RouteAnswer::from_bytes(&answer).unwrap();
    let lines = answer
        .rejected
        .iter()
        .map(|fault| fault.position.unwrap().line);
    assert_eq!(lines.collect::<Vec<_>>(), [6, 7]);
}

#[test]
fn a_request_without_host_and_path_gets_those_of_the_first_route() {
    let answer = asked(&to("", ""));
    let own = (answer.host.as_str(), answer.path.as_str());
    assert_eq!(own, ("shop.example", "/cart"));
    assert_eq!(answer.listeners, ["edge (127.0.0.1:10000)"]);
}

#[test]
fn texts_without_routes_have_no_answer() {
    for text in ["", "- name: shop\n", "not: a configuration\n", "{"] {
        let answer = route_answer(text.as_bytes(), &to("", "").to_bytes());
        let answer = RouteAnswer::from_bytes(&answer);
        assert_eq!(answer, Some(RouteAnswer::default()), "{text}");
    }
    assert!(route_answer(CONFIG.as_bytes(), b"?").is_empty());
}
