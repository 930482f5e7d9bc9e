//! A configuration that the filter steers already.

use spillgate_adopt::{AdoptSessions, EditText, adopt};
use spillgate_config::isolation::ListFallback;

use crate::common::{AGGREGATE, TENANTS, WEIGHTED, adopted, module, refused, wasm};

#[test]
fn a_second_run_changes_nothing() {
    for options in [wasm(), module()] {
        for text in [WEIGHTED, AGGREGATE, TENANTS] {
            let (first, _) = adopted(text, &options);
            assert_eq!(adopted(&first, &options).0, first);
        }
    }
}

#[test]
fn a_second_run_with_other_options_says_what_differs() {
    let (first, _) = adopted(TENANTS, &wasm());
    assert!(refused(&first, &module()).contains("--form module: its form is wasm"));
    let mut other = wasm();
    other.sessions = Some(AdoptSessions::Cookie);
    other.criteria = vec![
        ("tenant".into(), "x-tenant".into()),
        ("stage".into(), "x-stage".into()),
    ];
    other.chain = vec![vec!["tenant".into()]];
    other.clusters = vec!["shop".into(), "cart".into()];
    other.fallback = Some(ListFallback::Availability);
    let faults = refused(&first, &other);
    for line in [
        "--sessions cookie: it has no affinity.cookie",
        "--criteria stage=x-stage: it has no such criterion",
        "--chain: its subset_chain has other steps",
        "--cluster cart: it does not balance this cluster",
        "--fallback: its clusters have isolation",
    ] {
        assert!(faults.contains(line), "{line}\n{faults}");
    }
    assert_eq!(faults.lines().count(), 5, "{faults}");
    let mut same = wasm();
    same.criteria = vec![("tenant".into(), "x-tenant".into())];
    same.clusters = vec!["shop".into()];
    same.fallback = Some(ListFallback::Isolation);
    assert_eq!(adopted(&first, &same).0, first);
}

#[test]
fn other_plugins_are_not_the_filter() {
    let other = "http_filters:\n          - name: spillgate_lookalike\n            typed_config:\n              \
        \"@type\": type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm\n              \
        config: {configuration: {\"@type\": type.googleapis.com/google.protobuf.StringValue, value: '{\"clusters\": []}'}}\n";
    let before = WEIGHTED.replace("http_filters:\n", other);
    let (text, _) = adopted(&before, &wasm());
    assert!(text.contains("spillgate_lookalike") && text.contains("name: spillgate\n"));
}

#[test]
fn a_filter_from_ecds_is_found_in_its_file() {
    let discovered = "http_filters:\n          - name: steering\n            config_discovery:\n              \
        config_source: {path_config_source: {path: ecds.yaml}}\n              \
        type_urls: [type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm]\n";
    let before = WEIGHTED.replace("http_filters:\n", discovered);
    assert!(refused(&before, &wasm()).contains("this filter comes by ECDS"));
    let ecds = |config: &str| {
        format!(
            "resources:\n- \"@type\": type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig\n  name: steering\n  typed_config:\n    \
             \"@type\": type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm\n    \
             config: {{configuration: {{\"@type\": type.googleapis.com/google.protobuf.StringValue, value: '{config}'}}}}\n"
        )
    };
    let run = |config: &str| {
        let texts = [before.clone(), ecds(config)].map(|text| EditText::new(text).unwrap());
        let result = adopt(&texts, &wasm()).unwrap();
        (result.texts[0] == before, result.texts[1] == ecds(config))
    };
    // The filter, then another plugin.
    assert_eq!(
        run(r#"{"target": "shop-blue", "clusters": []}"#),
        (true, true)
    );
    assert_eq!(run(r#"{"rules": []}"#), (false, true));
}
