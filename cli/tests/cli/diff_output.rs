//! What `spillgate diff` prints about renamed clusters, routes without an example, and zones.

use std::fs;

use crate::{
    diff::{diff, json, repository_example},
    run::scratch,
};

const OLD: &str = "../examples/envoy.yaml";
const MESH: &str = "../examples/mesh.yaml";

/// An example with another text in place of each of these.
fn edited(folder: &str, example: &str, edits: &[(&str, &str)]) -> String {
    let mut text = fs::read_to_string(repository_example(example)).unwrap();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let path = scratch(folder).join(example);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_renamed_cluster_is_found_by_both_names_and_changes_no_share() {
    let new = edited(
        "diff_renamed",
        "envoy.yaml",
        &[("shop-canary", "shop-next")],
    );
    for name in ["shop-canary", "shop-next"] {
        let found = json(&[OLD, &new, "--cluster", name]);
        let clusters = found["clusters"].as_array().unwrap();
        assert_eq!(clusters.len(), 1, "{name}: {found:#}");
        assert_eq!(clusters[0]["name"], "shop-next");
        assert_eq!(clusters[0]["status"], "renamed");
        assert_eq!(clusters[0]["renamed_from"], "shop-canary");
        assert_eq!(found["routes"], serde_json::json!([]), "{found:#}");
    }
    let share = "share_change(host=10.0.2.1:80) <= 0";
    let found = json(&[OLD, &new, "--expect", share]);
    assert_eq!(found["expectations"][0]["ok"], true, "{found:#}");
    assert_eq!(found["expectations"][0]["value"], 0.0);
}

#[test]
fn routes_without_an_example_have_a_heading() {
    let matches = "    - filter_chain_match: {server_names: [shop.example]}\n      filters:";
    let new = edited("diff_chain", "envoy.yaml", &[("    - filters:", matches)]);
    let ran = diff(&[OLD, &new]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let heading = "listener edge: another value of the connections of the filter chain (filter_chain_match); no \
                   example request shows it\n";
    assert!(ran.stdout.contains(heading), "{}", ran.stdout);
}

#[test]
fn more_rows_than_a_screen_are_counted() {
    let health = |status: &str| {
        let hosts = (1..40).map(|number| {
            format!(
                "      - locality: {{zone: z{number}}}\n        lb_endpoints:\n        - endpoint: {{address: \
                 {{socket_address: {{address: 10.0.0.{number}, port_value: 80}}}}}}\n          \
                 metadata: {{filter_metadata: {{envoy.lb: {{stage: s{number}}}}}}}\n          health_status: {}\n",
                if number % 2 == 0 { status } else { "HEALTHY" }
            )
        });
        let hosts: String = hosts.collect();
        let routes = (1..20).map(|number| {
            format!(
                "              - match: {{prefix: /{number}}}\n                route: {{cluster: many, metadata_match: \
                 {{filter_metadata: {{envoy.lb: {{stage: s{}}}}}}}}}\n",
                2 * number
            )
        });
        let routes: String = routes.collect();
        let clusters = "  clusters:\n";
        let many = format!(
            "{clusters}  - name: many\n    lb_subset_config: {{subset_selectors: [{{keys: [stage]}}]}}\n    \
             load_assignment:\n      cluster_name: many\n      endpoints:\n{hosts}"
        );
        let first = "              - name: cart\n";
        let edits: [(&str, &str); 2] = [(clusters, &many), (first, &(routes + first))];
        edited(&format!("diff_many_{status}"), "envoy.yaml", &edits)
    };
    let (old, new) = (health("HEALTHY"), health("UNHEALTHY"));
    let ran = diff(&[&old, &new]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 22, "{}", ran.stdout);
    let all = diff(&[&old, &new, "--all"]).stdout;
    let rows = all.lines().filter(|line| line.starts_with("  ")).count();
    let last = format!("  and {} more lines; --all prints them", rows - 18);
    assert_eq!(lines.last(), Some(&last.as_str()), "{all}");
}

#[test]
fn zones_of_a_comment_have_headings() {
    let new = edited(
        "diff_zones",
        "mesh.yaml",
        &[("address: 10.1.0.1\n", "address: 10.1.0.77\n")],
    );
    let ran = diff(&[MESH, &new, "--format", "markdown"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("## zone zone-1\n\n### "),
        "{}",
        ran.stdout
    );
}

#[test]
fn sides_without_a_common_zone_need_a_point_of_view() {
    let new = edited("diff_other_zones", "mesh.yaml", &[("zone-", "region-")]);
    let ran = diff(&[MESH, &new]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("input/no-view"), "{}", ran.stderr);
}

#[test]
fn header_values_of_example_requests_that_can_be_secrets_are_described() {
    const SECRET: &str = "swordfish";
    let matcher =
        "match: {prefix: /cart, headers: [{name: x-api-key, string_match: {exact: swordfish}}]}";
    let of = |folder, cluster: &str| {
        let with_key = ("match: {prefix: /cart}", matcher);
        let target = ("cluster: shop\n", format!("cluster: {cluster}\n"));
        edited(folder, "envoy.yaml", &[with_key, (target.0, &target.1)])
    };
    let (old, new) = (
        of("diff_secret_old", "shop"),
        of("diff_secret_new", "shop-canary"),
    );
    for format in ["text", "json", "markdown"] {
        let ran = diff(&[&old, &new, "--format", format]);
        assert!(ran.status < 2, "{}", ran.stderr);
        assert!(!ran.stdout.contains(SECRET), "{}", ran.stdout);
        assert!(
            ran.stdout.contains("a string of 9 characters"),
            "{}",
            ran.stdout
        );
    }
}
