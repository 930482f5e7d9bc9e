//! Texts through the readers and into the page, as in a browser.

use spillgate_codec::import::{FaultSeverity, ImportField, TextPosition};
use spillgate_core::model::{CoarseHealth, Endpoint};

use super::*;

/// What becomes of a configuration.
pub(crate) fn import_of(config: &str) -> Reading {
    reading_of(config, "")
}

/// The same with what `/clusters` said.
pub(crate) fn reading_of(config: &str, clusters: &str) -> Reading {
    let answer = spillgate_reader::answer(config.as_bytes(), clusters.as_bytes());
    let texts = Texts {
        config: config.into(),
        clusters: clusters.into(),
    };
    take_in(texts, &answer)
}

const SHOP: &str = "\
static_resources:
  clusters:
  - name: shop
    type: STATIC
    load_assignment:
      cluster_name: shop
      endpoints:
      - priority: 0
        lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
        - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
          health_status: UNHEALTHY
";

#[test]
fn a_configuration_becomes_a_scenario_with_its_places() {
    let imported = import_of(SHOP).imported.unwrap();
    let scenario = select(&imported, imported.proposed).unwrap();
    assert_eq!(scenario.name(0), "shop");
    assert_eq!(scenario.plain(0).unwrap().priorities[0].endpoints.len(), 2);
    let hosts = &imported.origin.places[0].priorities[0];
    let at = |line, column| TextPosition { line, column };
    assert_eq!(hosts[0].endpoint, at(10, 11));
    assert_eq!(hosts[0].health_status, None);
    assert_eq!(hosts[1].health_status, Some(at(12, 26)));
}

#[test]
fn faults_come_with_their_places_and_all_at_once() {
    let text = "static_resources:\n  clusters:\n  - name: a\n    lb_policy: MAGLEF\n  - name: b\n    \
                lb_policy: RANDON\n";
    let reading = import_of(text);
    assert!(reading.imported.is_none());
    let lines: Vec<u32> = reading
        .faults
        .iter()
        .filter(|fault| fault.severity == FaultSeverity::Error)
        .filter_map(|fault| Some(fault.position?.line))
        .collect();
    assert!(lines.contains(&4) && lines.contains(&6), "{reading:?}");
    let fixes = reading.faults.iter().filter_map(|f| quick_fix(text, f));
    let fixes: Vec<String> = fixes.map(|fix| fix.replacement).collect();
    assert_eq!(fixes, ["MAGLEV", "RANDOM"]);
}

#[test]
fn what_clusters_says_is_laid_over_and_faults_of_both_texts_are_told() {
    let clusters = "shop::10.0.0.1:80::health_flags::/failed_active_hc\n\
                    shop::10.0.0.2:80::health_flags::healthy\n";
    let imported = reading_of(SHOP, clusters).imported.unwrap();
    let hosts = |imported: &Imported| {
        let scenario = select(imported, 0).unwrap();
        let priority = &scenario.plain(0).unwrap().priorities[0];
        let healthy = |e: &Endpoint| e.health.coarse() == CoarseHealth::Healthy;
        priority.endpoints.iter().map(healthy).collect::<Vec<_>>()
    };
    assert_eq!(hosts(&imported), [false, true]);
    assert_eq!(hosts(&import_of(SHOP).imported.unwrap()), [true, false]);

    let reading = reading_of("static_resources: {clusterz: []}", "no such line\n");
    let fields: Vec<ImportField> = reading.faults.iter().map(|fault| fault.field).collect();
    assert!(reading.imported.is_none());
    assert!(fields.contains(&ImportField::Config) && fields.contains(&ImportField::Clusters));
    assert!(fields.is_sorted(), "one text after the other: {fields:?}");
}

#[test]
fn findings_come_with_rule_place_and_fix() {
    let text = SHOP.replace("type: STATIC\n", "type: STATIC\n    lb_policy: RANDOM\n");
    let text = text.replacen(
        "- endpoint",
        "- load_balancing_weight: 3\n          endpoint",
        1,
    );
    let imported = import_of(&text).imported.unwrap();
    let faults = &imported.origin.faults;
    let found = faults.iter().find(|f| f.code == "random-ignores-weights");
    let found = found.unwrap();
    assert_eq!(found.severity, FaultSeverity::Warning);
    assert!(found.position.unwrap().line > 1 && found.fix.is_some());
    assert!(tally(faults).contains("warning"));
}

#[test]
fn what_envoy_refuses_is_no_picture_and_keeps_its_findings() {
    let text = SHOP.replace(
        "type: STATIC\n",
        "type: STATIC\n    lb_subset_config: {fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [a]}]}\n    \
         load_balancing_policy: {policies: [{typed_extension_config: {name: x, typed_config: {\"@type\": \
         type.googleapis.com/envoy.extensions.load_balancing_policies.random.v3.Random}}}]}\n",
    );
    let reading = import_of(&text);
    assert!(reading.imported.is_none(), "{reading:?}");
    let codes: Vec<&str> = reading.faults.iter().map(|f| f.code.as_str()).collect();
    assert!(codes.contains(&"subset-with-lb-policy"), "{codes:?}");
    assert!(
        codes.iter().any(|code| code.starts_with("config/")),
        "{codes:?}"
    );
}

#[test]
fn a_text_without_clusters_is_told_so() {
    for text in ["{}", "name: x\nvirtual_hosts: []\n"] {
        let reading = import_of(text);
        assert!(reading.imported.is_none());
        assert!(!reading.faults.is_empty(), "{text}");
    }
}

#[test]
fn an_answer_that_is_none_is_told_so() {
    let reading = take_in(Texts::default(), b"{}");
    assert!(reading.imported.is_none());
    assert_eq!(reading.faults[0].code, "page/unreadable");
}
