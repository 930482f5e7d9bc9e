//! Load-balancing policies of clusters: what is read in classic and typed form, and what is
//! rejected.

use core::time::Duration;

use crate::common::{self, assert_found, policy};
use spillgate_config::envoy::{EnvoyConfig, Format, read};
use spillgate_core::model::{
    ClusterKind, LeastRequestConfig, LocalityBasis, LocalityLb, PlainCluster, Policy,
    SelectionMethod, SlowStart, ZoneAware,
};

const HEAD: &str = "name: c\nload_assignment: {cluster_name: c, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}\n";

/// The cluster `c` with something more.
fn text(more: &str) -> String {
    format!("{HEAD}{more}\n")
}

fn config(more: &str) -> EnvoyConfig {
    common::config(&text(more))
}

fn plain(more: &str) -> PlainCluster {
    common::plain(&config(more)).clone()
}

fn typed(name: &str, settings: &str) -> String {
    format!("load_balancing_policy: {}", policy(name, settings))
}

fn load_aware(child: &str) -> String {
    let child = policy(child, "");
    typed(LOAD_AWARE, &format!("endpoint_picking_policy: {child}"))
}

fn findings(more: &str) -> Vec<String> {
    common::findings(&text(more))
}

const ROUND_ROBIN: &str = "round_robin.v3.RoundRobin";
const LOAD_AWARE: &str = "load_aware_locality.v3.LoadAwareLocality";
const LEAST: &str = "least_request.v3.LeastRequest";
const RING: &str = "ring_hash.v3.RingHash";
const CLIENT_SIDE: &str = "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";

#[test]
fn least_request_in_both_forms() {
    let least = |selection, bias| Policy::LeastRequest(LeastRequestConfig::new(selection, bias));
    let choices = SelectionMethod::Choices;
    for (text, expected) in [
        ("lb_policy: LEAST_REQUEST".into(), least(choices(2), 1.0)),
        (
            "lb_policy: LEAST_REQUEST\nleast_request_lb_config: {choice_count: 5, active_request_bias: {default_value: 0.5}}".into(),
            least(choices(5), 0.5),
        ),
        (
            "lb_policy: LEAST_REQUEST\nleast_request_lb_config: {active_request_bias: {}}".into(),
            least(choices(2), 0.0),
        ),
        (typed(LEAST, "choice_count: {value: 3}"), least(choices(3), 1.0)),
        (typed(LEAST, "selection_method: FULL_SCAN"), least(SelectionMethod::FullScan, 1.0)),
        (
            typed(LEAST, "enable_full_scan: true, selection_method: N_CHOICES"),
            least(SelectionMethod::FullScan, 1.0),
        ),
    ] {
        assert_eq!(plain(&text).policy, expected, "{text}");
    }
}

#[test]
fn slow_start_in_both_forms() {
    let start =
        |ms, aggression, percent| SlowStart::new(Duration::from_millis(ms), aggression, percent);
    for (text, expected) in [
        (
            "round_robin_lb_config: {slow_start_config: {slow_start_window: 60s, aggression: {default_value: 2}, min_weight_percent: {value: 5}}}".into(),
            start(60_000, 2.0, 5.0),
        ),
        (
            "lb_policy: LEAST_REQUEST\nleast_request_lb_config: {slow_start_config: {slow_start_window: 1.5s}}".into(),
            start(1500, 1.0, 10.0),
        ),
        (
            typed(ROUND_ROBIN, "slow_start_config: {slow_start_window: 1s, min_weight_percent: {}}"),
            start(1000, 1.0, 0.0),
        ),
        // Envoy counts whole milliseconds; a shorter window is 0, which disables slow start.
        (typed(LEAST, "slow_start_config: {slow_start_window: 0.0009s}"), None),
        (typed(LEAST, "slow_start_config: {}"), None),
        // These are settings of another policy.
        (
            "lb_policy: RANDOM\nround_robin_lb_config: {slow_start_config: {slow_start_window: 60s}}".into(),
            None,
        ),
    ] {
        assert_eq!(plain(&text).slow_start, expected, "{text}");
    }
}

#[test]
fn zones_in_both_forms() {
    let zones = |zone_aware| LocalityLb::ZoneAware(zone_aware);
    let typed_zones = |settings: &str| {
        typed(
            ROUND_ROBIN,
            &format!("locality_lb_config: {{zone_aware_lb_config: {{{settings}}}}}"),
        )
    };
    let force = |force_local_zone| {
        zones(ZoneAware {
            force_local_zone,
            ..ZoneAware::DEFAULT
        })
    };
    for (text, expected) in [
        (String::new(), zones(ZoneAware::DEFAULT)),
        (
            "common_lb_config: {zone_aware_lb_config: {routing_enabled: {value: 66.9}, min_cluster_size: 18446744073709551615, fail_traffic_on_panic: true}}".into(),
            zones(ZoneAware {
                routing_enabled: 66,
                min_cluster_size: u64::MAX,
                fail_traffic_on_panic: true,
                ..ZoneAware::DEFAULT
            }),
        ),
        (
            "common_lb_config: {locality_weighted_lb_config: {}}".into(),
            LocalityLb::Weighted,
        ),
        (typed_zones("force_local_zone: {}"), force(Some(1))),
        (typed_zones("force_local_zone: {min_size: 4}, force_locality_direct_routing: true"), force(Some(4))),
        (typed_zones("force_locality_direct_routing: true"), force(Some(1))),
        (typed_zones("force_locality_direct_routing: false"), force(None)),
        (
            typed_zones("locality_basis: HEALTHY_HOSTS_WEIGHT"),
            zones(ZoneAware {
                locality_basis: LocalityBasis::HealthyHostsWeight,
                ..ZoneAware::DEFAULT
            }),
        ),
        (
            typed(LEAST, "locality_lb_config: {locality_weighted_lb_config: {}}"),
            LocalityLb::Weighted,
        ),
        (typed(RING, "locality_weighted_lb_config: {}"), LocalityLb::Weighted),
        // A hash policy ignores zones.
        (
            "lb_policy: MAGLEV\ncommon_lb_config: {zone_aware_lb_config: {fail_traffic_on_panic: true}}".into(),
            LocalityLb::default(),
        ),
    ] {
        assert_eq!(plain(&text).locality_lb, expected, "{text}");
    }
}

#[test]
fn balance_factors_and_policies_of_hash_balancers() {
    for (text, factor, policies) in [
        (
            "lb_policy: RING_HASH\ncommon_lb_config: {consistent_hashing_lb_config: {hash_balance_factor: 150}}".into(),
            Some(150),
            0,
        ),
        (typed(RING, "hash_balance_factor: 120"), Some(120), 0),
        (typed(RING, "hash_balance_factor: 0"), None, 0),
        // The newer message replaces the older field, even if it is empty.
        (
            typed(RING, "hash_balance_factor: 120, consistent_hashing_lb_config: {hash_policy: [{header: {header_name: x-a}}]}"),
            None,
            1,
        ),
        (
            typed("maglev.v3.Maglev", "consistent_hashing_lb_config: {hash_balance_factor: 100}"),
            Some(100),
            0,
        ),
        // Other policies ignore it.
        (
            "common_lb_config: {consistent_hashing_lb_config: {hash_balance_factor: 150}}".into(),
            None,
            0,
        ),
    ] {
        let plain = plain(&text);
        let found = plain.hash_balance_factor.map(|factor| factor.percent());
        assert_eq!((found, plain.hash_policies.len()), (factor, policies), "{text}");
    }
}

#[test]
fn weights_of_reports() {
    let settings = "blackout_period: 10s, weight_expiration_period: 180s, error_utilization_penalty: 1.0, metric_names_for_computing_utilization: [named_metrics.a]";
    let alone = plain(&typed(CLIENT_SIDE, settings));
    assert_eq!(alone.policy, Policy::ClientSideWeightedRoundRobin);
    assert_eq!(alone.locality_lb, LocalityLb::default());
    let child = policy(CLIENT_SIDE, "");
    let weighted = typed(
        "wrr_locality.v3.WrrLocality",
        &format!("endpoint_picking_policy: {child}"),
    );
    let found = config(&weighted);
    assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
    assert_eq!(found.warnings[0].code, "config/reported-weights");
    let plain = plain(&weighted);
    assert_eq!(plain.policy, Policy::ClientSideWeightedRoundRobin);
    assert_eq!(plain.locality_lb, LocalityLb::Weighted);
}

#[test]
fn the_first_known_policy_is_used() {
    let list = |items: &[&str]| {
        format!(
            "load_balancing_policy: {{policies: [{}]}}",
            items.join(", ")
        )
    };
    let item = |typed_config: &str| {
        format!("{{typed_extension_config: {{name: p, typed_config: {{{typed_config}}}}}}}")
    };
    let prefix = "type.googleapis.com/envoy.extensions.load_balancing_policies.";
    let random = item(&format!("\"@type\": {prefix}random.v3.Random"));
    let maglev = item(&format!("\"@type\": {prefix}maglev.v3.Maglev"));
    let boxed = item(&format!(
        "\"@type\": type.googleapis.com/xds.type.v3.TypedStruct, type_url: {prefix}maglev.v3.Maglev, value: {{table_size: 7}}"
    ));
    let foreign =
        item("\"@type\": type.googleapis.com/xds.type.v3.TypedStruct, type_url: a/b.C, value: {}");
    for (items, expected) in [
        ([&random, &maglev], "RANDOM"),
        ([&boxed, &random], "MAGLEV"),
        ([&foreign, &random], "RANDOM"),
        ([&"{}".to_owned(), &maglev], "MAGLEV"),
    ] {
        let text = list(&items.map(String::as_str));
        assert_eq!(plain(&text).policy.name(), expected, "{text}");
    }
    let found = findings(&list(&[&foreign]));
    assert!(
        found[0].contains("no known policy in the list"),
        "{found:?}"
    );
    let found = findings(&typed("maglev.v3.Magleff", ""));
    assert!(
        found[0].ends_with("(did you mean maglev.v3.Maglev?)"),
        "{found:?}"
    );
}

#[test]
fn settings_that_envoy_rejects_are_rejected() {
    let round_robin = typed(ROUND_ROBIN, "");
    for (text, expected) in [
        (
            "lb_policy: LEAST_REQUEST\nleast_request_lb_config: {choice_count: 1}".into(),
            "config/value: least_request_lb_config.choice_count: out of range; found 1, expected an integer from 2 to 4294967295",
        ),
        (
            "round_robin_lb_config: {slow_start_config: {min_weight_percent: {value: 101}}}".into(),
            "config/value: round_robin_lb_config.slow_start_config.min_weight_percent.value: out of range; found 101, expected a number from 0 to 100",
        ),
        (
            "common_lb_config: {zone_aware_lb_config: {force_local_zone: {}}}".into(),
            "config/unknown-field: common_lb_config.zone_aware_lb_config.force_local_zone: unknown field in Cluster.CommonLbConfig.ZoneAwareLbConfig",
        ),
        (
            "common_lb_config: {zone_aware_lb_config: {}, locality_weighted_lb_config: {}}".into(),
            "config/one-of: common_lb_config.locality_weighted_lb_config: zone_aware_lb_config and locality_weighted_lb_config are mutually exclusive",
        ),
        (
            "lb_policy: MAGLEV\ncommon_lb_config: {consistent_hashing_lb_config: {hash_balance_factor: 0}}".into(),
            "config/value: common_lb_config.consistent_hashing_lb_config.hash_balance_factor: out of range; found 0, expected an integer from 100 to 4294967295",
        ),
        (
            "lb_policy: MAGLEV\ncommon_lb_config: {consistent_hashing_lb_config: {hash_policy: []}}".into(),
            "config/unknown-field: common_lb_config.consistent_hashing_lb_config.hash_policy: unknown field in Cluster.CommonLbConfig.ConsistentHashingLbConfig",
        ),
        (
            format!("{round_robin}\nlb_subset_config: {{}}"),
            "config/one-of: lb_subset_config: not allowed with load_balancing_policy; found an empty object",
        ),
        (
            format!("{round_robin}\ncommon_lb_config: {{locality_weighted_lb_config: {{}}}}"),
            "config/one-of: common_lb_config.locality_weighted_lb_config: not allowed with load_balancing_policy; found an empty object",
        ),
        (
            typed("cluster_provided.v3.ClusterProvided", ""),
            "config/lb-policy: load_balancing_policy: this cluster type does not support CLUSTER_PROVIDED; found an object with \"policies\"",
        ),
        (
            typed("wrr_locality.v3.WrrLocality", &format!("endpoint_picking_policy: {}", policy(ROUND_ROBIN, ""))),
            "policy is not allowed inside this one; found an object with \"policies\", expected ClientSideWeightedRoundRobin",
        ),
        (
            typed("wrr_locality.v3.WrrLocality", ""),
            "endpoint_picking_policy: required field is missing",
        ),
        (
            typed("override_host.v3.OverrideHost", &format!("fallback_policy: {}", policy(ROUND_ROBIN, ""))),
            "override_host_sources: no override host source",
        ),
        (
            typed("override_host.v3.OverrideHost", &format!("override_host_sources: [{{header: a}}], fallback_policy: {}", policy("cluster_provided.v3.ClusterProvided", ""))),
            "ClusterProvided is not allowed inside another policy",
        ),
        (
            typed(CLIENT_SIDE, "error_utilization_penalty: -1"),
            "error_utilization_penalty: out of range; found -1, expected at least 0",
        ),
        (typed(LOAD_AWARE, ""), "endpoint_picking_policy: required field is missing"),
        (
            typed(LOAD_AWARE, &format!("endpoint_picking_policy: {}, utilization_variance_threshold: 1.1", policy(ROUND_ROBIN, ""))),
            "utilization_variance_threshold: out of range; found \"1.1\", expected 0 to 1",
        ),
        (
            typed(LOAD_AWARE, &format!("endpoint_picking_policy: {}, remote_probe_fraction: 1", policy(ROUND_ROBIN, ""))),
            "remote_probe_fraction: out of range; found 1, expected 0 to below 1",
        ),
        (
            typed(LOAD_AWARE, &format!("endpoint_picking_policy: {}, weight_update_period: 0.01s", policy(ROUND_ROBIN, ""))),
            "weight_update_period: out of range; found \"0.01s\", expected at least 0.1s",
        ),
        (
            typed(LOAD_AWARE, &format!("endpoint_picking_policy: {}, smoothing_time_constant: 0s", policy(ROUND_ROBIN, ""))),
            "smoothing_time_constant: out of range; found \"0s\", expected more than 0s",
        ),
    ] {
        assert_found(&self::text(&text), expected);
    }
}

#[test]
fn cluster_types_with_their_own_policy_require_it() {
    let aggregate = |policy: &str| {
        format!(
            "- {{name: b, load_assignment: {{cluster_name: b, endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{pipe: {{path: /a}}}}}}}}]}}]}}}}\n- name: a\n  {policy}\n  cluster_type: {{name: envoy.clusters.aggregate, typed_config: {{\"@type\": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [b]}}}}\n"
        )
    };
    let original = |policy: &str| format!("name: c\ntype: ORIGINAL_DST\n{policy}\n");
    let provided = typed("cluster_provided.v3.ClusterProvided", "");
    let round_robin = typed(ROUND_ROBIN, "");
    let classic = "lb_policy: CLUSTER_PROVIDED";
    let fault = |text: &str| {
        let found = read(text, Format::Yaml);
        found.err().map(|faults| {
            assert_eq!(faults.len(), 1, "{faults:#?}");
            faults[0].message.clone()
        })
    };
    let aggregate_fault = Some("this cluster type requires CLUSTER_PROVIDED".to_owned());
    let original_fault = Some("this cluster type requires CLUSTER_PROVIDED".to_owned());
    assert_eq!(fault(&aggregate(classic)), None);
    assert_eq!(fault(&aggregate(&provided)), None);
    assert_eq!(fault(&aggregate(&round_robin)), aggregate_fault);
    assert_eq!(fault(&aggregate("lb_policy: MAGLEV")), aggregate_fault);
    assert_eq!(fault(&original(classic)), None);
    assert_eq!(fault(&original(&format!("{classic}\n{provided}"))), None);
    assert_eq!(
        fault(&original(&format!("{classic}\n{round_robin}"))),
        original_fault
    );
    assert_eq!(fault(&original(&provided)), original_fault);
    // The typed policy replaces the classic one, so this is a plain cluster.
    assert_eq!(
        plain(&format!("{classic}\n{round_robin}")).policy,
        Policy::RoundRobin
    );
}

#[test]
fn settings_with_surprising_effects_get_a_warning() {
    for (text, expected) in [
        (
            "lb_policy: LEAST_REQUEST\nleast_request_lb_config: {active_request_bias: {default_value: 1, runtime_key: a.b}}".into(),
            "config/runtime-key",
        ),
        (
            "lb_policy: LEAST_REQUEST\nleast_request_lb_config: {active_request_bias: {default_value: -1}}".into(),
            "config/value: least_request_lb_config.active_request_bias.default_value: out of range; Envoy uses 1; found -1, expected at least 0",
        ),
        (
            typed(ROUND_ROBIN, "slow_start_config: {slow_start_window: 1s, aggression: {default_value: 0}}"),
            "out of range; Envoy uses 1; found 0, expected a number above 0",
        ),
        (
            "lb_policy: MAGLEV\nleast_request_lb_config: {}".into(),
            "config/no-effect: least_request_lb_config: least_request_lb_config has no effect with this lb_policy",
        ),
        (
            "lb_policy: MAGLEV\ncommon_lb_config: {zone_aware_lb_config: {}}".into(),
            "zone_aware_lb_config has no effect with hash policies",
        ),
        (
            "health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]"
                .into(),
            "health_checks are not simulated",
        ),
        ("outlier_detection: {}".into(), "outlier_detection is not simulated"),
        ("preconnect_policy: {}".into(), "preconnect_policy is not modeled"),
        (
            "common_lb_config: {ignore_new_hosts_until_first_hc: true}".into(),
            "ignore_new_hosts_until_first_hc is not simulated",
        ),
        (
            typed("peak_ewma.v3alpha.PeakEwma", ""),
            "policy peak_ewma is not modeled; using ROUND_ROBIN",
        ),
        (
            load_aware("round_robin.v3.RoundRobin"),
            "the utilization that hosts report is not in the input",
        ),
        (
            load_aware("ring_hash.v3.RingHash"),
            "policy load_aware_locality.v3.LoadAwareLocality around this endpoint_picking_policy is \
             not modeled; using the inner policy for all hosts",
        ),
    ] {
        let found = config(&text).warnings;
        assert_eq!(found.len(), 1, "{text}: {found:#?}");
        assert!(found[0].to_string().contains(expected), "{text}: {}", found[0]);
    }
    assert_eq!(
        config("common_lb_config: {ignore_new_hosts_until_first_hc: false}").warnings,
        []
    );
}

#[test]
fn places_of_settings() {
    let text = "\
round_robin_lb_config:
  slow_start_config:
    slow_start_window: 60s
common_lb_config:
  zone_aware_lb_config:
    min_cluster_size: 3
";
    let config = config(text);
    let marks = config.marks.cluster("c").unwrap();
    assert_eq!(marks.slow_start.unwrap().line, 5);
    assert_eq!(marks.locality_lb.unwrap().line, 8);
    assert_eq!(marks.hash_balance_factor, None);
}

#[test]
fn every_setting_at_once() {
    let config = read(include_str!("fixtures/settings.yaml"), Format::Yaml).unwrap();
    let names: Vec<_> = config
        .model
        .clusters()
        .iter()
        .map(|cluster| match &cluster.kind {
            ClusterKind::Plain(plain) => plain.policy.name(),
            ClusterKind::Aggregate(_) => "aggregate",
            ClusterKind::Composite(_) => "composite",
            ClusterKind::OriginalDst(_) => "original",
        })
        .collect();
    assert_eq!(
        names,
        [
            "ROUND_ROBIN",
            "LEAST_REQUEST",
            "RING_HASH",
            "LEAST_REQUEST",
            "MAGLEV",
            "CLIENT_SIDE_WEIGHTED_ROUND_ROBIN",
            "original",
        ]
    );
    let codes: Vec<_> = config.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(
        codes,
        [
            "config/unknown-policy",
            "config/reported-weights",
            "config/original-dst",
            "config/not-modeled",
        ],
        "{:#?}",
        config.warnings
    );
}

fn ours(options: &str) -> String {
    format!("metadata: {{filter_metadata: {{spillgate: {{{options}}}}}}}")
}

#[test]
fn our_options_are_in_the_metadata_of_the_cluster() {
    let rendezvous = ours("lb_policy: RENDEZVOUS");
    let read = plain(&format!(
        "lb_policy: MAGLEV\ncommon_lb_config: {{locality_weighted_lb_config: {{}}}}\n{rendezvous}"
    ));
    assert_eq!(read.policy, Policy::Rendezvous);
    assert_eq!(read.locality_lb, LocalityLb::default());
    assert_eq!(
        plain("metadata: {filter_metadata: {other: {a: 1}}}").policy,
        Policy::RoundRobin
    );
    assert_eq!(
        findings(&ours("lb_polcy: RENDEZVOUS")),
        [
            "config/unknown-field: metadata.filter_metadata.spillgate.lb_polcy: \
          unknown field in the options of Spillgate (did you mean lb_policy?)"
        ]
    );
    assert!(findings(&ours("lb_policy: MAGLEV"))[0].starts_with("config/unknown-value"));
}

#[test]
fn nested_aggregates_are_a_warning_unless_they_are_flattened() {
    let kind = |members: &str| {
        format!(
            "lb_policy: CLUSTER_PROVIDED, cluster_type: {{name: envoy.clusters.aggregate, typed_config: \
             {{\"@type\": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [{members}]}}}}"
        )
    };
    let text = |options: &str| {
        format!(
            "- {{name: top, {}, {options}}}\n- {{name: inner, {}}}\n- {{name: leaf, load_assignment: {{cluster_name: leaf, \
             endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}}}]}}]}}}}\n",
            kind("inner"),
            kind("leaf"),
        )
    };
    let nested = read(&text("connect_timeout: 1s"), Format::Yaml).unwrap();
    assert_eq!(nested.warnings[0].code, "config/aggregate-nested");
    let flat = read(&text(&ours("flatten_aggregates: true")), Format::Yaml).unwrap();
    assert_eq!(flat.warnings, []);
    match &flat.model.cluster("top").unwrap().kind {
        ClusterKind::Aggregate(aggregate) => assert!(aggregate.flatten),
        other => panic!("{other:?}"),
    }
}
