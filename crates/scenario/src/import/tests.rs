//! Texts through the reader into the page, as in a browser.

use spillgate_codec::import::{
    FaultSeverity, ImportAnswer, ImportFault, ImportField, TextPosition,
};
use spillgate_core::model::{CoarseHealth, Endpoint};

use super::*;
use crate::{EditedScenario, Headline, ScenarioOutcome};

/// The result of importing a configuration.
pub(crate) fn import_of(config: &str) -> ImportResult {
    import_with_clusters(config, "")
}

/// The same with the output of `/clusters`.
pub(crate) fn import_with_clusters(config: &str, clusters: &str) -> ImportResult {
    let answer = spillgate_reader::answer(config.as_bytes(), clusters.as_bytes());
    let texts = ImportTexts {
        config: config.into(),
        clusters: clusters.into(),
    };
    import_result(texts, &answer)
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
fn a_configuration_becomes_a_scenario_with_positions() {
    let imported = import_of(SHOP).imported.unwrap();
    let scenario = select(&imported, imported.proposed).unwrap();
    assert_eq!(scenario.name(0), "shop");
    let (_, name, summary) = imported.choices().next().unwrap();
    assert_eq!(name, "shop");
    assert_eq!(summary, "ROUND_ROBIN, 1 priority, 2\u{a0}hosts");
    assert_eq!(scenario.plain(0).unwrap().priorities[0].endpoints.len(), 2);
    let hosts = &imported.origin.places[0].priorities[0];
    let at = |line, column| TextPosition { line, column };
    assert_eq!(hosts[0].endpoint, at(10, 11));
    assert_eq!(hosts[0].health_status, None);
    assert_eq!(hosts[1].health_status, Some(at(12, 26)));
}

#[test]
fn all_faults_are_reported_with_their_positions() {
    let text = "static_resources:\n  clusters:\n  - name: a\n    lb_policy: MAGLEF\n  - name: b\n    \
                lb_policy: RANDON\n";
    let result = import_of(text);
    assert!(result.imported.is_none());
    let lines: Vec<u32> = result
        .faults
        .iter()
        .filter(|fault| fault.severity == FaultSeverity::Error)
        .filter_map(|fault| Some(fault.position?.line))
        .collect();
    assert!(lines.contains(&4) && lines.contains(&6), "{result:?}");
}

#[test]
fn the_output_of_clusters_sets_health_and_faults_of_both_texts_are_reported() {
    let clusters = "shop::10.0.0.1:80::health_flags::/failed_active_hc\n\
                    shop::10.0.0.2:80::health_flags::healthy\n";
    let imported = import_with_clusters(SHOP, clusters).imported.unwrap();
    let hosts = |imported: &Imported| {
        let scenario = select(imported, 0).unwrap();
        let priority = &scenario.plain(0).unwrap().priorities[0];
        let healthy = |e: &Endpoint| e.health.coarse() == CoarseHealth::Healthy;
        priority.endpoints.iter().map(healthy).collect::<Vec<_>>()
    };
    assert_eq!(hosts(&imported), [false, true]);
    assert_eq!(hosts(&import_of(SHOP).imported.unwrap()), [true, false]);

    let result = import_with_clusters("static_resources: {clusterz: []}", "no such line\n");
    let fields: Vec<ImportField> = result.faults.iter().map(|fault| fault.field).collect();
    assert!(result.imported.is_none());
    assert!(fields.contains(&ImportField::Config) && fields.contains(&ImportField::Clusters));
    assert!(fields.is_sorted(), "in the order of the texts: {fields:?}");
}

#[test]
fn findings_come_with_rule_place_and_fix() {
    let text = SHOP
        .replace("type: STATIC\n", "type: STATIC\n    lb_policy: RANDOM\n")
        .replacen(
            "- endpoint",
            "- load_balancing_weight: 3\n          endpoint",
            1,
        );
    let imported = import_of(&text).imported.unwrap();
    let faults = &imported.origin.faults;
    let found = faults
        .iter()
        .find(|f| f.code == "random-ignores-weights")
        .unwrap();
    assert_eq!(found.severity, FaultSeverity::Warning);
    assert!(found.position.unwrap().line > 1 && found.fix.is_some());
    assert!(severity_counts(faults, 0).contains("warning"));
}

#[test]
fn a_configuration_that_envoy_rejects_is_not_imported_but_keeps_its_findings() {
    let text = SHOP.replace(
        "type: STATIC\n",
        "type: STATIC\n    lb_subset_config: {fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [a]}]}\n    \
         load_balancing_policy: {policies: [{typed_extension_config: {name: x, typed_config: {\"@type\": \
         type.googleapis.com/envoy.extensions.load_balancing_policies.random.v3.Random}}}]}\n",
    );
    let result = import_of(&text);
    assert!(result.imported.is_none(), "{result:?}");
    let codes: Vec<&str> = result.faults.iter().map(|f| f.code.as_str()).collect();
    assert!(codes.contains(&"subset-with-lb-policy"), "{codes:?}");
    assert!(
        codes.iter().any(|code| code.starts_with("config/")),
        "{codes:?}"
    );
}

#[test]
fn a_text_without_clusters_is_reported() {
    for text in ["{}", "name: x\nvirtual_hosts: []\n"] {
        let result = import_of(text);
        assert!(result.imported.is_none());
        assert!(!result.faults.is_empty(), "{text}");
    }
}

#[test]
fn an_unknown_answer_is_reported() {
    let result = import_result(ImportTexts::default(), b"{}");
    assert!(result.imported.is_none());
    assert_eq!(result.faults[0].code, "page/unreadable");
}

#[test]
fn errors_are_before_warnings_and_many_faults_are_counted() {
    let rows: Vec<String> = (0..1500).map(|n| format!("    k{n}: 1\n")).collect();
    let text = format!("{SHOP}    lb_policy: RANDOM\n{}", rows.concat());
    let result = import_of(&text);
    assert!(result.imported.is_none());
    assert_eq!(result.faults[0].code, "config/more");
    assert_eq!((result.faults.len(), result.more), (1001, 0));
    assert_eq!(severity_counts(&result.faults, 0), "1000\u{a0}errors");
    assert_eq!(severity_counts(&[], 12_000), "12\u{202f}000 more");

    let fault = |severity| ImportFault {
        severity,
        ..page_error("", String::new())
    };
    use FaultSeverity::{Error, Info, Warning};
    let answer = ImportAnswer::default().with_faults([Info, Error, Warning].map(fault).into());
    let result = import_result(ImportTexts::default(), &answer.to_bytes());
    let found: Vec<_> = result.faults.iter().map(|fault| fault.severity).collect();
    assert_eq!(found, [Error, Warning, Info]);
}

#[test]
fn too_many_hosts_are_refused_with_the_reason() {
    let hosts: Vec<String> = (0..40_000)
        .map(|n| {
            format!(
                "        - endpoint: {{address: {{socket_address: {{address: 10.{}.{}.{}, port_value: 80}}}}}}\n",
                n >> 16,
                n >> 8 & 255,
                n & 255
            )
        })
        .collect();
    let (head, _) = SHOP.split_once("        - endpoint").unwrap();
    let result = import_of(&[head, &hosts.concat()].concat());
    assert!(result.imported.is_none());
    let faults: Vec<&str> = result.faults.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(faults, ["40000 hosts; the page supports at most 20000"]);
}

#[test]
fn an_import_names_unknown_hosts_and_limits_of_the_shown_cluster() {
    let text = "- {name: a, type: EDS}\n\
         - {name: b, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: example.own}}\n\
         - {name: c, load_assignment: {cluster_name: c, endpoints: [{lb_endpoints: \
         [{endpoint: {address: {pipe: {path: /a}}}}]}]}}\n";
    let imported = import_of(text).imported.unwrap();
    let shown = |at: usize| {
        let scenario: EditedScenario = select(&imported, at).unwrap();
        let outcome = ScenarioOutcome::of(&scenario);
        let limits = limits_of(&scenario).len();
        (Headline::of(&outcome).sentence(), outcome.no_host(), limits)
    };
    let unknown =
        |name| format!("Hosts unknown: the configuration does not list the hosts of {name}.");
    assert_eq!(shown(0), (unknown("a"), 0.0, 1));
    assert_eq!(shown(1), (unknown("b"), 0.0, 1));
    assert!(
        shown(2).0.starts_with("All healthy: P0 takes 100"),
        "{:?}",
        shown(2)
    );
    assert_eq!(shown(2).2, 0);
}
