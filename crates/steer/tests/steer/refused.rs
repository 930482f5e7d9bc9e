//! Refused requests, and routes that need no host.

use spillgate_steer::port::RouteEnd;

use crate::{
    environment::{Exchange, Proxy, cluster},
    sessions::{FIRST, HEADER, HEALTHY, config, first_of, on_first},
};

/// A cluster without a host that may serve.
fn down(more: &str) -> Proxy {
    let cluster = cluster("c", &[(FIRST, "UNHEALTHY", "1")]);
    let config = format!(r#"{{"clusters": [{cluster}], "target": "c"{more}}}"#);
    Proxy::serving(&config)
}

/// A request on a route that leads there.
fn on_route<'p>(
    proxy: &'p Proxy,
    route_end: RouteEnd,
    has_no_cluster: bool,
    headers: &[(&str, &str)],
) -> Exchange<'p> {
    let mut exchange = Exchange::new(&proxy.worker, headers);
    exchange.route_end = route_end;
    exchange.has_no_cluster = has_no_cluster;
    exchange.response = vec![("x-own".to_owned(), "1".to_owned())];
    proxy.exchange(exchange)
}

fn details(exchange: &Exchange<'_>) -> Option<(u32, String)> {
    let (status, details, _) = exchange.local.as_ref()?;
    Some((*status, details.clone()))
}

/// By where the route leads, and whether it leads to no cluster: whether the request is refused.
const ROUTES: [(RouteEnd, bool, bool); 4] = [
    (RouteEnd::Host, false, true),
    (RouteEnd::Proxy, false, false),
    (RouteEnd::Unknown, false, false),
    (RouteEnd::Unknown, true, true),
];

#[test]
fn a_route_that_answers_itself_needs_no_host() {
    for (route_end, has_no_cluster, refused) in ROUTES {
        let proxy = down("");
        let exchange = on_route(&proxy, route_end, has_no_cluster, &[]);
        let expected = refused.then(|| (503, "spillgate_no_host".to_owned()));
        assert_eq!(details(&exchange), expected, "{route_end:?}");
        assert_eq!(exchange.received("x-own"), ["1"]);
        assert_eq!(exchange.sent("x-spillgate-cluster"), [""; 0]);
    }
}

#[test]
fn a_route_that_answers_itself_needs_no_known_hosts() {
    let unknown = r#"{"clusters": [{"name": "c", "lb_policy": "ROUND_ROBIN"}], "target": "c",
        "health": {"source": "admin", "cluster": "admin", "on_unknown": "refuse"}}"#;
    for (route_end, has_no_cluster, refused) in ROUTES {
        let proxy = Proxy::serving(unknown);
        let exchange = on_route(&proxy, route_end, has_no_cluster, &[]);
        let expected = refused.then(|| (503, "spillgate_hosts_unknown".to_owned()));
        assert_eq!(details(&exchange), expected, "{route_end:?}");
    }
}

#[test]
fn a_route_that_answers_itself_loses_no_session() {
    let cookie = r#""cookie": {"name": "s"}, "on_lost": {"status": 410}"#;
    for (route_end, has_no_cluster, refused) in ROUTES {
        let mut proxy = Proxy::serving(&config(HEALTHY, cookie));
        let mut started = (0..100).map(|_| proxy.request(&[(":authority", "shop")]));
        let first = started.find(|exchange| first_of(exchange) == FIRST);
        let given = first.unwrap().received("set-cookie")[0].to_owned();
        let pair = given.split(';').next().unwrap();
        assert!(proxy.configure(&config(["UNHEALTHY", "HEALTHY"], cookie)));
        let headers = [(":authority", "shop"), ("cookie", pair)];
        let exchange = on_route(&proxy, route_end, has_no_cluster, &headers);
        let expected = refused.then(|| (410, "spillgate_session_lost".to_owned()));
        assert_eq!(details(&exchange), expected, "{route_end:?}");
        if let Some((_, _, headers)) = &exchange.local {
            assert!(headers[0].starts_with("set-cookie: s=; "), "{headers:?}");
        }
    }
}

#[test]
fn the_response_of_a_host_that_was_not_chosen_does_not_reach_the_client() {
    let proxy = down("");
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    exchange.route_end = RouteEnd::Unknown;
    exchange.upstream = Some(FIRST.to_owned());
    let exchange = proxy.exchange(exchange);
    let refused = Some((503, "spillgate_no_host".to_owned()));
    assert_eq!(details(&exchange), refused);
}

#[test]
fn a_client_cannot_change_the_route_with_headers_that_are_stripped() {
    let hash = r#", "hash_policy": [{"header": {"header_name": "x-user"}}]"#;
    let refused = Some((503, "spillgate_no_host".to_owned()));
    for name in ["x-spillgate-host", "x-spillgate-cluster"] {
        let proxy = down(hash);
        let headers = [(name, "any")];
        let exchange = on_route(&proxy, RouteEnd::Unknown, false, &headers);
        assert_eq!(details(&exchange), refused, "{name}");
        let without = on_route(&proxy, RouteEnd::Unknown, false, &[]);
        assert_eq!(details(&without), None);
    }
    let mut proxy = Proxy::serving(&config(HEALTHY, HEADER));
    let token = on_first(&proxy);
    assert!(proxy.configure(&config(["UNHEALTHY"; 2], HEADER)));
    let headers = [(":authority", "shop"), ("x-session", &*token)];
    let exchange = on_route(&proxy, RouteEnd::Unknown, false, &headers);
    assert_eq!(details(&exchange), refused);
}

#[test]
fn a_late_refusal_has_the_trace() {
    let trace = r#", "trace": {"when": {"header": "x-debug", "value": "0123456789abcdef"}}"#;
    let proxy = down(trace);
    let mut request = Exchange::new(&proxy.worker, &[]);
    request.route_end = RouteEnd::Unknown;
    request.has_no_cluster = true;
    let plain = proxy.exchange(request);
    assert_eq!(plain.local.unwrap().2, [""; 0]);
    let headers = [("x-debug", "0123456789abcdef")];
    let traced = on_route(&proxy, RouteEnd::Unknown, true, &headers);
    let (_, details, headers) = traced.local.unwrap();
    assert_eq!(details, "spillgate_no_host");
    assert!(
        headers[0].starts_with("x-spillgate-trace: {"),
        "{headers:?}"
    );
}
