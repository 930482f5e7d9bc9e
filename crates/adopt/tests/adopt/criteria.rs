//! Criteria and sessions that other filters, ECDS and single routes set.

use serde_json::json;
use spillgate_adopt::{EditText, adopt};

use crate::common::{TENANTS, adopted, module, refused, wasm};

const H2M: &str = "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config";
const SESSION: &str =
    "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession";

/// The bootstrap with tenants, with this filter before the router.
fn with_filter(filter: &str) -> String {
    let router = "          - name: envoy.filters.http.router";
    TENANTS.replacen(router, &format!("          - {filter}\n{router}"), 1)
}

/// The bootstrap with tenants, with these settings of its route for a filter.
fn with_settings(filter: &str, settings: &str) -> String {
    let settings = format!("typed_per_filter_config: {{{filter}: {settings}}}");
    TENANTS.replacen(
        "                route: {cluster: shop}",
        &format!("                route: {{cluster: shop}}\n                {settings}"),
        1,
    )
}

#[test]
fn another_filter_that_sets_criteria_is_refused() {
    let lua = "{name: lua, typed_config: {\"@type\": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua, \
               default_source_code: {inline_string: 'x:dynamicMetadata():set(\"envoy.lb\", \"tenant\", \"a\")'}}}";
    let body = "{name: body, typed_config: {\"@type\": type.googleapis.com/envoy.extensions.filters.http.json_to_metadata.v3.JsonToMetadata, \
                request_rules: {rules: [{selectors: [{key: t}], on_present: {metadata_namespace: envoy.lb, key: tenant}}]}}}";
    let nested = format!(
        "{{name: nested, typed_config: {{\"@type\": type.googleapis.com/envoy.extensions.common.matching.v3.ExtensionWithMatcher, \
         extension_config: {{name: h, typed_config: {{\"@type\": {H2M}, request_rules: \
         [{{header: x, on_header_present: {{metadata_namespace: envoy.lb, key: tenant}}}}]}}}}}}}}"
    );
    for filter in [lua, body, &nested] {
        for options in [wasm(), module()] {
            let fault = refused(&with_filter(filter), &options);
            assert!(
                fault.contains("this filter can set criteria (envoy.lb)"),
                "{fault}"
            );
            assert!(fault.contains("http_filters[1].typed_config"), "{fault}");
        }
    }
    let reads = lua.replace("envoy.lb", "my.ns");
    adopted(&with_filter(&reads), &wasm());
}

#[test]
fn criteria_by_ecds_are_those_of_its_file() {
    let (head, rest) = TENANTS
        .split_once("            typed_config:\n              \"@type\": type.googleapis.com/envoy.extensions.filters.http.header")
        .unwrap();
    let (_, tail) = rest.split_once("remove: true\n").unwrap();
    let discovery = format!(
        "            config_discovery: {{config_source: {{path_config_source: {{path: e.yaml}}}}, type_urls: [{H2M}]}}\n"
    );
    let text = format!("{head}{discovery}{tail}");
    let fault = refused(&text, &wasm());
    assert!(
        fault.contains("comes by ECDS, and can set criteria"),
        "{fault}"
    );
    assert!(fault.contains("http_filters[0]"), "{fault}");
    let resource = format!(
        "resources:\n- \"@type\": type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig\n  name: envoy.filters.http.header_to_metadata\n  \
         typed_config:\n    \"@type\": {H2M}\n    request_rules:\n    - header: x-tenant\n      \
         on_header_present: {{metadata_namespace: envoy.lb, key: tenant}}\n"
    );
    let texts = [text, resource.clone()].map(|text| EditText::new(text).unwrap());
    let result = adopt(&texts, &wasm()).unwrap();
    assert_eq!(
        result.filter.unwrap()["criteria"],
        json!([{"key": "tenant", "header": "x-tenant"}])
    );
    assert_eq!(result.texts[1], resource);
    // Criteria read headers that the other filter can remove.
    let places = ["- name: spillgate\n", "config_discovery"].map(|part| result.texts[0].find(part));
    assert!(places[0] < places[1], "{}", result.texts[0]);
}

#[test]
fn sessions_by_ecds_are_refused() {
    let filter = format!(
        "{{name: s, config_discovery: {{config_source: {{ads: {{}}}}, type_urls: [{SESSION}]}}}}"
    );
    let fault = refused(&with_filter(&filter), &module());
    assert!(
        fault.contains("sessions of a filter that comes by ECDS"),
        "{fault}"
    );
}

#[test]
fn single_routes_without_criteria_or_sessions_are_refused() {
    let off = "{\"@type\": type.googleapis.com/envoy.config.route.v3.FilterConfig, disabled: true}";
    let text = with_settings("envoy.filters.http.header_to_metadata", off);
    let fault = refused(&text, &wasm());
    assert!(fault.contains("for single routes"), "{fault}");
    assert!(
        fault.contains("routes[0].typed_per_filter_config"),
        "{fault}"
    );
    let session = format!(
        "{{name: sticky, typed_config: {{\"@type\": {SESSION}, session_state: {{name: c, typed_config: \
         {{\"@type\": type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, \
         cookie: {{name: sid}}}}}}}}}}"
    );
    let router = "          - name: envoy.filters.http.router";
    let with_session =
        |text: &str| text.replacen(router, &format!("          - {session}\n{router}"), 1);
    adopted(&with_session(TENANTS), &wasm());
    let fault = refused(&with_session(&with_settings("sticky", off)), &wasm());
    assert!(
        fault.contains("sessions that single routes turn off"),
        "{fault}"
    );
    assert!(
        fault.contains("routes[0].typed_per_filter_config.sticky"),
        "{fault}"
    );
}

#[test]
fn a_rule_without_a_namespace_sets_no_criterion() {
    // Envoy writes into the namespace of the filter.
    let text = TENANTS.replace("metadata_namespace: envoy.lb, ", "");
    let (_, config) = adopted(&text, &wasm());
    assert_eq!(config.get("criteria"), None);
}
