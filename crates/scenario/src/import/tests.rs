//! Texts through the reader into the playground, as in a browser.

use spillgate_codec::import::{
    FaultSeverity, ImportAnswer, ImportFault, ImportField, TextPosition,
};
use spillgate_core::model::{CoarseHealth, Endpoint};

use super::*;
use crate::{EditedScenario, Headline, PageFigure, ScenarioOutcome, explain, priority_at};

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
    let list = ClusterList::new(&imported);
    let found = list.find("", None).shown;
    assert_eq!(found[0].name, "shop");
    assert_eq!(found[0].summary, "ROUND_ROBIN, 1 priority, 2\u{a0}hosts");
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
    assert_eq!(
        faults,
        ["40000 hosts; the playground supports at most 20000"]
    );
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

/// A cluster with a host in each of these priorities; `h` is healthy, `d` degraded, `u` unhealthy.
fn cluster(name: &str, settings: &str, priorities: &[&str]) -> String {
    let mut text = format!(
        "- {{name: {name}, {settings}load_assignment: {{cluster_name: {name}, endpoints: ["
    );
    for (priority, hosts) in priorities.iter().enumerate() {
        text += &format!("{{priority: {priority}, lb_endpoints: [");
        for (host, health) in hosts.chars().enumerate() {
            let status = match health {
                'h' => "HEALTHY",
                'd' => "DEGRADED",
                _ => "UNHEALTHY",
            };
            text += &format!(
                "{{health_status: {status}, endpoint: {{address: {{socket_address: {{address: 10.0.{priority}.{host}, \
                 port_value: 80}}}}}}}}, "
            );
        }
        text += "]}, ";
    }
    text + "]}}\n"
}

const NO_PANIC: &str = "common_lb_config: {healthy_panic_threshold: {value: 0}}, ";
const DROPS: &str = "load_assignment: {cluster_name: drops, policy: {drop_overloads: [{category: a, drop_percentage: \
                     {numerator: 5}}]}, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: \
                     {address: 10.0.0.1, port_value: 80}}}}]}]}}\n";

/// One cluster for each verdict, in no order.
fn all_verdicts() -> String {
    [
        cluster("whole", "", &["hhh"]),
        cluster("spills", "", &["hu", "hh"]),
        cluster("panics", "", &["huuu"]),
        cluster("overloaded", "", &["hu"]),
        cluster("degraded", "", &["hd"]),
        cluster("fails", NO_PANIC, &["uu"]),
        "- {name: unknown, type: EDS}\n".into(),
        format!("- {{name: drops, {DROPS}"),
        cluster("well", "", &["hhhu", "h"]),
        "- {name: sum, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: \
         {\"@type\": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [fails, \
         whole]}}}\n"
            .into(),
        "- {name: named, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED}\n".into(),
    ]
    .concat()
}

#[test]
fn the_list_of_clusters_has_the_words_of_the_headlines_worst_first() {
    let imported = import_of(&all_verdicts()).imported.unwrap();
    let list = ClusterList::new(&imported);
    let found = list.find("", None).shown;
    let mut labels = Vec::new();
    for cluster in &found {
        let label = cluster.verdict.map_or("", |verdict| verdict.label);
        labels.push((cluster.name, label));
        match select(&imported, cluster.at) {
            Ok(scenario) => {
                let headline = Headline::of(&ScenarioOutcome::of(&scenario));
                assert_eq!(headline.label, label, "{}", cluster.name);
                assert!(cluster.refusal.is_none());
            }
            Err(error) => assert_eq!(cluster.refusal, Some(&error), "{}", cluster.name),
        }
    }
    assert_eq!(
        labels,
        [
            ("unknown", "Hosts unknown"),
            ("fails", "No host"),
            ("drops", "Dropped"),
            ("panics", "Panic"),
            ("overloaded", "Overload"),
            ("degraded", "Degraded"),
            ("spills", "Spillover"),
            ("sum", "Spillover"),
            ("whole", "All healthy"),
            ("well", "No spillover"),
            ("named", ""),
        ]
    );
}

#[test]
fn a_long_list_of_clusters_shows_some_and_finds_all() {
    let clusters: Vec<String> = (0..1_000)
        .map(|at| {
            cluster(
                &format!("service-{at}"),
                "",
                &[if at == 700 { "hu" } else { "h" }],
            )
        })
        .collect();
    let imported = import_of(&clusters.concat()).imported.unwrap();
    let list = ClusterList::new(&imported);
    let found = list.find("", Some(900));
    assert_eq!(
        (found.shown.len(), found.count),
        (LISTED_CLUSTERS + 1, 1_000)
    );
    let places: Vec<usize> = found.shown.iter().map(|cluster| cluster.at).collect();
    assert_eq!(places[..3], [700, 0, 1], "the worst first");
    assert_eq!(places.last(), Some(&900), "the chosen one is shown");
    let names = |words| {
        let found = list.find(words, None).shown;
        found
            .into_iter()
            .map(|cluster| cluster.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names(" SERVICE  999 "), ["service-999"]);
    assert_eq!(names("overload"), ["service-700"]);
    assert!(names("service-x").is_empty());
    // The choice follows the search.
    assert_eq!(list.choose("service-12", Some(12)), Some(12));
    assert_eq!(list.choose("999", Some(12)), Some(999));
    assert_eq!(list.choose("service-x", Some(12)), None);
}

/// A Maglev table of 5,000,011 entries in each priority; four of them exceed the limit.
const LARGE: &str = "lb_policy: MAGLEV, maglev_lb_config: {table_size: 5000011}, ";

#[test]
fn a_cluster_with_too_large_hash_tables_is_listed_and_the_others_open() {
    let text = [
        cluster("large", LARGE, &["h", "h", "h", "h"]),
        cluster("small", "lb_policy: MAGLEV, ", &["h", "u"]),
        "- {name: both, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: \
         {\"@type\": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [small, \
         large]}}}\n"
            .into(),
    ]
    .concat();
    let imported = import_of(&text).imported.unwrap();
    let too_large = imported
        .origin
        .faults
        .iter()
        .filter(|fault| fault.code == "page/hash-tables");
    let too_large: Vec<_> = too_large
        .map(|fault| (fault.path.as_str(), fault.position.unwrap().line))
        .collect();
    assert_eq!(
        too_large,
        [("large", 1), ("both", 3)],
        "{:?}",
        imported.origin.faults
    );

    let list = ClusterList::new(&imported);
    assert_eq!(list.first(0), Some(1));
    let found = list.find("large", None).shown;
    let reason = found[0].refusal.unwrap().to_string();
    assert_eq!(
        reason,
        "the hash tables need 20000044 entries; the playground supports at most 16000000"
    );
    assert!(select(&imported, 0).is_err() && select(&imported, 2).is_err());

    let scenario = select(&imported, 1).unwrap();
    let names: Vec<&str> = scenario
        .clusters()
        .iter()
        .map(|cluster| cluster.name.as_str())
        .collect();
    assert_eq!(names, ["small"]);
    assert!(imported.origin.has(scenario.clusters()));
    // Its positions are those of its own lines.
    let outcome = ScenarioOutcome::of(&scenario);
    let load = PageFigure::Priority(priority_at(outcome.priorities()[0].row.at));
    let explained = format!("{:?}", explain(&scenario, &outcome, load).unwrap());
    assert!(explained.contains("line: 2,"), "{explained}");
    assert!(!explained.contains("line: 1,"), "{explained}");
}

#[test]
fn clusters_that_do_not_fit_together_all_open() {
    // Without a usable host, the tables take no time.
    let settings = format!("{LARGE}{NO_PANIC}");
    let clusters: Vec<String> = (0..4)
        .map(|at| cluster(&format!("c{at}"), &settings, &["u"]))
        .collect();
    let imported = import_of(&clusters.concat()).imported.unwrap();
    for at in 0..4 {
        let scenario = select(&imported, at).unwrap();
        assert_eq!(scenario.name(scenario.root()), format!("c{at}"));
        assert_eq!(scenario.clusters().len(), 3);
    }
    let list = ClusterList::new(&imported);
    let without: Vec<&str> = list
        .find("", None)
        .shown
        .iter()
        .filter(|one| one.verdict.is_none())
        .map(|one| one.name)
        .collect();
    assert_eq!(without, ["c3"]);
    let mut faults = imported.origin.faults.iter();
    let fault = faults
        .find(|fault| fault.code == "page/hash-tables")
        .unwrap();
    assert!(
        fault.message.contains("without findings: 1"),
        "{}",
        fault.message
    );
}
