//! Counters of decisions: without labels where they are defined with the configuration.

use std::sync::Arc;

use spillgate_modulehost::{
    ClusterHosts, FakeEnvoy, HostRequest, HostRoute, HttpStream, LoadBalancedHost, LoadedFilter,
};

const HOST: &str = "10.0.0.1:80";

/// A configuration with these clusters and more fields.
fn filter(clusters: usize, more: &str) -> Arc<LoadedFilter> {
    let clusters = (0..clusters)
        .map(|number| format!(r#"{{"name": "shop-{number}", "lb_policy": "ROUND_ROBIN"}}"#))
        .collect::<Vec<_>>()
        .join(", ");
    let text = format!(r#"{{"clusters": [{clusters}], "target": "shop-0" {more}}}"#);
    LoadedFilter::read(text.as_bytes()).expect("a valid configuration")
}

/// A request of which the only host has this priority.
fn decided(filter: &Arc<LoadedFilter>, priority: usize) -> HttpStream {
    let mut envoy = FakeEnvoy::start(0);
    let mut hosts = vec![Vec::new(); priority];
    hosts.push(vec![LoadBalancedHost::at(HOST)]);
    envoy.add_cluster("shop-0", b"{}", &ClusterHosts::in_priorities(hosts));
    let stream = HttpStream::open(filter, HostRequest::get("/"), HostRoute::to("shop-0"));
    assert!(stream.request_headers(), "the request continues");
    envoy.finish();
    stream
}

#[test]
fn decisions_of_eight_priorities_are_counted_without_labels() {
    for priority in 0..8 {
        let stream = decided(&filter(1, ""), priority);
        let name = format!("spillgate.decisions.cluster.shop-0.priority.{priority}.reason.chosen");
        assert_eq!(stream.counted(&name), 1, "{name}");
    }
    let stream = decided(&filter(1, ""), 8);
    assert_eq!(stream.counted("spillgate.decisions.shop-0.8.chosen"), 1);
}

#[test]
fn steps_are_counted_without_labels() {
    let chain = r#", "criteria": [{"key": "tenant", "header": "x-tenant"}],
        "subset_chain": [{"keys": ["tenant"]}, {"any": true}]"#;
    let stream = decided(&filter(1, chain), 0);
    let name = "spillgate.decisions.cluster.shop-0.priority.0.step.1.reason.chosen";
    assert_eq!(stream.counted(name), 1);
}

#[test]
fn beyond_the_most_counters_decisions_have_labels() {
    // Two reasons of each priority: 500 clusters need 8,000.
    let stream = decided(&filter(500, ""), 3);
    let name = "spillgate.decisions.cluster.shop-0.priority.3.reason.chosen";
    assert_eq!(stream.counted(name), 1);
    let stream = decided(&filter(500, ""), 5);
    assert_eq!(stream.counted("spillgate.decisions.shop-0.5.chosen"), 1);
}
