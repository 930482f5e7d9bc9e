//! Hosts on their way from Envoy's main thread to the filter's decisions.

use std::sync::Arc;

use spillgate_modulehost::{
    ClusterHosts, ClusterSpecifier, Extension, FakeEnvoy, HostRequest, HostRoute, HttpStream,
    LoadBalancedHost, LoadedFilter, ReportedHealth, RouteCluster,
};

const POLICY: &[u8] = b"{}";

/// A configuration with these clusters, of which the first one is the target.
fn filter(clusters: &[&str], more: &str) -> Arc<LoadedFilter> {
    let described: Vec<String> = clusters
        .iter()
        .map(|name| format!(r#"{{"name": "{name}", "lb_policy": "MAGLEV"}}"#))
        .collect();
    let text = format!(
        r#"{{"clusters": [{}], "target": "{}",
             "hash_policy": [{{"header": {{"header_name": "x-user"}}}}] {more}}}"#,
        described.join(","),
        clusters[0]
    );
    LoadedFilter::read(text.as_bytes()).expect("a valid configuration")
}

fn decided(config: &Arc<LoadedFilter>, cluster: &str) -> Vec<String> {
    let request = HostRequest::get("/").header("x-user", "u1");
    let stream = HttpStream::open(config, request, HostRoute::to(cluster));
    if stream.request_headers() {
        stream.host_list()
    } else {
        vec![stream.sent().expect("a response").details]
    }
}

const REFUSE: &str = r#", "health": {"source": "admin", "cluster": "x", "on_unknown": "refuse"}"#;

#[test]
fn filter_and_cluster_come_in_any_order() {
    let mut envoy = FakeEnvoy::start(0);
    let before = filter(&["shop"], "");
    envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&["10.0.0.1:80"]));
    let after = filter(&["shop"], "");
    assert_eq!(decided(&before, "shop"), ["10.0.0.1:80"]);
    assert_eq!(decided(&after, "shop"), ["10.0.0.1:80"]);
    drop((before, after));
    envoy.finish();
}

#[test]
fn two_filters_of_a_cluster_see_every_change() {
    let mut envoy = FakeEnvoy::start(0);
    let shop = envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&["10.0.0.1:80"]));
    let filters = [filter(&["shop"], ""), filter(&["shop", "other"], "")];
    for number in 2..6 {
        let address = format!("10.0.0.{number}:80");
        envoy.update(shop, &ClusterHosts::of(&[&address]));
        for filter in &filters {
            assert_eq!(decided(filter, "shop"), [&*address]);
        }
    }
    drop(filters);
    envoy.finish();
}

#[test]
fn hosts_of_a_removed_cluster_are_unknown_until_it_returns() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = filter(&["shop"], REFUSE);
    let unknown = ["spillgate_hosts_unknown"];
    assert_eq!(decided(&filter, "shop"), unknown);
    let shop = envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&["10.0.0.1:80"]));
    assert_eq!(decided(&filter, "shop"), ["10.0.0.1:80"]);
    envoy.remove_cluster(shop);
    assert_eq!(decided(&filter, "shop"), unknown);
    envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&["10.0.0.2:80"]));
    assert_eq!(decided(&filter, "shop"), ["10.0.0.2:80"]);
    drop(filter);
    envoy.finish();
}

#[test]
fn a_cluster_without_hosts_is_known() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = filter(&["shop"], REFUSE);
    envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&[]));
    assert_eq!(decided(&filter, "shop"), ["spillgate_no_host"]);
    drop(filter);
    envoy.finish();
}

#[test]
fn the_old_cluster_publishes_until_its_replacement_is_the_only_one() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = filter(&["shop"], REFUSE);
    let old = envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&["10.0.0.1:80"]));
    envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&["10.0.0.2:80"]));
    assert_eq!(decided(&filter, "shop"), ["10.0.0.1:80"]);
    envoy.update(old, &ClusterHosts::of(&["10.0.0.3:80"]));
    assert_eq!(decided(&filter, "shop"), ["10.0.0.3:80"]);
    envoy.remove_cluster(old);
    assert_eq!(decided(&filter, "shop"), ["10.0.0.2:80"]);
    drop(filter);
    envoy.finish();
}

#[test]
fn a_replaced_cluster_has_the_hosts_of_its_replacement() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = filter(&["shop"], REFUSE);
    let mut shop = envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&["10.0.0.1:80"]));
    let replacements: [(&[&str], &str); 4] = [
        (&["10.0.0.2:80"], "10.0.0.2:80"),
        (&[], "spillgate_no_host"),
        (&["10.0.0.3:80"], "10.0.0.3:80"),
        (&[], "spillgate_no_host"),
    ];
    for (hosts, expected) in replacements {
        shop = envoy.replace_cluster(shop, "shop", POLICY, &ClusterHosts::of(hosts));
        assert_eq!(decided(&filter, "shop"), [expected]);
    }
    drop(filter);
    envoy.finish();
}

#[test]
fn only_the_main_thread_publishes() {
    let mut envoy = FakeEnvoy::start(1);
    let filter = filter(&["shop"], "");
    let shop = envoy.add_cluster("shop", POLICY, &ClusterHosts::of(&["10.0.0.1:80"]));
    envoy.settle();
    for worker in envoy.workers() {
        worker.run(move |state| {
            let balancer = state.balancers.get(&shop).expect("added");
            balancer.update(&ClusterHosts::of(&["10.0.0.9:80"]));
        });
    }
    assert_eq!(decided(&filter, "shop"), ["10.0.0.1:80"]);
    drop(filter);
    envoy.finish();
}

#[test]
fn a_new_filter_makes_its_metadata_keys_known() {
    let mut envoy = FakeEnvoy::start(0);
    let first = filter(&["shop"], "");
    let hosts = ClusterHosts::in_priorities(vec![vec![
        LoadBalancedHost::at("10.0.0.1:80").with("stage", "test"),
        LoadBalancedHost::at("10.0.0.2:80").with("stage", "prod"),
    ]]);
    envoy.add_cluster("shop", POLICY, &hosts);
    let criteria = r#", "criteria": [{"key": "stage", "value": "prod"}], "subset_chain": [{"keys": ["stage"]}]"#;
    let second = filter(&["shop"], criteria);
    assert_eq!(decided(&second, "shop"), ["10.0.0.2:80"]);
    assert_eq!(decided(&first, "shop").len(), 2);
    drop((first, second));
    envoy.finish();
}

#[test]
fn a_draining_host_keeps_its_priority_full() {
    let mut envoy = FakeEnvoy::start(0);
    let extension = Extension::start();
    let filter = filter(&["shop"], "");
    let unhealthy = LoadBalancedHost::at("10.0.0.2:80").with_health(ReportedHealth::Unhealthy);
    let hosts = ClusterHosts::in_priorities(vec![
        vec![LoadBalancedHost::at("10.0.0.1:80"), unhealthy],
        vec![LoadBalancedHost::at("10.0.1.1:80")],
    ]);
    let users_of_p1 = |filter: &Arc<LoadedFilter>| {
        let first = |number: u32| {
            let request = HostRequest::get("/").header("x-user", format!("u{number}"));
            let stream = HttpStream::open(filter, request, HostRoute::to("shop"));
            assert!(stream.request_headers());
            stream.host_list().swap_remove(0)
        };
        (0..200)
            .filter(|number| first(*number) == "10.0.1.1:80")
            .count()
    };
    extension.set_excluded("shop", 1);
    let shop = envoy.add_cluster("shop", POLICY, &hosts);
    assert_eq!(users_of_p1(&filter), 0);
    extension.set_excluded("shop", 0);
    envoy.update(shop, &hosts);
    assert!(users_of_p1(&filter) > 20);
    drop((filter, extension));
    envoy.finish();
}

#[test]
fn the_specifier_routes_to_the_chosen_member_of_an_aggregate() {
    let mut envoy = FakeEnvoy::start(0);
    let text = r#"{
        "clusters": [
            {"name": "near", "lb_policy": "MAGLEV"},
            {"name": "far", "lb_policy": "MAGLEV"},
            {"name": "shop", "lb_policy": "CLUSTER_PROVIDED", "cluster_type": {
                "name": "envoy.clusters.aggregate",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                    "clusters": ["near", "far"]}}}],
        "target": "shop"}"#;
    let filter = LoadedFilter::read(text.as_bytes()).expect("a valid configuration");
    let near = envoy.add_cluster("near", POLICY, &ClusterHosts::of(&["10.0.0.1:80"]));
    envoy.add_cluster("far", POLICY, &ClusterHosts::of(&["10.0.1.1:80"]));
    let specifier = ClusterSpecifier::read("otherwise");
    let route = HostRoute::by(RouteCluster::Specifier(specifier));
    let owner = |filter: &Arc<LoadedFilter>| {
        let stream = HttpStream::open(filter, HostRequest::get("/"), route.clone());
        assert_eq!(stream.cluster().as_deref(), Some("otherwise"));
        assert!(stream.request_headers());
        let sent: Vec<Vec<u8>> = stream
            .request()
            .values("x-spillgate-cluster")
            .map(<[u8]>::to_vec)
            .collect();
        assert_eq!(sent, Vec::<Vec<u8>>::new());
        stream.cluster()
    };
    assert_eq!(owner(&filter).as_deref(), Some("near"));
    envoy.remove_cluster(near);
    assert_eq!(owner(&filter).as_deref(), Some("far"));
    drop(filter);
    envoy.finish();
}
