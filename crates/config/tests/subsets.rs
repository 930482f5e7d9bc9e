//! Subsets: what is read in classic and typed form, and what is rejected.

use core::fmt::Write as _;

use crate::common::{self, config, findings, policy};
use spillgate_config::envoy::{Format, read};
use spillgate_core::model::{
    ClusterKind, Metadata, PlainCluster, Policy, SelectorFallback, SubsetConfig, SubsetFallback,
    Value,
};

fn host(metadata: &str) -> String {
    format!(
        "{{endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}, metadata: {{filter_metadata: {{envoy.lb: {{{metadata}}}}}}}}}"
    )
}

fn cluster(metadata: &str, more: &str) -> String {
    format!(
        "name: c\nload_assignment: {{cluster_name: c, endpoints: [{{lb_endpoints: [{}]}}]}}\n{more}\n",
        host(metadata)
    )
}

fn classic(settings: &str) -> String {
    cluster("stage: prod", &format!("lb_subset_config: {{{settings}}}"))
}

fn typed(settings: &str) -> String {
    let child = policy("random.v3.Random", "");
    let subset = policy(
        "subset.v3.Subset",
        &format!("subset_lb_policy: {child}, {settings}"),
    );
    cluster("stage: prod", &format!("load_balancing_policy: {subset}"))
}

fn plain(text: &str) -> PlainCluster {
    common::plain(&config(text)).clone()
}

fn keys(config: &SubsetConfig) -> Vec<String> {
    let selectors = config.selectors.iter();
    selectors
        .map(|selector| selector.keys().join(","))
        .collect()
}

#[test]
fn every_field_in_both_forms() {
    let settings = "fallback_policy: DEFAULT_SUBSET, default_subset: {stage: prod, n: 1}, metadata_fallback_policy: FALLBACK_LIST, scale_locality_weight: true, panic_mode_any: true, list_as_any: true, subset_selectors: [{keys: [version, stage, version], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [stage]}, {keys: [stage], single_host_per_subset: true, fallback_policy: ANY_ENDPOINT}]";
    let from_classic = plain(&classic(settings)).subsets.unwrap();
    assert_eq!(from_classic.fallback, SubsetFallback::DefaultSubset);
    let expected = [
        ("stage", Value::Text("prod".into())),
        ("n", Value::Number(1.0)),
    ];
    assert_eq!(from_classic.default_subset, Metadata::new(expected));
    assert!(from_classic.fallback_list && from_classic.scale_locality_weight);
    assert!(from_classic.panic_mode_any && from_classic.list_as_any);
    assert!(!from_classic.locality_weight_aware && !from_classic.allow_redundant_keys);
    assert_eq!(keys(&from_classic), ["stage,version", "stage"]);
    let [first, second] = from_classic.selectors.as_slice() else {
        panic!("{:?}", from_classic.selectors);
    };
    assert_eq!(
        *first.fallback(),
        SelectorFallback::KeysSubset(vec!["stage".into()])
    );
    assert_eq!(*second.fallback(), SelectorFallback::AnyEndpoint);
    assert!(second.single_host_per_subset() && !first.single_host_per_subset());

    let from_typed = plain(&typed(settings));
    assert_eq!(from_typed.subsets, Some(from_classic));
    assert_eq!(from_typed.policy, Policy::Random);
    let endpoint = &from_typed.priorities[0].endpoints[0];
    assert_eq!(
        endpoint.metadata.get("stage"),
        Some(&Value::Text("prod".into()))
    );
}

#[test]
fn without_selectors_only_the_typed_form_has_subsets() {
    assert_eq!(plain(&classic("")).subsets, None);
    assert_eq!(plain(&typed("")).subsets, Some(SubsetConfig::default()));
    // A selector without keys enables the classic form but has no effect itself.
    assert_eq!(
        plain(&classic("subset_selectors: [{}]")).subsets,
        Some(SubsetConfig::default())
    );
}

#[test]
fn redundant_keys_use_long_selectors_first() {
    let selectors = "subset_selectors: [{keys: [a]}, {keys: [b, c]}, {keys: [d]}, {keys: [a, b]}]";
    let sorted = config(&typed(&format!("allow_redundant_keys: true, {selectors}")));
    let ClusterKind::Plain(plain_cluster) = &sorted.model.clusters()[0].kind else {
        panic!("not plain");
    };
    assert_eq!(
        keys(plain_cluster.subsets.as_ref().unwrap()),
        ["b,c", "a,b", "a", "d"]
    );
    let columns: Vec<u32> = {
        let marks = sorted.marks.cluster("c").unwrap();
        marks
            .subset_selectors
            .iter()
            .map(|mark| mark.column)
            .collect()
    };
    assert!(columns[2] < columns[0] && columns[0] < columns[3] && columns[3] < columns[1]);
    let plain = plain(&typed(selectors));
    assert_eq!(keys(&plain.subsets.unwrap()), ["a", "b,c", "d", "a,b"]);
}

#[test]
fn subsets_nest_inside_an_override_and_around_reported_weights() {
    let child = policy(
        "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
        "",
    );
    let weighted = policy(
        "wrr_locality.v3.WrrLocality",
        &format!("endpoint_picking_policy: {child}"),
    );
    let subset = policy(
        "subset.v3.Subset",
        &format!("subset_selectors: [{{keys: [a]}}], subset_lb_policy: {weighted}"),
    );
    let outer = policy(
        "override_host.v3.OverrideHost",
        &format!("override_host_sources: [{{header: h}}], fallback_policy: {subset}"),
    );
    let plain = plain(&cluster("a: 1", &format!("load_balancing_policy: {outer}")));
    assert_eq!(plain.policy, Policy::ClientSideWeightedRoundRobin);
    assert!(plain.locality_lb.is_weighted());
    assert_eq!(keys(&plain.subsets.unwrap()), ["a"]);
}

#[test]
fn settings_that_envoy_rejects_are_rejected() {
    let selector = |more: &str| format!("subset_selectors: [{{keys: [a, b], {more}}}]");
    for (settings, expected) in [
        (
            selector("fallback_policy: KEYS_SUBSET"),
            "KEYS_SUBSET requires fallback_keys_subset",
        ),
        (
            selector("fallback_policy: KEYS_SUBSET, fallback_keys_subset: [b, a]"),
            "contains all of the selector's keys",
        ),
        (
            selector("fallback_policy: KEYS_SUBSET, fallback_keys_subset: [a, c]"),
            "not one of the selector's keys; found \"c\"",
        ),
        (
            selector("fallback_policy: ANY_ENDPOINT, fallback_keys_subset: [a]"),
            "fallback_keys_subset requires fallback_policy KEYS_SUBSET",
        ),
        (
            "fallback_policy: KEYS_SUBSET".into(),
            "config/unknown-value",
        ),
        ("default_subset: [a]".into(), "config/type"),
        (
            "subset_selectors: [{keys: [1]}]".into(),
            "expected a string",
        ),
    ] {
        for text in [classic(&settings), typed(&settings)] {
            let found = findings(&text);
            assert!(found[0].contains(expected), "{text}: {found:#?}");
        }
    }
    for (text, expected) in [
        (
            classic("allow_redundant_keys: true"),
            "lb_subset_config.allow_redundant_keys: unknown field",
        ),
        (
            classic("locality_weight_aware: true"),
            "locality_weight_aware requires locality_weighted_lb_config",
        ),
        (
            cluster("", "type: ORIGINAL_DST\nlb_policy: CLUSTER_PROVIDED\nlb_subset_config: {subset_selectors: [{keys: [a]}]}")
                .replace("load_assignment", "metadata"),
            "subsets are not allowed with CLUSTER_PROVIDED",
        ),
        (
            cluster("", &format!("load_balancing_policy: {}", policy("subset.v3.Subset", ""))),
            "subset_lb_policy: required field is missing",
        ),
    ] {
        let found = findings(&text);
        assert!(found.iter().any(|f| f.contains(expected)), "{text}: {found:#?}");
    }
}

#[test]
fn settings_without_effect_get_a_warning() {
    for (settings, expected) in [
        (
            "subset_selectors: [{keys: [a]}], fallback_policy: DEFAULT_SUBSET",
            "default_subset is empty",
        ),
        (
            "subset_selectors: [{keys: [a, b]}, {keys: [b, a]}]",
            "duplicate selector keys, first defined at line 3",
        ),
        (
            "subset_selectors: [{}]",
            "selector without keys has no effect",
        ),
    ] {
        let found = config(&classic(settings)).warnings;
        assert_eq!(found.len(), 1, "{settings}: {found:#?}");
        assert!(
            found[0].message.contains(expected),
            "{settings}: {}",
            found[0]
        );
    }
    let inner = policy(
        "subset.v3.Subset",
        &format!("subset_lb_policy: {}", policy("random.v3.Random", "")),
    );
    let nested = policy(
        "subset.v3.Subset",
        &format!("subset_selectors: [{{keys: [a]}}], subset_lb_policy: {inner}"),
    );
    let found = config(&cluster("", &format!("load_balancing_policy: {nested}")));
    assert!(
        found.warnings[0]
            .message
            .contains("a Subset policy inside another is not modeled")
    );
}

#[test]
fn lists_that_multiply_are_bounded() {
    let list = |count: usize| {
        let items: Vec<String> = (0..count).map(|n| n.to_string()).collect();
        format!("[{}]", items.join(", "))
    };
    let text = |count: usize, settings: &str| {
        let metadata = format!("a: {}, b: {}", list(count), list(count));
        let selectors = "subset_selectors: [{keys: [a, b]}]";
        cluster(
            &metadata,
            &format!("lb_subset_config: {{{selectors}{settings}}}"),
        )
    };
    assert_eq!(
        findings(&text(64, ", list_as_any: true")),
        Vec::<String>::new()
    );
    assert_eq!(findings(&text(65, "")), Vec::<String>::new());
    let found = read(&text(65, ", list_as_any: true"), Format::Yaml).unwrap_err();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].code, "config/too-large");
    assert_eq!(found[0].position.unwrap().line, 2);
}

#[test]
fn selectors_are_bounded() {
    let text = |count: usize| {
        let mut selectors = String::new();
        for number in 0..count {
            write!(selectors, "{{\"keys\":[\"k{number}\"]}},").unwrap();
        }
        selectors.pop();
        format!("{{\"name\":\"c\",\"lb_subset_config\":{{\"subset_selectors\":[{selectors}]}}}}")
    };
    assert!(read(&text(65_536), Format::Json).is_ok());
    let found = read(&text(65_537), Format::Json).unwrap_err();
    assert_eq!(found.len(), 1);
    assert!(
        found[0]
            .to_string()
            .contains("too many selectors; expected at most 65536")
    );
}

#[test]
fn endpoints_and_selectors_are_bounded_together() {
    let text = |hosts: usize| {
        let mut list = String::new();
        for _ in 0..hosts {
            list.push_str(r#"{"endpoint":{"address":{"pipe":{"path":"/a"}}}},"#);
        }
        list.pop();
        let selectors: Vec<String> = (0..50_000)
            .map(|number| format!(r#"{{"keys":["k{number}"]}}"#))
            .collect();
        format!(
            r#"{{"name":"c","load_assignment":{{"cluster_name":"c","endpoints":[{{"lb_endpoints":[{list}]}}]}},"lb_subset_config":{{"subset_selectors":[{}]}}}}"#,
            selectors.join(",")
        )
    };
    assert!(read(&text(2000), Format::Json).is_ok());
    let found = read(&text(2001), Format::Json).unwrap_err();
    assert_eq!(found.len(), 1);
    assert!(
        found[0]
            .to_string()
            .ends_with("found 2001 endpoints, 50000 selectors, expected at most 100000000 pairs")
    );
}

#[test]
fn metadata_nested_too_deep_is_an_error() {
    let value = format!("{}1{}", "[".repeat(1000), "]".repeat(1000));
    let subsets = format!("{{\"default_subset\": {{\"a\": {value}}}}}");
    let text = format!("{{\"name\": \"c\", \"lb_subset_config\": {subsets}}}");
    let found = read(&text, Format::Json).unwrap_err();
    assert_eq!(found[0].code, "config/too-deep");
}
