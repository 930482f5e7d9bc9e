//! Shared state: the main thread publishes hosts and replaces configurations and clusters while workers
//! decide.
//!
//! With the thread sanitizer (`cargo xtask reliability native-tsan`), the run finds accesses that are not
//! ordered. Without it, it checks what a worker may see.

use std::sync::Arc;

use spillgate_core::draw::{Draw as _, SplitMix64};
use spillgate_modulehost::{
    ClusterHosts, ClusterNumber, ClusterSpecifier, Extension, FakeEnvoy, HostHeaders, HostRequest,
    HostRoute, HttpStream, LoadBalancedHost, LoadedFilter, ReportedHealth, RouteCluster,
    WorkerState,
};
use spillgate_testkit::{amount, figure};

const WORKERS: usize = 3;
const REQUESTS: usize = 10;
const CLUSTERS: [&str; 2] = ["near", "far"];

const CONFIGURATION: &str = r#"{
    "clusters": [
        {"name": "near", "lb_policy": "LEAST_REQUEST"},
        {"name": "far", "lb_policy": "MAGLEV", "maglev_lb_config": {"table_size": 101}},
        {"name": "shop", "lb_policy": "CLUSTER_PROVIDED", "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": ["near", "far"]}}}],
    "target": "shop",
    "health": {"source": "admin", "cluster": "x", "on_unknown": "refuse"},
    "affinity": {
        "cookie": {"name": "session"},
        "keys": [{"id": 1, "secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}]}
}"#;

/// The hosts of one publication. All addresses have its number, so a mixture is recognized.
fn hosts(draws: &mut SplitMix64, number: u64) -> ClusterHosts {
    let host = |at: u64| {
        let (high, low) = (number / 250 % 250, number % 250);
        let health = match draws.draw() % 3 {
            0 => ReportedHealth::Unhealthy,
            _ => ReportedHealth::Healthy,
        };
        LoadBalancedHost::at(&format!("10.{high}.{low}.{at}:80")).with_health(health)
    };
    ClusterHosts::in_priorities(vec![(0..4).map(host).collect()])
}

/// Some requests on a worker, and some questions for the policy.
fn serve(state: &WorkerState, config: &Arc<LoadedFilter>, route: &HostRoute) {
    for number in 0..REQUESTS {
        let request = HostRequest::get("/").header("x-user", format!("u{number}"));
        let stream = HttpStream::open(config, request, route.clone());
        if stream.request_headers() {
            let list = stream.host_list();
            let publication =
                |host: &String| host.rsplit_once('.').map(|(before, _)| before.to_owned());
            let first = list.first().and_then(publication);
            assert!(
                list.iter().all(|host| publication(host) == first),
                "{list:?}"
            );
            let host = list.first().map_or("10.0.0.1:80", |host| host);
            stream.respond(host, HostHeaders::default());
        }
        for balancer in state.balancers.values() {
            let _ = balancer.choose(None);
        }
    }
}

fn filter() -> Arc<LoadedFilter> {
    LoadedFilter::read(CONFIGURATION.as_bytes()).expect("a valid configuration")
}

#[test]
fn workers_decide_while_everything_is_replaced() {
    let rounds: u64 = amount(300, 40_000);
    let mut envoy = FakeEnvoy::start(WORKERS);
    let extension = Extension::start();
    let route = HostRoute::by(RouteCluster::Specifier(ClusterSpecifier::read("near")));
    let mut draws = SplitMix64::new(1);
    let mut config = filter();
    let mut clusters: Vec<(&str, ClusterNumber)> = Vec::new();
    for name in CLUSTERS {
        clusters.push((name, envoy.add_cluster(name, b"{}", &hosts(&mut draws, 0))));
    }
    for round in 1..=rounds {
        if round % 1_000 == 0 {
            println!("{round} changes");
        }
        for worker in envoy.workers() {
            let (config, route) = (config.clone(), route.clone());
            worker.post(move |state| serve(state, &config, &route));
        }
        let at = (draws.draw() % 2) as usize;
        let (name, cluster) = clusters[at];
        let new = hosts(&mut draws, round);
        match draws.draw() % 10 {
            0 => {
                let policy = br#"{"undecided": "choose"}"#;
                clusters[at] = (name, envoy.replace_cluster(cluster, name, policy, &new));
            }
            1 => {
                envoy.remove_cluster(cluster);
                clusters[at] = (name, envoy.add_cluster(name, b"{}", &new));
            }
            // The last worker that uses the old one destroys it.
            2 | 3 => config = filter(),
            _ => {
                extension.set_excluded(name, draws.draw() % 3);
                envoy.update(cluster, &new);
            }
        }
    }
    envoy.settle();
    drop((config, route, extension));
    envoy.finish();
    let requests = rounds * (WORKERS * REQUESTS) as u64;
    figure(format!(
        "{requests} requests on {WORKERS} workers, {rounds} changes"
    ));
}
