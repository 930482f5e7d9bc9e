//! Session cookies and headers that an upstream host sets itself.

use std::sync::Arc;

use spillgate_modulehost::{
    ClusterHosts, FakeEnvoy, HostHeaders, HostRequest, HostRoute, HttpStream, LoadedFilter,
};

const HOST: &str = "10.0.0.1:80";
const SECRET: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
const STRIPPED: &str = "spillgate.sessions.stripped";

/// A configuration for the cluster `shop`, with sessions in this carrier.
fn filter(carrier: &str) -> Arc<LoadedFilter> {
    let text = format!(
        r#"{{"clusters": [{{"name": "shop", "lb_policy": "ROUND_ROBIN"}}], "target": "shop",
            "affinity": {{{carrier}, "keys": [{{"id": 1, "secret": "{SECRET}"}}]}}}}"#
    );
    LoadedFilter::read(text.as_bytes()).expect("a valid configuration")
}

/// A request with this header, to which the host responds with these headers.
fn answered(
    filter: &Arc<LoadedFilter>,
    (name, value): (&str, &str),
    headers: &[(&str, &[u8])],
) -> HttpStream {
    let request = HostRequest::get("/").header(name, value);
    let stream = HttpStream::open(filter, request, HostRoute::to("shop"));
    assert!(stream.request_headers(), "the request continues");
    let headers = headers
        .iter()
        .fold(HostHeaders::default(), |all, (name, value)| {
            all.with(name.as_bytes(), value)
        });
    stream.respond(HOST, headers);
    stream
}

fn values(stream: &HttpStream, name: &str) -> Vec<String> {
    let response = stream.response();
    let values = response.values(name);
    values
        .map(|value| String::from_utf8_lossy(value).into_owned())
        .collect()
}

#[test]
fn planted_cookies_are_removed_and_others_stay_in_order() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = filter(r#""cookie": {"host_prefix": true}"#);
    envoy.add_cluster("shop", b"{}", &ClusterHosts::of(&[HOST]));
    let first = answered(&filter, ("x-a", "1"), &[]);
    let given = values(&first, "set-cookie");
    let own = given[0].split(';').next().expect("a pair").to_owned();
    let planted = format!("{own}; path=/; SECURE");
    let latin: &[u8] = b"name=J\xf6rg";
    let response: [(&str, &[u8]); 5] = [
        ("set-cookie", planted.as_bytes()),
        ("set-cookie", b"b=1"),
        ("set-cookie", latin),
        ("set-cookie", planted.as_bytes()),
        ("set-cookie", b"a=2"),
    ];
    let kept = answered(&filter, ("cookie", &own), &response);
    let others = kept.response();
    let others: Vec<_> = others.values("set-cookie").collect();
    assert_eq!(others, [&b"b=1"[..], latin, b"a=2"]);
    assert_eq!(kept.counted(STRIPPED), 1);
    let without = answered(&filter, ("cookie", &own), &[("set-cookie", b"b=1")]);
    assert_eq!(values(&without, "set-cookie"), ["b=1"]);
    assert_eq!(without.counted(STRIPPED), 0);
    drop((first, kept, without, filter));
    envoy.finish();
}

#[test]
fn planted_header_tokens_are_removed() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = filter(r#""header": {"name": "x-session"}"#);
    envoy.add_cluster("shop", b"{}", &ClusterHosts::of(&[HOST]));
    let first = answered(&filter, ("x-a", "1"), &[]);
    let own = values(&first, "x-session");
    let planted: [(&str, &[u8]); 2] = [("x-session", b"other"), ("x-session", b"another")];
    let kept = answered(&filter, ("x-session", &own[0]), &planted);
    assert_eq!(values(&kept, "x-session"), [""; 0]);
    assert_eq!(kept.counted(STRIPPED), 1);
    drop((first, kept, filter));
    envoy.finish();
}
