//! The load-balancing policy: requests that the filter has not decided.

use std::sync::Arc;

use rstest::rstest;
use spillgate_modulehost::{
    Balancer, ClusterHosts, FakeEnvoy, HostHeaders, LoadBalancedHost, LoadedFilter, PolicyConfig,
    ReportedHealth,
};

const CHOOSE: &[u8] = br#"{"undecided": "choose"}"#;
const REFUSE: &[u8] = br#"{"undecided": "refuse"}"#;
const ABSENT: &[u8] = b"{}";

/// Any host may serve.
const OPEN: &str = "{}";
/// Hosts of a tenant serve first.
const CRITERIA: &str = r#"{"criteria": [{"key": "tenant", "header": "x-tenant"}],
    "subset_chain": [{"keys": ["tenant"]}, {"any": true}]}"#;

/// A configuration for the cluster `shop`, with more fields.
fn filter(more: &str) -> Arc<LoadedFilter> {
    let mut config = serde_json::json!({
        "clusters": [{"name": "shop", "lb_policy": "MAGLEV"}],
        "target": "shop",
        "hash_policy": [{"header": {"header_name": "x-user"}}],
    });
    let more: serde_json::Value = serde_json::from_str(more).expect("JSON");
    for (key, value) in more.as_object().expect("an object") {
        config[key] = value.clone();
    }
    LoadedFilter::read(config.to_string().as_bytes()).expect("a valid configuration")
}

fn user(name: &str) -> HostHeaders {
    HostHeaders::default().with(b"x-user", name.as_bytes())
}

fn three_hosts() -> ClusterHosts {
    ClusterHosts::of(&["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"])
}

#[rstest]
#[case::absent_without_a_filter(ABSENT, &[], true)]
#[case::absent_with_an_open_filter(ABSENT, &[OPEN], true)]
#[case::absent_with_criteria(ABSENT, &[CRITERIA], false)]
#[case::absent_with_criteria_in_one_of_two(ABSENT, &[CRITERIA, OPEN], false)]
#[case::choose_with_criteria(CHOOSE, &[CRITERIA], true)]
#[case::refuse_without_a_filter(REFUSE, &[], false)]
#[case::refuse_with_an_open_filter(REFUSE, &[OPEN], false)]
fn undecided_requests(#[case] policy: &[u8], #[case] filters: &[&str], #[case] is_served: bool) {
    let mut envoy = FakeEnvoy::start(0);
    let filters: Vec<_> = filters.iter().map(|more| filter(more)).collect();
    let shop = envoy.add_cluster("shop", policy, &three_hosts());
    let balancer = envoy.balancer(shop).expect("added");
    assert_eq!(balancer.choose(Some(&user("u1"))).is_some(), is_served);
    drop(filters);
    envoy.finish();
}

#[test]
fn a_filter_that_ends_no_longer_restricts_its_cluster() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = filter(CRITERIA);
    let shop = envoy.add_cluster("shop", ABSENT, &three_hosts());
    let balancer = envoy.balancer(shop).expect("added");
    assert_eq!(balancer.choose(None), None);
    drop(filter);
    assert!(balancer.choose(None).is_some());
    envoy.finish();
}

#[test]
fn without_a_filter_healthy_hosts_of_the_first_usable_priority_take_turns() {
    let mut envoy = FakeEnvoy::start(0);
    let unhealthy = |at| LoadBalancedHost::at(at).with_health(ReportedHealth::Unhealthy);
    let hosts = ClusterHosts::in_priorities(vec![
        vec![unhealthy("10.0.0.1:80")],
        vec![
            LoadBalancedHost::at("10.0.1.1:80"),
            unhealthy("10.0.1.2:80"),
            LoadBalancedHost::at("10.0.1.3:80"),
        ],
    ]);
    let shop = envoy.add_cluster("shop", CHOOSE, &hosts);
    let balancer = envoy.balancer(shop).expect("added");
    let chosen: Vec<_> = (0..4).filter_map(|_| balancer.choose(None)).collect();
    let addresses: Vec<_> = chosen.iter().map(|host| &*host.address).collect();
    let [first, second] = ["10.0.1.1:80", "10.0.1.3:80"];
    assert_eq!(addresses, [first, second, first, second]);
    envoy.finish();
}

#[test]
fn all_threads_choose_the_same_host_by_hash() {
    let mut envoy = FakeEnvoy::start(2);
    let filter = filter(OPEN);
    let shop = envoy.add_cluster("shop", CHOOSE, &three_hosts());
    for number in 0..50 {
        let headers = user(&format!("u{number}"));
        let chosen = envoy
            .balancer(shop)
            .and_then(|main| main.choose(Some(&headers)));
        assert!(chosen.is_some());
        for worker in envoy.workers() {
            let headers = headers.clone();
            let on_worker = worker.run(move |state| {
                let balancer = state.balancers.get(&shop)?;
                balancer.choose(Some(&headers))
            });
            assert_eq!(on_worker, chosen);
        }
    }
    drop(filter);
    envoy.finish();
}

#[test]
fn a_worker_whose_hosts_are_older_than_the_published_ones_refuses() {
    let mut envoy = FakeEnvoy::start(1);
    let filter = filter(OPEN);
    let shop = envoy.add_cluster("shop", CHOOSE, &ClusterHosts::of(&["10.0.0.1:80"]));
    envoy.settle();
    envoy.update_main_thread(shop, &ClusterHosts::of(&["10.0.0.2:80"]));
    let choose = |envoy: &FakeEnvoy| {
        let chosen = envoy
            .workers()
            .first()
            .map(|worker| worker.run(move |state| state.balancers.get(&shop)?.choose(None)));
        chosen.flatten().map(|host| host.address)
    };
    assert_eq!(choose(&envoy), None);
    envoy.update(shop, &ClusterHosts::of(&["10.0.0.2:80"]));
    assert_eq!(choose(&envoy).as_deref(), Some("10.0.0.2:80"));
    drop(filter);
    envoy.finish();
}

#[test]
fn a_host_that_is_not_healthy_is_not_chosen() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = filter(OPEN);
    let degraded = LoadBalancedHost::at("10.0.0.1:80").with_health(ReportedHealth::Degraded);
    let hosts = ClusterHosts::in_priorities(vec![vec![degraded]]);
    let shop = envoy.add_cluster("shop", CHOOSE, &hosts);
    let balancer = envoy.balancer(shop).expect("added");
    assert_eq!(balancer.choose(Some(&user("u1"))), None);
    drop(filter);
    envoy.finish();
}

#[rstest]
#[case(br#"{"undecided": "perhaps"}"#)]
#[case(br#"{"unknown": 1}"#)]
#[case(b"{")]
#[case(b"\xff\xfe")]
fn an_invalid_configuration_is_refused(#[case] text: &[u8]) {
    let envoy = FakeEnvoy::start(0);
    assert!(PolicyConfig::read(text).is_none());
    let messages = spillgate_modulehost::messages();
    assert!(
        messages[0].contains("configuration rejected"),
        "{messages:?}"
    );
    envoy.finish();
}

#[test]
fn a_load_balancer_without_hosts_chooses_none() {
    let envoy = FakeEnvoy::start(0);
    let filter = filter(OPEN);
    let config = PolicyConfig::read(CHOOSE).expect("valid");
    let balancer = Balancer::create("shop", &config);
    assert_eq!(balancer.choose(None), None);
    balancer.update(&ClusterHosts::default());
    assert_eq!(balancer.choose(None), None);
    drop((filter, balancer));
    envoy.finish();
}
