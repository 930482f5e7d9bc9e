//! `spillgate diff` where a change is easily taken for none.

use std::fs;

use crate::{
    diff::{diff, json, repository_example},
    run::scratch,
};

const OLD: &str = "../examples/envoy.yaml";

/// The next request of a key chooses again.
#[test]
fn keys_that_no_longer_decide_the_host_move() {
    let folder = scratch("diff_key_choice");
    let old = fs::read_to_string(repository_example("envoy.yaml")).unwrap();
    let new = old.replace("lb_policy: MAGLEV", "lb_policy: ROUND_ROBIN");
    assert_ne!(old, new);
    let path = folder.join("new.yaml");
    fs::write(&path, new).unwrap();
    let path = path.to_str().unwrap();
    for (before, after, text) in [
        (OLD, path, "keys no longer decide the host"),
        (path, OLD, "keys now decide the host"),
    ] {
        let ran = diff(&[before, after, "--expect", "moved <= 1%"]);
        assert_eq!(ran.status, 1, "{}", ran.stdout);
        assert!(ran.stdout.contains(text), "{}", ran.stdout);
    }
}

/// A name can have other addresses, and a LOGICAL_DNS cluster connects to one of them only.
#[test]
fn names_that_are_resolved_in_another_way_are_not_proved_equal() {
    let folder = scratch("diff_dns");
    let file = |name: &str, settings: &str| {
        let path = folder.join(name);
        let text = format!(
            "static_resources:\n  clusters:\n  - name: shop\n    load_assignment:\n      cluster_name: shop\n      \
             endpoints:\n      - lb_endpoints:\n        - endpoint: {{address: {{socket_address: {{address: \
             shop.internal, port_value: 80}}}}}}\n{settings}"
        );
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let old = file("old.yaml", "    type: STRICT_DNS\n");
    for (name, settings, is_equal) in [
        (
            "default.yaml",
            "    type: STRICT_DNS\n    dns_lookup_family: AUTO\n",
            true,
        ),
        (
            "family.yaml",
            "    type: STRICT_DNS\n    dns_lookup_family: V6_ONLY\n",
            false,
        ),
        ("type.yaml", "    type: LOGICAL_DNS\n", false),
        (
            "tcp.yaml",
            "    type: STRICT_DNS\n    use_tcp_for_dns_lookups: true\n",
            false,
        ),
    ] {
        let found = json(&[&old, &file(name, settings)]);
        assert_eq!(found["proved_equal"], is_equal, "{name}: {found:#}");
        if !is_equal {
            assert_eq!(
                found["clusters"][0]["status"], "unknown",
                "{name}: {found:#}"
            );
        }
    }
}

/// The address of an internal listener is no name, so settings of DNS decide nothing.
#[test]
fn hosts_of_internal_listeners_are_known() {
    let folder = scratch("diff_internal");
    let file = |name: &str, settings: &str| {
        let path = folder.join(name);
        let text = format!(
            "static_resources:\n  clusters:\n  - name: inner\n    type: STATIC\n{settings}    load_assignment:\n      \
             cluster_name: inner\n      endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{envoy_internal_address: \
             {{server_listener_name: mesh}}}}}}}}]}}]\n"
        );
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (old, new) = (
        file("old.yaml", ""),
        file("new.yaml", "    dns_lookup_family: V6_ONLY\n"),
    );
    let found = json(&[&old, &new]);
    assert_eq!(found["proved_equal"], true, "{found:#}");
}

/// The hosts of one cluster do not answer the question where the requests of another one go.
#[test]
fn a_reached_cluster_of_one_side_makes_moved_requests_unknown() {
    let folder = scratch("diff_one_sided");
    let old = fs::read_to_string(repository_example("envoy.yaml")).unwrap();
    let renamed = old.replace("shop-canary", "shop-next");
    // Another name and another address: not the same cluster.
    let new = renamed.replace("10.0.2.", "10.0.9.");
    assert_ne!(renamed, new);
    let path = folder.join("new.yaml");
    fs::write(&path, &new).unwrap();
    let ran = diff(&[OLD, path.to_str().unwrap(), "--expect", "moved <= 100%"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("only one side has it"),
        "{}",
        ran.stdout
    );
    // A cluster that no route reaches answers no requests.
    let more = format!(
        "{old}  - {{name: spare, type: STATIC, load_assignment: {{cluster_name: spare}}}}\n"
    );
    fs::write(&path, more).unwrap();
    let ran = diff(&[OLD, path.to_str().unwrap(), "--expect", "moved <= 0%"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

/// Nothing says that the hosts of a control plane are not in the zone.
#[test]
fn an_unknown_cluster_makes_the_share_of_a_zone_unknown() {
    let folder = scratch("diff_unknown_zone");
    let file = |name: &str, service: &str| {
        let path = folder.join(name);
        let text = format!(
            "static_resources:\n  clusters:\n  - {{name: a, type: EDS, eds_cluster_config: {{service_name: {service}, \
             eds_config: {{ads: {{}}}}}}}}\n"
        );
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (old, new) = (file("old.yaml", "first"), file("new.yaml", "second"));
    let ran = diff(&[&old, &new, "--expect", "share_change(zone=a) <= 5"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("not known"), "{}", ran.stdout);
}

/// Both sides of a mistyped zone are equal, because no host is near.
#[test]
fn a_zone_of_no_side_is_an_error() {
    const MESH: &str = "../examples/mesh.yaml";
    let ran = diff(&[MESH, MESH, "--as", "nozone"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("mesh/unknown-zone"), "{}", ran.stderr);
    let known = diff(&[MESH, MESH, "--as", "zone-1"]);
    assert_eq!(known.status, 0, "{}", known.stderr);
}

/// Envoy compares domains without regard to case.
#[test]
fn the_case_of_a_domain_is_no_difference() {
    let folder = scratch("diff_domain_case");
    let text = fs::read_to_string(repository_example("envoy.yaml")).unwrap();
    let file = |name: &str, domain: &str| {
        let path = folder.join(name);
        let new = text.replace("domains: [\"*\"]", &format!("domains: [{domain}]"));
        assert_ne!(text, new);
        fs::write(&path, new).unwrap();
        path.display().to_string()
    };
    let old = file("old.yaml", "Shop.Example");
    assert_eq!(
        json(&[&old, &file("same.yaml", "shop.example")])["proved_equal"],
        true
    );
    assert_eq!(
        json(&[&old, &file("other.yaml", "ship.example")])["proved_equal"],
        false
    );
}
