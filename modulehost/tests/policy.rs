//! What the load-balancing policy does with requests that the filter has not decided.

use anyhow::{Context as _, Result};
use rstest::rstest;
use spillgate_modulehost::{FakeEnvoy, FilterConfig, HostHeaders, HostSet};

#[rstest]
#[case(b"{}", true)]
#[case(br#"{"undecided": "choose"}"#, true)]
#[case(br#"{"undecided": "refuse"}"#, false)]
fn a_cluster_without_a_filter_is_balanced_unless_its_policy_refuses(
    #[case] policy: &[u8],
    #[case] is_served: bool,
) {
    let mut envoy = FakeEnvoy::start(0);
    let shop = envoy.add_cluster("shop", policy, &HostSet::of(&["10.0.0.1:80"]));
    let balancer = envoy.balancer(shop).expect("added");
    assert_eq!(balancer.choose(None).is_some(), is_served);
    envoy.finish();
}
