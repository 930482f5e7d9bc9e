//! Refused requests, and routes that need no host.

use std::sync::Arc;

use rstest::rstest;
use spillgate_modulehost::{
    ClusterHosts, ClusterSpecifier, FakeEnvoy, HostRequest, HostRoute, HttpStream,
    LoadBalancedHost, LoadedFilter, ReportedHealth, RouteCluster,
};

const CONFIG: &str = r#"{"clusters": [{"name": "shop", "lb_policy": "MAGLEV",
    "common_lb_config": {"healthy_panic_threshold": {"value": 0}}}], "target": "shop"}"#;

enum Route {
    Direct,
    Named,
    Header,
    Specifier,
}

#[rstest]
#[case::direct(Route::Direct, false)]
#[case::named(Route::Named, true)]
#[case::header(Route::Header, true)]
#[case::specifier(Route::Specifier, true)]
fn a_route_that_answers_itself_needs_no_host(#[case] route: Route, #[case] is_refused: bool) {
    let mut envoy = FakeEnvoy::start(0);
    let down = LoadBalancedHost::at("10.0.0.1:80").with_health(ReportedHealth::Unhealthy);
    envoy.add_cluster(
        "shop",
        b"{}",
        &ClusterHosts::in_priorities(vec![vec![down]]),
    );
    let filter: Arc<LoadedFilter> =
        LoadedFilter::read(CONFIG.as_bytes()).expect("a valid configuration");
    let route = match route {
        Route::Direct => HostRoute::by(RouteCluster::Absent),
        Route::Named => HostRoute::to("shop"),
        Route::Header => HostRoute::by(RouteCluster::Header("x-spillgate-cluster".to_owned())),
        Route::Specifier => HostRoute::by(RouteCluster::Specifier(ClusterSpecifier::read(""))),
    };
    let stream = HttpStream::open(&filter, HostRequest::get("/"), route);
    assert_eq!(stream.request_headers(), !is_refused);
    let details = stream.sent().map(|response| response.details);
    let expected = is_refused.then(|| "spillgate_no_host".to_owned());
    assert_eq!(details, expected);
    if !is_refused {
        let request = stream.request();
        assert_eq!(request.values("x-spillgate-cluster").count(), 0);
        stream.respond_locally("direct_response");
    }
    drop((stream, filter));
    envoy.finish();
}
