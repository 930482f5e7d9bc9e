//! Who reads the metadata of hosts.

use std::collections::BTreeMap;

use spillgate_config::envoy::EnvoyConfig;
use spillgate_core::model::{ChainHosts, ChainStep, FallbackChain};
use spillgate_diff::{ClusterVerdict, DiffSide, diff};

use super::common;

/// A cluster with a host of this stage, and the route with this further setting.
fn config(stage: &str, route: &str) -> EnvoyConfig {
    let endpoint = |last: u8| {
        format!(
            "endpoint: {{address: {{socket_address: {{address: 10.0.0.{last}, port_value: 80}}}}}}"
        )
    };
    let metadata = format!("metadata: {{filter_metadata: {{envoy.lb: {{stage: {stage}}}}}}}");
    let clusters = format!(
        "{{name: a, type: STATIC, load_assignment: {{cluster_name: a, endpoints: [{{lb_endpoints: \
         [{{{}, {metadata}}}, {{{}}}]}}]}}}}",
        endpoint(1),
        endpoint(2)
    );
    let routes = format!("{{match: {{prefix: /}}, route: {{cluster: a{route}}}}}");
    common::config(&clusters, "'*'", &routes)
}

const OMITTING: &str = concat!(
    ", retry_policy: {retry_on: 5xx, retry_host_predicate: [{name: omit, typed_config: {",
    r#""@type": type.googleapis.com/envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig, "#,
    "metadata_match: {filter_metadata: {envoy.lb: {stage: canary}}}}}]}"
);

/// A rotated secret is another value, although both have one text.
#[test]
fn another_secret_is_a_changed_host() {
    let [old, new] = [
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "ghp_26C7e42F292c6912E7710c838347Ae178B4a",
    ]
    .map(|secret| config(secret, ""));
    let unknown = BTreeMap::new();
    let [old, new] = [&old, &new].map(|config| DiffSide {
        model: &config.model,
        listeners: &[],
        unknown: &unknown,
        resolved: None,
    });
    let chain =
        FallbackChain::new(vec![ChainStep::new(ChainHosts::Keys(vec!["stage".into()]))]).unwrap();
    let models = [old.model, new.model].map(|model| model.clone().with_chain(chain.clone()));
    let [old, new] =
        [(&models[0], old), (&models[1], new)].map(|(model, side)| DiffSide { model, ..side });
    let found = diff(&old, &new).clusters;
    let hosts = &found[0].hosts;
    assert!(!hosts.reordered, "{hosts:?}");
    let setting = &hosts.changed[0].settings[0];
    assert_eq!(setting.field, "metadata");
    assert_eq!(setting.before, "stage=a string of 40 characters");
    assert_eq!(setting.after, "stage=a string of 40 characters, changed");
}

/// The verdict about the cluster after another stage of its host.
fn verdict(route: &str, chain: &FallbackChain) -> ClusterVerdict {
    let [old, new] = ["prod", "canary"].map(|stage| {
        let config = config(stage, route);
        (config.model.with_chain(chain.clone()), config.listeners)
    });
    let unknown = BTreeMap::new();
    let [old, new] = [&old, &new].map(|(model, listeners)| DiffSide {
        model,
        listeners,
        unknown: &unknown,
        resolved: None,
    });
    let clusters = diff(&old, &new).clusters;
    let first = clusters.first();
    first.map_or(ClusterVerdict::Equal, |cluster| cluster.status)
}

#[test]
fn only_a_reader_makes_a_change_of_metadata_matter() {
    let none = FallbackChain::default();
    assert_eq!(verdict("", &none), ClusterVerdict::Equal);
    assert_ne!(verdict(OMITTING, &none), ClusterVerdict::Equal);
    let by_stage = ChainStep::new(ChainHosts::Keys(vec!["stage".into()]));
    let chain = FallbackChain::new(vec![by_stage]).unwrap();
    assert_ne!(verdict("", &chain), ClusterVerdict::Equal);
}
