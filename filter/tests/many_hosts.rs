//! Ten thousand hosts: the memory of a worker, and the cost of a change of one host's health.

use crate::common::live::*;
use crate::common::*;
use std::time::Instant;

use serde_json::json;
use spillgate_testhost::CalloutReply;
use spillgate_testkit::figure;

const HOSTS: usize = 10_000;
/// The maximum memory of a worker: 64 MiB.
const MOST_MEMORY: usize = 64 << 20;

fn address(host: usize) -> String {
    format!(
        "10.{}.{}.{}:8080",
        host / 65_536,
        host / 256 % 256,
        host % 256
    )
}

const PRIORITIES: usize = 8;
const SUBSETS: usize = 1_000;

/// Each subset has hosts in several priorities.
const fn priority(host: usize) -> usize {
    host / SUBSETS % PRIORITIES
}

/// A full response of `/clusters`, as Envoy 1.40 writes it. One host may be unhealthy.
fn clusters_with(unhealthy: Option<usize>) -> String {
    let mut text = String::from("shop::observability_name::shop\nshop::added_via_api::true\n");
    for host in 0..HOSTS {
        let flags = match unhealthy {
            Some(unhealthy) if unhealthy == host => "/failed_active_hc",
            _ => "healthy",
        };
        text.push_str(&all_lines(host, flags, priority(host)));
    }
    text
}

#[test]
fn eight_priorities_and_a_thousand_subsets_fit_a_worker() {
    let [memory, build, change] = fits_a_worker();
    figure(format_args!(
        "{HOSTS} hosts, 8 priorities, 1,000 subsets: {memory:.1} MiB; in an interpreter {build:.0} ms \
         for all hosts, {change:.0} ms for a change of one host"
    ));
}

/// The memory of a worker in MiB, and the milliseconds that it takes for all hosts and for a change
/// of the health of one. An interpreter runs the filter here, Envoy compiles it.
fn fits_a_worker() -> [f64; 3] {
    let mut value = followed(plain("ROUND_ROBIN", &[]));
    value["clusters"][0]["type"] = json!("EDS");
    value["clusters"][0]["eds_cluster_config"] = json!({"eds_config": {"ads": {}}});
    value["clusters"][0]
        .as_object_mut()
        .unwrap()
        .remove("load_assignment");
    value["criteria"] = json!([{"key": "stage", "value": "s7"}]);
    value["subset_chain"] = json!([{"keys": ["stage"]}, {"any": true}]);
    let mut envoy = Envoy::start(&["shop"], &value);
    for host in [&mut envoy.main, &mut envoy.worker] {
        host.set_fuel_limit(u64::MAX);
    }
    let priorities = (0..PRIORITIES).map(|own| {
        let hosts = (0..HOSTS).filter(|host| priority(*host) == own);
        let endpoints = hosts.map(|host| {
            let mut endpoint = endpoint(&address(host));
            let metadata = json!({"stage": format!("s{}", host % SUBSETS)});
            endpoint["metadata"] = json!({"filter_metadata": {"envoy.lb": metadata}});
            endpoint
        });
        json!({"priority": own, "lb_endpoints": endpoints.collect::<Vec<_>>()})
    });
    let dump = json!({"configs": [{"endpoint_config": {
        "cluster_name": "shop", "endpoints": priorities.collect::<Vec<_>>()}}]});
    respond_to(
        &mut envoy.main,
        "/config_dump",
        &CalloutReply::new(200, dump.to_string()),
    );
    let build = applied(&mut envoy, &clusters_with(None), Envoy::respond);
    assert_eq!(envoy.counter("health.rebuilds"), 1);
    assert_eq!(hosts(&envoy.worker.request(user("u")).unwrap()).len(), 3);
    let unhealthy = clusters_with(Some(107));
    let change = applied(&mut envoy, &unhealthy, Envoy::respond_next);
    assert_eq!(envoy.counter("health.rebuilds"), 1);
    assert_eq!(envoy.counter("health.updates"), 1);
    let memory = envoy.worker.memory_bytes();
    assert!(memory <= MOST_MEMORY, "{} MiB", memory >> 20);
    let memory = memory as f64 / f64::from(1 << 20);
    println!(
        "a worker: {memory:.1} MiB, the poller: {:.1} MiB",
        envoy.main.memory_bytes() as f64 / f64::from(1 << 20)
    );
    [memory, build, change]
}

/// The milliseconds until the poller has read a response and the worker uses it.
#[allow(clippy::disallowed_methods, reason = "a printed figure")]
fn applied(envoy: &mut Envoy, text: &str, respond: fn(&mut Envoy, &str)) -> f64 {
    let begun = Instant::now();
    respond(envoy, text);
    begun.elapsed().as_secs_f64() * 1e3
}

/// A kept session among this many hosts: the fuel of a request.
fn fuel_of_a_kept_session(among: usize) -> u64 {
    let endpoints = (0..among).map(|host| endpoint(&address(host))).collect();
    let mut configuration = plain("ROUND_ROBIN", &[endpoints]);
    configuration["affinity"] = json!({
        "header": {"name": "x-token"},
        "keys": [{"id": 1, "secret": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="}],
    });
    let mut host = serving(&configuration);
    host.set_fuel_limit(u64::MAX);
    let first = answered(&mut host, user("u1"), None);
    let token = first.response_headers.text("x-token").unwrap().to_owned();
    let mut kept = || answered(&mut host, user("u1").header("x-token", &token), None);
    // The first requests define metrics and fill caches.
    for _ in 0..3 {
        kept();
    }
    let exchange = kept();
    assert_eq!(hosts(&exchange).len(), 3);
    exchange.fuel
}

#[test]
fn a_kept_session_costs_the_same_among_ten_thousand_hosts() {
    let [few, many] = [100, HOSTS].map(fuel_of_a_kept_session);
    println!("a kept session: {few} units of fuel with 100 hosts, {many} with {HOSTS}");
    assert!(
        many < few * 12 / 10,
        "{many} with {HOSTS} hosts, {few} with 100"
    );
}
