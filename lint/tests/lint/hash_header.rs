//! Hash policies on headers that a route changes.

use serde_json::{Value, json};

use crate::common::changed::{cluster, findings, flagged, routes};

#[test]
fn a_hashed_header_keeps_values_of_the_client() {
    let rule = "hash-header-lost";
    let effect = |change: &dyn Fn(&mut Value)| {
        let found = findings(rule, change).into_iter();
        found.map(|one| one.effect).collect::<Vec<_>>()
    };
    let random = "each request gets a random hash: one client is spread over 2 hosts";
    assert_eq!(effect(&|_| {}), [random]);
    let add = |value: &str, action: &str| json!([{"header": {"key": "X-User", "value": value}, "append_action": action}]);
    let replaced = |value: &'static str, action: &'static str| {
        move |config: &mut Value| {
            let route = routes(config)[0].as_object_mut().unwrap();
            route.remove("request_headers_to_remove");
            route.insert("request_headers_to_add".into(), add(value, action));
        }
    };
    let same = "all requests have the same hash: one host gets them all";
    assert_eq!(
        effect(&replaced("all", "OVERWRITE_IF_EXISTS_OR_ADD")),
        [same]
    );
    // Values of the client remain, or the value depends on the request.
    assert!(effect(&replaced("all", "APPEND_IF_EXISTS_OR_ADD")).is_empty());
    assert!(effect(&replaced("%REQ(x-id)%", "OVERWRITE_IF_EXISTS_OR_ADD")).is_empty());
    assert!(!flagged(rule, |config| {
        routes(config)[0]["request_headers_to_remove"] = json!(["x-other"]);
    }));
    assert!(!flagged(rule, |config| cluster(config)["lb_policy"] =
        json!("ROUND_ROBIN")));
    let second = effect(&|config: &mut Value| {
        let policies = routes(config)[0]["route"]["hash_policy"]
            .as_array_mut()
            .unwrap();
        policies.push(json!({"connection_properties": {"source_ip": true}}));
    });
    assert_eq!(
        second,
        ["the policy has no hash: the other policies decide"]
    );
}
