//! `spillgate export`: the output is equivalent to the input.

use serde_json::Value;

use spillgate_testkit::repository;

use crate::run::{spillgate, spillgate_with};

const CONFIG: &str = "../examples/envoy.yaml";

#[track_caller]
fn exported(args: &[&str]) -> String {
    let ran = spillgate(&[&["export", CONFIG, "--to"], args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran.stdout
}

/// The single line of an error.
#[track_caller]
fn refused(args: &[&str]) -> String {
    let ran = spillgate(&[&["export", CONFIG, "--to"], args].concat());
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    ran.stderr
}

#[test]
fn an_exported_configuration_splits_and_picks_as_its_source() {
    let requests = "../examples/requests.jsonl";
    let split = spillgate(&["split", CONFIG, "--format", "json"]).stdout;
    let picked = spillgate(&["pick", CONFIG, requests]).stdout;
    assert!(split.contains("shop-canary") && picked.contains("10.0."));
    for to in ["envoy-yaml", "envoy-json"] {
        let written = exported(&[to]);
        let again = spillgate_with(&["split", "-", "--format", "json"], written.as_bytes());
        assert_eq!(again.stdout, split, "{to}");
        let again = spillgate_with(&["pick", "-", requests], written.as_bytes());
        assert_eq!(again.stdout, picked, "{to}");
        let again = spillgate_with(&["export", "-", "--to", to], written.as_bytes());
        assert_eq!(again.stdout, written, "{to}");
    }
}

#[test]
fn health_of_a_running_envoy_is_exported() {
    let health = "../examples/clusters.txt";
    let split = ["split", CONFIG, "--format", "json", "--health", health];
    let split = spillgate(&split).stdout;
    let written = exported(&["envoy-yaml", "--health", health]);
    let again = spillgate_with(&["split", "-", "--format", "json"], written.as_bytes());
    assert_eq!(again.stdout, split);
}

#[test]
fn hosts_are_exported_as_tables() {
    let csv = exported(&["csv"]);
    let mut lines = csv.lines();
    let head = "cluster,priority,region,zone,sub_zone,address,weight,health,metadata";
    assert_eq!(lines.next(), Some(head));
    assert!(csv.contains("shop,1,,b,,10.0.1.2:80,1,UNKNOWN,stage=canary\n"));
    assert_eq!(lines.count(), 7);
    let markdown = exported(&["markdown"]);
    assert!(markdown.contains("| shop | 0 |  | a |  | 10.0.0.3:80 | 1 | UNHEALTHY |  |\n"));
    assert!(markdown.starts_with("**"), "{markdown}");
    assert!(
        markdown.contains("| P0 | 4 | 2 | 0 | 70 % | 70 % | 70.0 % | no |"),
        "{markdown}"
    );
}

#[test]
fn a_picture_shows_the_target() {
    let svg = exported(&["svg", "--target", "shop"]);
    assert!(
        svg.starts_with("<svg ") && svg.contains(">Traffic of shop</title>"),
        "{svg}"
    );
    assert!(svg.contains("P1 takes"), "{svg}");
}

#[test]
fn names_and_addresses_can_be_replaced() {
    let yaml = exported(&["envoy-yaml", "--replace-addresses"]);
    assert!(
        yaml.contains("name: shop\n") && !yaml.contains("10.0."),
        "{yaml}"
    );
    assert!(yaml.contains("198.18."), "{yaml}");
    for to in ["envoy-yaml", "envoy-json", "csv", "markdown", "svg"] {
        let text = exported(&[to, "--target", "shop", "--replace-names"]);
        assert!(
            !text.contains("shop") && !text.contains("10.0."),
            "{to}: {text}"
        );
    }
}

#[test]
fn a_scenario_brings_its_question_to_what_if() {
    let question = ["--lose", "zone=a:100%", "--expect", "load(P0) >= 10"];
    let asked = [&["what-if", CONFIG, "--cluster", "shop"], &question[..]].concat();
    let expected = spillgate(&asked);
    assert_eq!(expected.status, 1);
    let of_shop = ["scenario", "--target", "shop"];
    let scenario = exported(&[&of_shop[..], &question[..]].concat());
    let ran = spillgate_with(&["what-if", "-"], scenario.as_bytes());
    assert_eq!((ran.status, ran.stdout), (1, expected.stdout));
    // Other arguments replace the question of the file.
    let other = [
        "what-if",
        "-",
        "--cluster",
        "shop",
        "--expect",
        "load(P0) >= 10",
    ];
    let other = spillgate_with(&other, scenario.as_bytes());
    assert_eq!(other.status, 0, "{}", other.stderr);
    let replaced = exported(&[&of_shop[..], &["--replace-names"], &question[..]].concat());
    assert!(
        replaced.contains("zone=zone-1:100%") && replaced.contains("\"cluster\":\"c1\""),
        "{replaced}"
    );
    let nothing = spillgate(&["what-if", CONFIG]);
    assert_eq!(nothing.status, 2);
    assert!(
        nothing.stderr.contains("what-if/no-question"),
        "{}",
        nothing.stderr
    );
}

/// Clusters without routes: what the filter gets is their settings.
fn clusters_only() -> Vec<u8> {
    let written = exported(&["envoy-json"]);
    let mut value: Value = serde_json::from_str(&written).unwrap();
    let resources = value["static_resources"].as_object_mut().unwrap();
    resources.remove("listeners");
    value.to_string().into()
}

#[test]
fn envoy_gets_clusters_for_the_filter() {
    let source = clusters_only();
    let written = |further: &[&str]| {
        let target = ["export", "-", "--to", "filter-clusters", "--target", "shop"];
        let ran = spillgate_with(&[&target[..], further].concat(), &source);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        ran.stdout
    };
    let isolated = written(&[]);
    assert!(isolated.starts_with("# Isolation: "), "{isolated}");
    assert!(isolated.contains("spillgate-none"), "{isolated}");
    // A request without a host list gets 503.
    let split = spillgate_with(&["split", "-", "--format", "json"], isolated.as_bytes());
    let split: Value = serde_json::from_str(&split.stdout).unwrap();
    let clusters = split["clusters"].as_array().unwrap();
    assert_eq!(clusters.len(), 1, "shop-canary is not the target");
    assert_eq!(clusters[0]["no_host"], 100.0);
    // With availability it is balanced as in the source.
    let open = written(&["--fallback", "availability"]);
    assert!(open.starts_with("# Availability: "), "{open}");
    let split = spillgate_with(&["split", "-", "--format", "json"], open.as_bytes());
    let source = spillgate(&["split", CONFIG, "--cluster", "shop", "--format", "json"]);
    assert_eq!(split.stdout, source.stdout);
}

#[test]
fn the_filter_gets_clusters_and_a_target() {
    let source = clusters_only();
    let target = ["export", "-", "--to", "filter", "--target", "shop"];
    let ran = spillgate_with(&target, &source);
    let config: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(config["clusters"].as_array().unwrap().len(), 2);
    let unclear = spillgate_with(&["export", "-", "--to", "filter"], &source).stderr;
    assert!(unclear.contains("export/target"), "{unclear}");
    assert!(unclear.contains("shop, shop-canary"), "{unclear}");
    let unknown = refused(&["filter", "--target", "shpo"]);
    assert!(unknown.contains("(did you mean shop?)"), "{unknown}");
}

const BOOTSTRAPS: [&str; 3] = ["weighted", "aggregate", "tenants"];

fn bootstrap(name: &str) -> String {
    let folder = repository().join("crates/adopt/tests/bootstraps");
    folder.join(format!("{name}.yaml")).display().to_string()
}

#[test]
fn the_files_for_the_filter_have_what_adopt_carries_over() {
    let written = |name: &str, to: &str| {
        let further = ["--fallback", "availability"];
        let file = bootstrap(name);
        let ran = spillgate(&[&["export", &file, "--to", to][..], &further].concat());
        assert_eq!(ran.status, 0, "{name} {to}: {}", ran.stderr);
        ran.stdout
    };
    for name in BOOTSTRAPS {
        let filter: Value = serde_json::from_str(&written(name, "filter")).unwrap();
        assert_eq!(filter["health"]["source"], "admin", "{name}");
        match name {
            "weighted" => assert_eq!(filter["weighted"][0]["weight"], 90),
            "aggregate" => assert_eq!(filter["target"], "shop"),
            _ => assert_eq!(filter["criteria"][1]["header"], "x-tenant"),
        }
        let clusters = written(name, "filter-clusters");
        assert!(
            clusters.contains("override_host") && clusters.contains("spillgate_admin"),
            "{clusters}"
        );
        assert!(!clusters.contains("listeners:"), "{clusters}");
        let split = spillgate_with(&["split", "-"], clusters.as_bytes());
        assert_eq!(split.status, 0, "{}", split.stderr);
        let native = written(name, "native");
        assert!(
            native.contains("DynamicModuleFilter") && native.contains("lb_policy_name: spillgate"),
            "{native}"
        );
        assert!(!native.contains("weighted_clusters:"), "{native}");
    }
    // The comments of the cluster stay.
    assert!(written("weighted", "filter-clusters").contains("# fast"));
}

#[test]
fn a_split_that_cannot_be_carried_over_is_an_error() {
    let text = std::fs::read_to_string(bootstrap("weighted")).unwrap();
    let with_headers = text.replace(
        "weight: 10\n",
        "weight: 10\n                      request_headers_to_remove: [a]\n",
    );
    for (further, reason) in [
        (&[][..], "request_headers_to_remove"),
        (&["--target", "shop-blue"], "adopt/not-carried-over"),
    ] {
        for to in ["filter", "filter-clusters", "native"] {
            let arguments = [&["export", "-", "--to", to][..], further].concat();
            let ran = spillgate_with(&arguments, with_headers.as_bytes());
            assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{to}");
            assert!(ran.stderr.contains(reason), "{}", ran.stderr);
        }
    }
    // Without a bootstrap around them, routes cannot be patched.
    let resources = "- {name: a}\n- {name: b}\n- {name: r, virtual_hosts: [{name: v, domains: ['*'], routes: \
        [{match: {prefix: /}, route: {weighted_clusters: {clusters: [{name: a, weight: 9}, {name: b, weight: 1}]}}}]}]}\n";
    for to in ["filter", "filter-clusters", "native"] {
        let arguments = ["export", "-", "--to", to, "--target", "a"];
        let ran = spillgate_with(&arguments, resources.as_bytes());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{to}");
        assert!(
            ran.stderr.contains("a route splits requests"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn routes_to_unknown_clusters_stay_accepted() {
    let routes = |name: &str| {
        format!(
            "- {{name: shop}}\n- {{name: r, validate_clusters: false, virtual_hosts: [{{name: v, domains: ['*'], \
             routes: [{{match: {{prefix: /}}, route: {{cluster: {name}}}}}]}}]}}\n"
        )
    };
    for (name, stated) in [("shop", false), ("gone", true)] {
        let ran = spillgate_with(
            &["export", "-", "--to", "envoy-yaml"],
            routes(name).as_bytes(),
        );
        assert_eq!(
            ran.stdout.contains("validate_clusters: false"),
            stated,
            "{name}"
        );
    }
}
