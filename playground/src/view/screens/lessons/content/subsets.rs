//! Subsets and fallbacks.

use spillgate_core::model::{
    HealthStatus, Metadata, PlainCluster, Priority, SelectorFallback, SubsetConfig, SubsetFallback,
    SubsetSelector, Value,
};
use spillgate_scenario::PriorityAt;

use super::value;
use crate::view::screens::lessons::{
    Lesson, LessonCell, LessonCell::Hosts, LessonClaim, LessonControl, LessonFigure, LessonOption,
    LessonResult, LessonRow, LessonSetup, LessonTable, LessonValues, claim::hosts_text,
    setup::endpoint,
};

pub(super) static LESSON: Lesson = Lesson {
    name: "subsets",
    title: "Subsets and fallbacks",
    text: "A route can ask for metadata of hosts. A subset selector lists the keys that a route may ask for together. If \
           no subset has the criteria, a fallback applies: NO_FALLBACK (503), ANY_ENDPOINT (all hosts) or DEFAULT_SUBSET. A \
           selector can have a fallback of its own.",
    question: "The selectors are [v, stage] and [stage], the fallback is DEFAULT_SUBSET with stage: prod. A route asks for v: 1.1. \
               Which hosts serve?",
    options: &[
        LessonOption {
            claim: LessonClaim::Hosts(&[2]),
            thought: "You searched the hosts for v: 1.1. Envoy only finds subsets of a selector, and none has the key v alone.",
        },
        LessonOption {
            claim: LessonClaim::Hosts(&[0, 1]),
            thought: "",
        },
        LessonOption {
            claim: LessonClaim::Hosts(&[0, 1, 2, 3]),
            thought: "That is ANY_ENDPOINT. This cluster has DEFAULT_SUBSET.",
        },
        LessonOption {
            claim: LessonClaim::Hosts(&[]),
            thought: "That is NO_FALLBACK, Envoy's default. This cluster has DEFAULT_SUBSET.",
        },
    ],
    note: "",
    controls: &[
        LessonControl {
            label: "fallback",
            name: "Fallback policy of the cluster",
            initial: 2,
            values: LessonValues::Texts(&["NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"]),
        },
        LessonControl {
            label: "criteria",
            name: "Criteria of the route",
            initial: 6,
            values: LessonValues::Texts(&[
                "stage: canary",
                "v: 1.2-pre, stage: dev",
                "v: 1.0",
                "other: x",
                "none",
                "stage: test",
                "v: 1.1",
            ]),
        },
    ],
    setup,
    explain,
    figure: LessonFigure::Hosts,
    tables: &[LessonTable {
        caption: "The fallback is DEFAULT_SUBSET",
        page: "load_balancing/subsets",
        inputs: &[(1, "criteria")],
        outputs: &["hosts"],
        figures,
        rows: &[
            LessonRow::new(&[2, 0], &[Hosts(&[2])]),
            LessonRow::new(&[2, 1], &[Hosts(&[3])]),
            LessonRow::new(&[2, 2], &[Hosts(&[0, 1])]),
            LessonRow::new(&[2, 3], &[Hosts(&[0, 1])]),
            LessonRow::new(&[2, 4], &[Hosts(&[0, 1])]),
            LessonRow {
                values: &[2, 5],
                documented: &[Hosts(&[])],
                differs: "Envoy ignores the fallback of [stage], because [v, stage] comes before it and has the same \
                          first key in alphabetical order.",
            },
        ],
        free: &[],
    }],
    marked: &[
        "lb_subset_config",
        "fallback_policy",
        "default_subset",
        "subset_selectors",
        "keys:",
        "{keys:",
        "metadata_match",
        "metadata:",
    ],
};

/// The metadata of the hosts: `v` and `stage`.
const HOSTS: [[&str; 2]; 4] = [
    ["1.0", "prod"],
    ["1.0", "prod"],
    ["1.1", "canary"],
    ["1.2-pre", "dev"],
];

/// The criteria that the control lists.
const CRITERIA: [&[(&str, &str)]; 7] = [
    &[("stage", "canary")],
    &[("v", "1.2-pre"), ("stage", "dev")],
    &[("v", "1.0")],
    &[("other", "x")],
    &[],
    &[("stage", "test")],
    &[("v", "1.1")],
];

fn metadata(fields: &[(&'static str, &'static str)]) -> Metadata {
    let fields = fields.iter();
    Metadata::new(fields.map(|&(key, value)| (key, Value::Text(value.into()))))
}

fn setup(values: &[u32]) -> LessonSetup {
    let at = PriorityAt {
        cluster: 0,
        priority: 0,
    };
    let hosts = HOSTS.iter().enumerate().map(|(number, [v, stage])| {
        let mut host = endpoint(at, number, HealthStatus::Unknown);
        host.metadata = metadata(&[("v", v), ("stage", stage)]);
        host
    });
    let selectors = [
        SubsetSelector::new(["v", "stage"], SelectorFallback::NotDefined, false),
        SubsetSelector::new(["stage"], SelectorFallback::NoFallback, false),
    ];
    let plain = PlainCluster {
        subsets: Some(SubsetConfig {
            selectors: selectors.into_iter().flatten().collect(),
            fallback: match value(values, 0) {
                0 => SubsetFallback::NoFallback,
                1 => SubsetFallback::AnyEndpoint,
                _ => SubsetFallback::DefaultSubset,
            },
            default_subset: metadata(&[("stage", "prod")]),
            ..SubsetConfig::default()
        }),
        priorities: vec![Priority::single_locality(hosts.collect())],
        ..PlainCluster::default()
    };
    let criteria = CRITERIA.get(value(values, 1) as usize).copied();
    LessonSetup {
        criteria: metadata(criteria.unwrap_or_default()),
        ..LessonSetup::one(plain)
    }
}

fn explain(result: &LessonResult) -> String {
    format!(
        "No selector has exactly the key v, so Envoy finds no subset, although host3 has v: 1.1. The fallback applies, and the \
         default subset serves: {}.",
        hosts_text(result.serving_hosts()),
    )
}

fn figures(lesson: &Lesson, values: &[u32]) -> Vec<LessonCell> {
    let hosts: Vec<usize> = lesson.result(values).serving_hosts().collect();
    vec![LessonCell::Text(hosts_text(hosts.into_iter()))]
}
