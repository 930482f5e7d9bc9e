//! Criteria in the metadata of a route: values of every type, and what Envoy logs about them.

use std::sync::Arc;

use spillgate_modulehost::{
    ClusterHosts, FakeEnvoy, HostHeaders, HostRequest, HostRoute, HttpStream, LentValue,
    LoadBalancedHost, LoadedFilter, messages,
};

const BY_ROUTE: &str = r#"{
    "clusters": [{"name": "shop"}], "target": "shop",
    "criteria": [{"route_metadata": true}],
    "subset_chain": [{"keys": ["tenant"]}]}"#;

/// One host without a tenant, and one host for a tenant of each type.
fn hosts() -> ClusterHosts {
    let of =
        |address: &str, tenant: LentValue| LoadBalancedHost::at(address).with("tenant", tenant);
    ClusterHosts::in_priorities(vec![vec![
        LoadBalancedHost::at("10.0.0.1:80"),
        of("10.0.0.2:80", "a".into()),
        of("10.0.0.3:80", LentValue::Number(7.0)),
        of("10.0.0.4:80", LentValue::Bool(true)),
        of("10.0.0.5:80", LentValue::Nested),
    ]])
}

fn route(tenant: LentValue) -> HostRoute {
    HostRoute::to("shop").with("envoy.lb", "tenant", tenant)
}

/// The host of a request, or the details of its response.
fn served(filter: &Arc<LoadedFilter>, route: &HostRoute) -> String {
    let stream = HttpStream::open(filter, HostRequest::get("/"), route.clone());
    if stream.request_headers() {
        stream.host_list().join(",")
    } else {
        stream.sent().map(|sent| sent.details).unwrap_or_default()
    }
}

#[test]
fn a_value_that_envoy_does_not_pass_matches_no_host() {
    let mut envoy = FakeEnvoy::start(0);
    let filter = LoadedFilter::read(BY_ROUTE.as_bytes()).expect("valid");
    envoy.add_cluster("shop", b"{}", &hosts());
    for (tenant, expected) in [
        ("a".into(), "10.0.0.2:80"),
        (LentValue::Number(7.0), "10.0.0.3:80"),
        (LentValue::Bool(true), "10.0.0.4:80"),
        (LentValue::Nested, "spillgate_no_host"),
    ] {
        let route = route(tenant);
        for _ in 0..3 {
            assert_eq!(served(&filter, &route), expected);
        }
    }
    drop(filter);
    envoy.finish();
}

#[test]
fn an_unreadable_value_replaces_the_constant_of_its_key() {
    let mut envoy = FakeEnvoy::start(0);
    let constant = r#"[{"key": "tenant", "value": "a"}, {"route_metadata": true}]"#;
    let text = BY_ROUTE.replace(r#"[{"route_metadata": true}]"#, constant);
    let filter = LoadedFilter::read(text.as_bytes()).expect("valid");
    envoy.add_cluster("shop", b"{}", &hosts());
    assert_eq!(served(&filter, &HostRoute::to("shop")), "10.0.0.2:80");
    let unreadable = route(LentValue::Nested);
    assert_eq!(served(&filter, &unreadable), "spillgate_no_host");
    drop(filter);
    envoy.finish();
}

#[test]
fn faults_of_many_kinds_do_not_fill_the_log() {
    const REQUESTS: usize = 100_000;
    let mut envoy = FakeEnvoy::start(0);
    let absent = BY_ROUTE.replace(
        r#"[{"name": "shop"}]"#,
        r#"[{"name": "shop"}, {"name": "absent"}]"#,
    );
    // Each new configuration can find unknown hosts, or hosts that it did not choose.
    let filters: Vec<_> = (0..50)
        .map(|number| if number % 2 == 0 { BY_ROUTE } else { &absent })
        .map(|text| LoadedFilter::read(text.as_bytes()).expect("valid"))
        .collect();
    envoy.add_cluster("shop", b"{}", &hosts());
    drop(messages());
    // One in 16 requests is watched, so the number of routes is odd.
    let mut routes: Vec<HostRoute> = (0..6).map(|_| route(LentValue::Nested)).collect();
    routes.extend(["a".into(), LentValue::Number(7.0), LentValue::Bool(true)].map(route));
    for number in 0..REQUESTS {
        let filter = &filters[number % filters.len()];
        let route = routes[number / filters.len() % routes.len()].clone();
        let stream = HttpStream::open(filter, HostRequest::get("/"), route);
        if stream.request_headers() {
            stream.respond("10.9.9.9:80", HostHeaders::default());
        }
    }
    let logged = messages();
    let kinds = [
        "key tenant is not a",
        "are unknown",
        "a decision had no effect",
    ];
    for kind in kinds {
        assert!(
            logged.iter().any(|line| line.contains(kind)),
            "{kind}: {logged:?}"
        );
    }
    assert!(logged.len() <= 100, "{} lines: {logged:?}", logged.len());
    drop(filters);
    envoy.finish();
}

#[test]
fn requests_do_not_fill_the_log() {
    const REQUESTS: usize = 100_000;
    let mut envoy = FakeEnvoy::start(0);
    let filter = LoadedFilter::read(BY_ROUTE.as_bytes()).expect("valid");
    envoy.add_cluster("shop", b"{}", &hosts());
    drop(messages());
    // The client alternates between routes with values of all types under one key.
    let tenants = [
        LentValue::Nested,
        "a".into(),
        LentValue::Number(7.0),
        LentValue::Bool(true),
    ];
    let mut routes = tenants.map(route);
    routes[1] = routes[1]
        .clone()
        .with("envoy.lb", "more", LentValue::Nested);
    for number in 0..REQUESTS {
        let _ = served(&filter, &routes[number % routes.len()]);
    }
    let logged = messages();
    assert!(
        logged.len() <= 100,
        "{} lines: {:?}",
        logged.len(),
        logged.first()
    );
    drop(filter);
    envoy.finish();
}
