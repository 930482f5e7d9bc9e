//! Requests of the Trace screen for the shipped filter.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::time::Duration;

use spillgate_config::filter::{self, Criterion, FilterConfig, TargetConfig};
use spillgate_core::{
    affinity::TokenRules,
    model::{
        Cluster, ClusterKind, Metadata, PlainCluster, SelectorFallback, SlowStart, SubsetConfig,
        SubsetSelector, Value,
    },
};
use spillgate_export::{ExportSource, ShippedConfig, ShippedNeeds};
use spillgate_scenario::{EditedScenario, PRESETS, ShippedRequest, ShippedSession, preset};

/// The places of texts, as `www/filter.js` reads them.
const CONFIGURATION: usize = 0;
const NOW: usize = 2;
const HEADERS: usize = 7;

fn run(scenario: &EditedScenario, request: &ShippedRequest, criteria: &Metadata) -> Vec<String> {
    let model = scenario.model();
    let source = ExportSource {
        target: Some(scenario.name(scenario.root())),
        ..ExportSource::of(model)
    };
    let config = ShippedConfig::new(&source, ShippedNeeds::of(request)).unwrap();
    assert_eq!(config.warnings, []);
    config.run(request, criteria)
}

fn read(texts: &[String]) -> FilterConfig {
    filter::read(&texts[CONFIGURATION]).unwrap()
}

fn header<'a>(texts: &'a [String], name: &str) -> Option<&'a str> {
    let mut pairs = texts[HEADERS..].chunks(2);
    let pair = pairs.find(|pair| pair[0] == name)?;
    Some(&pair[1])
}

#[test]
fn the_configuration_has_the_clusters_and_reads_the_request() {
    for entry in PRESETS {
        let scenario = preset(entry.id).unwrap();
        let request = ShippedRequest {
            seed: 7,
            count: 1_000,
            key: "ann".into(),
            trace: true,
            ..ShippedRequest::default()
        };
        let texts = run(&scenario, &request, &Metadata::EMPTY);
        let config = read(&texts);
        assert_eq!(&config.model, scenario.model(), "{}", entry.id);
        let target = TargetConfig::Always(scenario.name(scenario.root()).into());
        assert_eq!(config.target, target);
        // No cluster has subsets.
        assert_eq!(config.criteria, []);
        assert_eq!(texts[1..=3], ["7", &texts[NOW], "1000"]);
        let trace = config.trace.unwrap();
        assert_eq!(texts[4], config.output.host_header);
        assert_eq!(texts[5], config.output.cluster_header);
        assert_eq!(texts[6], trace.header);
        let asked = header(&texts, &trace.when.header);
        assert_eq!(asked, Some(trace.when.value.as_str()));
        assert_eq!(header(&texts, "x-key"), Some("ann"));
        assert_eq!(header(&texts, "x-session"), None);
        assert!(config.affinity.is_none());
    }
}

/// The scenario with subsets by stage in all its clusters with hosts.
fn with_subsets(scenario: &EditedScenario) -> EditedScenario {
    let mut clusters = scenario.model().clone().into_clusters();
    for cluster in &mut clusters {
        if let ClusterKind::Plain(plain) = &mut cluster.kind {
            let selector = SubsetSelector::new(["stage"], SelectorFallback::NotDefined, false);
            plain.subsets = Some(SubsetConfig {
                selectors: vec![selector.unwrap()],
                ..SubsetConfig::default()
            });
        }
    }
    EditedScenario::new(clusters, scenario.root()).unwrap()
}

#[test]
fn a_session_has_a_token_that_the_filter_opens() {
    let scenario = with_subsets(&preset("shop").unwrap());
    let criteria = Metadata::new([("stage", Value::Text("prod".into()))]);
    let request = ShippedRequest {
        session: ShippedSession::Of {
            cluster: "shop-secondary".into(),
            address: "10.1.0.1:8080".into(),
        },
        ..ShippedRequest::default()
    };
    let texts = run(&scenario, &request, &criteria);
    let config = read(&texts);
    assert_eq!(config.criteria, [Criterion::RouteMetadata]);
    assert!(config.trace.is_none());
    assert_eq!(config.output.candidates, 1);
    let affinity = config.affinity.unwrap();
    assert_eq!(affinity.max_life, Duration::from_hours(24));
    let rules = TokenRules {
        now: texts[NOW].parse().unwrap(),
        scope: affinity.scope.as_deref().unwrap(),
        max_life: affinity.max_life.as_secs(),
        epoch: affinity.epoch,
    };
    let token = header(&texts, "x-session").unwrap();
    let opened = affinity.keys.open(token.as_bytes(), &rules).unwrap();
    let key = affinity.keys.first();
    assert_eq!(
        opened.token.host,
        key.host_id("shop-secondary", "10.1.0.1:8080")
    );
    let mut canonical = Vec::new();
    criteria.canonical(&mut canonical);
    assert_eq!(opened.token.subset, key.subset_id(&canonical));
    let new = ShippedRequest {
        session: ShippedSession::New,
        ..ShippedRequest::default()
    };
    let texts = run(&scenario, &new, &criteria);
    assert!(read(&texts).affinity.is_some());
    assert_eq!(header(&texts, "x-session"), None);
}

#[test]
fn settings_that_the_filter_does_not_support_are_named() {
    let mut plain: PlainCluster = preset("two-priorities").unwrap().plain(0).unwrap().clone();
    plain.slow_start = SlowStart::new(Duration::from_secs(10), 1.0, 10.0);
    let scenario = EditedScenario::new(vec![Cluster::plain("shop", plain)], 0).unwrap();
    let model = scenario.model();
    let source = ExportSource {
        target: Some("shop"),
        ..ExportSource::of(model)
    };
    let needs = ShippedNeeds::of(&ShippedRequest::default());
    let faults = ShippedConfig::new(&source, needs).unwrap_err();
    let [fault] = faults.as_slice() else {
        panic!("{faults:?}");
    };
    assert!(
        fault.position.is_none() && fault.to_string().contains("slow_start"),
        "{fault}"
    );
    let other = ExportSource {
        target: Some("stock"),
        ..source
    };
    assert!(ShippedConfig::new(&other, needs).is_err());
}
