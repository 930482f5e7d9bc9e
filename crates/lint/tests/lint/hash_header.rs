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

/// Envoy 1.40.0 with RING_HASH: 60 requests of one client reach all hosts after a removal, and those of
/// 60 clients reach one host after an overwrite.
#[test]
fn filters_that_remove_or_set_a_hashed_header_are_found() {
    const MANAGER: &str = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config";
    const TYPES: &str = "type.googleapis.com/envoy.extensions.";
    let causes = |change: &dyn Fn(&mut Value)| {
        let found = findings("hash-header-lost", |config: &mut Value| {
            let route = routes(config)[0].as_object_mut().unwrap();
            route.remove("request_headers_to_remove");
            change(config);
        });
        let texts = found
            .into_iter()
            .map(|one| format!("{}; {}", one.cause, one.effect));
        texts.collect::<Vec<_>>()
    };
    let with_filter = |filter: Value| {
        move |config: &mut Value| {
            let manager = config.pointer_mut(MANAGER).unwrap();
            let filters = manager["http_filters"].as_array_mut().unwrap();
            filters.insert(filters.len() - 1, filter.clone());
        }
    };
    let mutation = |steps: Value| {
        json!({"name": "m", "typed_config": {
            "@type": format!("{TYPES}filters.http.header_mutation.v3.HeaderMutation"),
            "mutations": {"request_mutations": steps}
        }})
    };
    let set = |value: &str, action: &str| json!({"append": {"header": {"key": "x-user", "value": value}, "append_action": action}});
    let remove = json!({"remove": "X-User"});
    let random = "route \"/\" hashes the header \"x-user\", which a filter removes before; each request gets a random hash: one client is spread over 2 hosts";
    let same = "route \"/\" hashes the header \"x-user\", which a filter sets before; all requests have the same hash: one host gets them all";
    let overwrite = "OVERWRITE_IF_EXISTS_OR_ADD";
    for (steps, expected) in [
        (json!([remove]), Some(random)),
        (json!([set("all", overwrite)]), Some(same)),
        (json!([remove, set("all", "ADD_IF_ABSENT")]), Some(same)),
        (
            json!([remove, set("all", "OVERWRITE_IF_EXISTS")]),
            Some(random),
        ),
        (json!([set("%REQ(x-id)%", overwrite)]), None),
        (json!([remove, set("%REQ(x-id)%", overwrite)]), None),
        (json!([set("all", "APPEND_IF_EXISTS_OR_ADD")]), None),
        (json!([{"remove": "x-other"}]), None),
    ] {
        let found = causes(&with_filter(mutation(steps.clone())));
        assert_eq!(found, Vec::from_iter(expected.map(String::from)), "{steps}");
    }
    let early = |config: &mut Value| {
        let extension = json!({"name": "e", "typed_config": {
            "@type": format!("{TYPES}http.early_header_mutation.header_mutation.v3.HeaderMutation"),
            "mutations": [remove]
        }});
        let manager = config.pointer_mut(MANAGER).unwrap();
        manager["early_header_mutation_extensions"] = json!([extension]);
    };
    assert_eq!(causes(&early), [random]);
    // A later filter can set the header again.
    let lua =
        json!({"name": "l", "typed_config": {"@type": format!("{TYPES}filters.http.lua.v3.Lua")}});
    assert!(
        causes(&|config: &mut Value| {
            early(config);
            with_filter(lua.clone())(config);
        })
        .is_empty()
    );
    // The filter does not run on the route.
    assert!(
        causes(&|config: &mut Value| {
            let mut filter = mutation(json!([remove]));
            filter["disabled"] = json!(true);
            with_filter(filter)(config);
        })
        .is_empty()
    );
}
