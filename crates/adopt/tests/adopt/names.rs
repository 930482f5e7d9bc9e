//! Names of something else, merge keys, and what the forms cannot read.

use spillgate_adopt::{EditText, adopt, undo};

use crate::common::{TENANTS, WEIGHTED, adopted, module, refused, wasm};

#[test]
fn names_of_our_parts_for_something_else_are_refused() {
    for (name, is_wasm_only) in [("spillgate", false), ("spillgate_host", true)] {
        let text = TENANTS.replace(
            "name: envoy.filters.http.header_to_metadata",
            &format!("name: {name}"),
        );
        let fault = refused(&text, &wasm());
        assert!(
            fault.contains("another filter has a name that the Spillgate filter needs"),
            "{fault}"
        );
        assert!(fault.contains("http_filters[0]"), "{fault}");
        if is_wasm_only {
            adopted(&text, &module());
        } else {
            refused(&text, &module());
        }
    }
    let text = format!(
        "{TENANTS}  - {{name: spillgate_admin, connect_timeout: 1s, type: STATIC, load_assignment: {{cluster_name: spillgate_admin}}}}\n"
    );
    let fault = refused(&text, &wasm());
    assert!(fault.contains("another cluster has a name"), "{fault}");
    assert!(fault.contains("clusters[1]"), "{fault}");
    // The module needs no such cluster, and the way back does not take it.
    let (steered, _) = adopted(&text, &module());
    let back = undo(&[EditText::new(steered).unwrap()], None)
        .unwrap()
        .unwrap();
    assert!(back[0].contains("name: spillgate_admin"), "{}", back[0]);
}

#[test]
fn merge_keys_and_scoped_routes_are_named() {
    let text = WEIGHTED.replacen("timeout: 3s", "<<: {timeout: 3s}", 1);
    let fault = refused(&text, &wasm());
    assert!(
        fault.contains("Envoy does not support merge keys (<<)"),
        "{fault}"
    );
    assert!(fault.contains(".route.<<"), "{fault}");
    let text = TENANTS.replacen("route_config:", "scoped_routes:", 1);
    let fault = refused(&text, &module());
    assert!(fault.contains("routes come by scoped_routes"), "{fault}");
}

#[test]
fn hosts_with_lists_are_refused_for_the_module_only() {
    let text = TENANTS
        .replace("NO_FALLBACK\n", "NO_FALLBACK\n      list_as_any: true\n")
        .replace("{tenant: b}", "{tenant: [a, b]}");
    adopted(&text, &wasm());
    let fault = refused(&text, &module());
    assert!(
        fault.contains("which Envoy does not pass to a module"),
        "{fault}"
    );
    assert!(
        fault.contains("lb_endpoints[1].metadata.filter_metadata.envoy.lb.tenant"),
        "{fault}"
    );
    assert!(fault.contains("--form wasm"), "{fault}");
    // Without list_as_any, no header has the value of a list.
    adopted(
        &text.replace("list_as_any: true", "list_as_any: false"),
        &module(),
    );
}

#[test]
fn settings_that_clusters_share_by_an_anchor_stay_in_the_others() {
    let text = TENANTS.replace("    connect_timeout: 1s\n", "    connect_timeout: 1s\n    common_lb_config: &shared {healthy_panic_threshold: {value: 20}}\n");
    let other = "  - {name: other, connect_timeout: 1s, type: STATIC, common_lb_config: *shared, load_assignment: {cluster_name: other}}\n";
    let result = adopt(
        &[EditText::new(format!("{text}{other}")).unwrap()],
        &module(),
    )
    .unwrap();
    let value = EditText::new(result.texts[0].clone()).unwrap();
    let cluster = value
        .value()
        .pointer("/static_resources/clusters/1")
        .unwrap();
    assert_eq!(
        cluster["common_lb_config"]["healthy_panic_threshold"]["value"],
        20
    );
    assert_eq!(cluster["common_lb_config"].as_object().unwrap().len(), 1);
}
