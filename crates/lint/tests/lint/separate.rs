//! Lint is silent about resources that the input does not contain.

use spillgate_config::envoy::{ReadOptions, SourceText, read_sources_for_lint};
use spillgate_lint::{Finding, lint};

use crate::common::rules;

/// A cluster with subsets.
const CLUSTERS: &str = "
- name: shop
  type: EDS
  lb_policy: RANDOM
  common_lb_config: {override_host_status: {statuses: [HEALTHY]}}
  lb_subset_config:
    fallback_policy: DEFAULT_SUBSET
    default_subset: {stage: prod}
    subset_selectors: [{keys: [stage]}]
";

/// Endpoints with locality weights, endpoint weights and two priorities.
const ENDPOINTS: &str = "
cluster_name: shop
endpoints:
- locality: {zone: a}
  load_balancing_weight: 3
  lb_endpoints:
  - load_balancing_weight: 5
    endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
  - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
- locality: {zone: b}
  load_balancing_weight: 1
  lb_endpoints:
  - endpoint: {address: {socket_address: {address: 10.0.0.3, port_value: 80}}}
- locality: {zone: c}
  priority: 1
  lb_endpoints:
  - endpoint: {address: {socket_address: {address: 10.0.0.4, port_value: 80}}}
";

/// A route with criteria and a hash policy.
const ROUTES: &str = "
name: shop
virtual_hosts:
- name: shop
  domains: ['*']
  routes:
  - match: {prefix: /}
    route:
      cluster: shop
      hash_policy: [{header: {header_name: x-user}}]
      metadata_match: {filter_metadata: {envoy.lb: {stage: test}}}
";

fn findings(texts: &[(&str, &str)]) -> Vec<Finding> {
    let sources: Vec<_> = texts
        .iter()
        .map(|(name, text)| SourceText::guess(name, text))
        .collect();
    lint(&read_sources_for_lint(&sources, &ReadOptions::default()).unwrap())
}

#[test]
fn a_file_alone_has_no_findings_about_the_others() {
    let eds = ("eds.yaml", ENDPOINTS);
    let rds = ("rds.yaml", ROUTES);
    let cds = ("cds.yaml", CLUSTERS);
    for given in [&[eds][..], &[rds], &[cds], &[rds, eds]] {
        assert_eq!(rules(&findings(given)), [""; 0], "{given:?}");
    }
}

#[test]
fn together_they_have() {
    let found = findings(&[
        ("cds.yaml", CLUSTERS),
        ("eds.yaml", ENDPOINTS),
        ("rds.yaml", ROUTES),
    ]);
    for rule in [
        "hash-policy-unused",
        "locality-weights-unused",
        "random-ignores-weights",
        "subset-default-empty",
        "subset-selector-no-host",
    ] {
        assert!(rules(&found).contains(&rule), "{rule}: {:?}", rules(&found));
    }
    // The fix is in another file than the finding.
    let random = found
        .iter()
        .find(|f| f.rule == "random-ignores-weights")
        .unwrap();
    assert_eq!(random.plan[0].file.as_deref(), Some("cds.yaml"));
    assert_eq!(random.plan[0].path, "[0].lb_policy");
}

#[test]
fn findings_about_endpoints_need_no_cluster() {
    let twice = ENDPOINTS.replace("10.0.0.2", "10.0.0.1");
    let found = findings(&[("eds.yaml", &twice)]);
    assert_eq!(rules(&found), ["endpoint-duplicate"]);
    assert_eq!(found[0].effect, "EDS keeps the first");
}
