//! Later attempts in the next cluster, as the cluster specifier answers Envoy's questions.

use std::sync::Arc;

use spillgate_modulehost::{
    ClusterHosts, ClusterSpecifier, FakeEnvoy, HostRequest, HostRoute, HttpStream,
    LoadBalancedHost, LoadedFilter, ReportedHealth, RouteCluster,
};

/// An aggregate of two clusters; `x-tenant` selects hosts.
const AGGREGATE: &str = r#"{
    "clusters": [
        {"name": "a", "lb_policy": "RANDOM"},
        {"name": "b", "lb_policy": "RANDOM"},
        {"name": "shop", "lb_policy": "CLUSTER_PROVIDED", "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": ["a", "b"]}}}],
    "target": "shop",
    "criteria": [{"key": "tenant", "header": "x-tenant"}],
    "subset_chain": [{"keys": ["tenant"]}],
    "output": {"candidates": 2, "attempts_per_cluster": 1}}"#;

/// Two hosts of a tenant, and one of another.
fn hosts(network: &str) -> ClusterHosts {
    let of = |number: u8, tenant: &str| {
        LoadBalancedHost::at(&format!("{network}.{number}:80")).with("tenant", tenant)
    };
    ClusterHosts::in_priorities(vec![vec![of(1, "t"), of(2, "t"), of(3, "u")]])
}

/// The clusters of three attempts, and the host list.
fn sent(filter: &Arc<LoadedFilter>) -> ([String; 3], Vec<String>) {
    let specifier = ClusterSpecifier::read("");
    let route = HostRoute::by(RouteCluster::Specifier(specifier));
    let request = HostRequest::get("/").header("x-tenant", "t");
    let stream = HttpStream::open(filter, request, route);
    assert!(stream.request_headers(), "{:?}", stream.sent());
    let clusters = [1, 2, 3].map(|attempt| {
        let cluster = stream.cluster_of_attempt(attempt);
        cluster.expect("a cluster for each attempt")
    });
    let mut hosts = stream.host_list();
    hosts.sort();
    (clusters, hosts)
}

#[test]
fn later_attempts_go_to_hosts_of_the_tenant_in_the_next_cluster() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = LoadedFilter::read(AGGREGATE.as_bytes()).expect("valid");
    envoy.add_cluster("a", b"{}", &hosts("10.0.1"));
    let b = envoy.add_cluster("b", b"{}", &hosts("10.0.2"));
    let (clusters, list) = sent(&filter);
    assert_eq!(clusters, ["a", "b", "b"]);
    let both = ["10.0.1.1:80", "10.0.1.2:80", "10.0.2.1:80", "10.0.2.2:80"];
    assert_eq!(list, both);

    // No host of the tenant is left there, so all attempts stay.
    envoy.update(b, &ClusterHosts::of(&["10.0.2.3:80"]));
    let (clusters, list) = sent(&filter);
    assert_eq!(clusters, ["a", "a", "a"]);
    assert_eq!(list, both[..2]);
    drop(filter);
    envoy.finish();
}

#[test]
fn a_cluster_that_is_known_to_be_down_is_no_next_cluster() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = LoadedFilter::read(AGGREGATE.as_bytes()).expect("valid");
    envoy.add_cluster("a", b"{}", &hosts("10.0.1"));
    let down = |number: u8| {
        let host = LoadBalancedHost::at(&format!("10.0.2.{number}:80"));
        host.with("tenant", "t")
            .with_health(ReportedHealth::Unhealthy)
    };
    let down = ClusterHosts::in_priorities(vec![vec![down(1), down(2)]]);
    envoy.add_cluster("b", b"{}", &down);
    let (clusters, list) = sent(&filter);
    assert_eq!(clusters, ["a", "a", "a"]);
    assert_eq!(list, ["10.0.1.1:80", "10.0.1.2:80"]);
    drop(filter);
    envoy.finish();
}
