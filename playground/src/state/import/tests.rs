//! Texts through the readers and into the page, as in a browser.

use spillgate_config::Position;

use super::*;

/// What becomes of a configuration.
pub(crate) fn import_of(config: &str) -> Reading {
    reading_of(config, "")
}

fn reading_of(config: &str, clusters: &str) -> Reading {
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
    assert_eq!(scenario.plain(0).unwrap().levels[0].endpoints.len(), 2);
    let hosts = &imported.origin.places[0].levels[0];
    let at = |line, column| Position { line, column };
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
        .filter(|fault| fault.severity == Severity::Error)
        .filter_map(|fault| Some(fault.position?.line))
        .collect();
    assert!(lines.contains(&4) && lines.contains(&6), "{reading:?}");
    let fixes = reading.faults.iter().filter_map(|f| quick_fix(text, f));
    let fixes: Vec<String> = fixes.map(|fix| fix.replacement).collect();
    assert_eq!(fixes, ["MAGLEV", "RANDOM"]);
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
    for answer in ["", "[]", "{\"model\": null}", "{\"model\": \"{\"}"] {
        let reading = take_in(Texts::default(), answer);
        assert!(reading.imported.is_none());
    }
    assert_eq!(take_in(Texts::default(), "x").faults[0].code, "page/answer");
}
