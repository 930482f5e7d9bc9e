//! The admin interface: the least access that suffices.

use serde_json::{Value, json};
use spillgate_adopt::{EditText, adopt};

use crate::common::{TENANTS, WEIGHTED, wasm};

const OWN: &str =
    "admin:\n  address:\n    socket_address: {address: 127.0.0.1, port_value: 29901}\n";

/// The admin interface after `adopt` of a bootstrap with this one, and the address of a new one.
#[track_caller]
fn admin(text: &str) -> (Value, Option<String>) {
    let result = adopt(&[EditText::new(text.into()).unwrap()], &wasm()).unwrap();
    let text = EditText::new(result.texts[0].clone()).unwrap();
    (text.value()["admin"].clone(), result.admin)
}

fn paths(conditions: &str) -> Value {
    let with = format!("{OWN}  allow_paths: {conditions}\n");
    admin(&WEIGHTED.replace(OWN, &with)).0["allow_paths"].clone()
}

#[test]
fn a_new_interface_has_a_port_that_the_bootstrap_does_not_use() {
    let without = WEIGHTED.replace(OWN, "");
    let (own, added) = admin(&without);
    assert_eq!(own["address"]["socket_address"]["port_value"], 9901);
    assert_eq!(added.unwrap(), "127.0.0.1:9901");
    let only = json!([{"safe_regex": {"regex": r"/clusters(\?[^#]*)?"}}]);
    assert_eq!(own["allow_paths"], only);
    let taken = without.replace("28081", "9901").replace("28090", "9902");
    assert_eq!(admin(&taken).1.unwrap(), "127.0.0.1:9903");
}

#[test]
fn conditions_on_paths_are_judged_as_envoy_does() {
    for suffices in [
        "[{prefix: /clusters}]",
        "[{exact: /ready}, {contains: lusters?f}]",
        "[{prefix: /CLUSTERS, ignore_case: true}]",
        r"[{safe_regex: {regex: '/(clusters|stats)\?.*'}}]",
    ] {
        let before: Value = paths(suffices);
        let count = before.as_array().unwrap().len();
        let text = EditText::new(suffices.to_owned()).unwrap();
        assert_eq!(count, text.value().as_array().unwrap().len(), "{suffices}");
    }
    for falls_short in [
        "[{exact: /clusters}]",
        "[{prefix: /CLUSTERS}]",
        "[{suffix: /clusters}]",
        "[{safe_regex: {regex: /clusters}}]",
    ] {
        assert_eq!(
            paths(falls_short)[1],
            json!({"safe_regex": {"regex": r"/clusters(\?[^#]*)?"}}),
            "{falls_short}"
        );
    }
    // Without a condition, all paths are allowed.
    assert_eq!(paths("[]"), json!([]));
}

#[test]
fn metadata_need_one_more_path() {
    let eds = TENANTS.replace("type: STATIC", "type: EDS");
    let start = eds.find("    load_assignment:").unwrap();
    let eds = format!(
        "{}    eds_cluster_config: {{eds_config: {{path_config_source: {{path: eds.yaml}}}}}}\n",
        &eds[..start]
    );
    let own = "port_value: 29903}}}";
    let limited = eds.replace(
        own,
        "port_value: 29903}}, allow_paths: [{prefix: /clusters}]}",
    );
    let added = json!({"safe_regex": {"regex": r"/config_dump(\?[^#]*)?"}});
    assert_eq!(admin(&limited).0["allow_paths"][1], added);
}
