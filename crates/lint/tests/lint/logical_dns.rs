//! Clusters that never have more than one host.

use serde_json::{Value, json};
use spillgate_lint::Severity;

use crate::common::changed::{cluster, entries, findings, flagged, severity};

#[test]
fn a_dns_name_can_be_one_host() {
    let rule = "logical-dns-one-host";
    assert_eq!(severity(rule, |_| {}), Severity::Warning);
    let set = |field: &'static str, value: Value| {
        move |config: &mut Value| cluster(config)[field] = value
    };
    assert!(!flagged(rule, set("type", json!("STRICT_DNS"))));
    let policy = |name: &'static str| {
        move |config: &mut Value| {
            let cluster = cluster(config);
            cluster.as_object_mut().unwrap().remove("outlier_detection");
            cluster["lb_policy"] = json!(name);
        }
    };
    // Nothing needs several hosts.
    assert!(!flagged(rule, policy("ROUND_ROBIN")));
    assert_eq!(severity(rule, policy("MAGLEV")), Severity::Warning);
    assert_eq!(severity(rule, policy("LEAST_REQUEST")), Severity::Info);
    // Another type has one host, too.
    assert!(!flagged(rule, |config| {
        let host = &mut entries(config)[0]["lb_endpoints"][0]["endpoint"];
        host["address"]["socket_address"]["address"] = json!("127.0.0.1");
    }));
    let typed = |single: bool| {
        move |config: &mut Value| {
            let cluster = cluster(config).as_object_mut().unwrap();
            cluster.remove("type");
            let dns = json!({
                "@type": "type.googleapis.com/envoy.extensions.clusters.dns.v3.DnsCluster",
                "all_addresses_in_single_endpoint": single,
            });
            let custom = json!({"name": "envoy.clusters.dns", "typed_config": dns});
            cluster.insert("cluster_type".into(), custom);
        }
    };
    assert!(flagged(rule, typed(true)));
    assert!(!flagged(rule, typed(false)));
    let effect = |field: &'static str, value: Value| {
        let found = findings(rule, set(field, value));
        found[0].effect.clone()
    };
    let all = json!({"max_ejection_percent": 100});
    let panic = "panic mode sends all requests to the ejected host";
    assert!(effect("outlier_detection", all).contains(panic));
    let never = "its settings never eject the host";
    assert!(effect("outlier_detection", json!({})).contains(never));
    let threshold = json!({"healthy_panic_threshold": {"value": 0}});
    let none = "without the host, all requests get 503";
    assert!(effect("common_lb_config", threshold).contains(none));
}
