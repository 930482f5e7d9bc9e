//! Active requests: LEAST_REQUEST avoids busy hosts, by the requests of this worker or of the whole proxy.

use spillgate_steer::{Next, SteeredRequest};

use crate::{
    environment::{Exchange, Proxy, cluster},
    sessions::{FIRST, SECOND, first_of},
};

const POLLER: &str = r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "1s"}]}"#;
const LIVE: &str = r#", "health": {"source": "admin", "cluster": "admin"}"#;
/// Its address is between those of the other two.
const BETWEEN: &str = "10.0.0.1:8080";

/// LEAST_REQUEST between two hosts, with so many choices that it looks at every host.
fn config(more: &str) -> String {
    let hosts = [(FIRST, "HEALTHY", "1"), (SECOND, "HEALTHY", "1")];
    let cluster = cluster("c", &hosts).replace(
        r#""lb_policy": "ROUND_ROBIN""#,
        r#""lb_policy": "LEAST_REQUEST", "least_request_lb_config": {"choice_count": 100}"#,
    );
    format!(r#"{{"clusters": [{cluster}], "target": "c"{more}}}"#)
}

/// Starts a request, which is active until it is dropped. Returns its host, too.
fn start(proxy: &Proxy) -> (String, SteeredRequest) {
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    let mut request = proxy.instance.request();
    assert_eq!(request.on_request_headers(&mut exchange), Next::Forward);
    (first_of(&exchange).to_owned(), request)
}

/// The hosts of several requests, one after the other.
fn one_after_the_other(proxy: &Proxy) -> Vec<String> {
    let requests = (0..8).map(|_| proxy.request(&[]));
    requests.map(|it| first_of(&it).to_owned()).collect()
}

#[test]
fn a_request_is_active_until_it_ends() {
    let proxy = Proxy::serving(&config(""));
    let (busy, first) = start(&proxy);
    let (other, mut second) = start(&proxy);
    assert_ne!(other, busy);
    second.on_end();
    assert_eq!(one_after_the_other(&proxy), [&*other; 8]);
    let (again, _third) = start(&proxy);
    assert_eq!(again, other);
    drop(first);
    assert_eq!(one_after_the_other(&proxy), [&*busy; 8]);
}

#[test]
fn hosts_keep_their_active_requests_while_others_come_and_go() {
    let mut poller = Proxy::polling(POLLER);
    let mut proxy = Proxy::serving_with(&poller, &config(LIVE));
    let mut publish = |proxy: &mut Proxy, hosts: &[&str]| {
        let hosts: Vec<_> = hosts.iter().map(|host| (*host, "healthy")).collect();
        poller.respond(&hosts);
        poller.tick_after(1);
        proxy.tick_after(1);
    };
    publish(&mut proxy, &[FIRST, SECOND]);
    let (one, first) = start(&proxy);
    let (two, _second) = start(&proxy);
    assert_ne!(one, two);
    publish(&mut proxy, &[BETWEEN, SECOND, FIRST]);
    assert_eq!(one_after_the_other(&proxy), [BETWEEN; 8]);
    let (third, _third) = start(&proxy);
    assert_eq!(third, BETWEEN);
    publish(&mut proxy, &[&one, &two]);
    drop(first);
    assert_eq!(one_after_the_other(&proxy), [&*one; 8]);
    // A host that was removed begins with no active request.
    let (_, _fourth) = start(&proxy);
    publish(&mut proxy, &[&one, &two, BETWEEN]);
    assert_eq!(one_after_the_other(&proxy), [BETWEEN; 8]);
}

#[test]
fn the_admin_reports_the_active_requests_of_the_whole_proxy() {
    let mut poller = Proxy::polling(POLLER);
    let of_admin = format!(r#"{LIVE}, "least_request": {{"source": "admin"}}"#);
    let mut proxy = Proxy::serving_with(&poller, &config(&of_admin));
    for (counts, chosen) in [([3, 1], SECOND), ([0, 1], FIRST)] {
        let hosts = [FIRST, SECOND].iter().zip(counts);
        let lines = hosts.map(|(host, count)| {
            format!("c::{host}::health_flags::healthy\nc::{host}::rq_active::{count}\n")
        });
        poller.respond_with(&lines.collect::<String>());
        poller.tick_after(1);
        proxy.tick_after(1);
        let mut open = Vec::new();
        for _ in 0..8 {
            let (host, request) = start(&proxy);
            assert_eq!(
                host, chosen,
                "{counts:?}: requests of this worker don't count"
            );
            open.push(request);
        }
    }
}
