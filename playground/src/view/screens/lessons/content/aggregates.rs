//! Aggregate clusters.

use spillgate_core::model::{AggregateCluster, Cluster, ClusterKind, PanicThreshold, PlainCluster};
use spillgate_scenario::whole;

use super::value;
use crate::view::screens::lessons::{
    Lesson, LessonCell,
    LessonCell::Percent as P,
    LessonClaim, LessonControl, LessonFigure, LessonOption, LessonResult, LessonRow, LessonSetup,
    LessonTable,
    result::rounded,
    setup::{ZoneHosts, plain},
};

pub(super) static LESSON: Lesson = Lesson {
    name: "aggregates",
    title: "Aggregate clusters",
    text: "An aggregate cluster is a list of clusters. Envoy puts their priorities into one sequence: those of the first \
           cluster, then those of the next.",
    question: "Each priority has 100 hosts. In primary, 50 are healthy in P0 and none in P1 and P2. In secondary, 50 are \
               healthy in P0 and none in P1. Where do the requests go?",
    options: &[
        LessonOption {
            claim: LessonClaim::Members(&[("primary", 100), ("secondary", 0)]),
            thought: "You expected secondary to wait until primary has no host. gRPC does that.",
        },
        LessonOption {
            claim: LessonClaim::Members(&[("primary", 50), ("secondary", 50)]),
            thought: "You compared the clusters. The first one takes all that it has capacity for.",
        },
        LessonOption {
            claim: LessonClaim::Members(&[("primary", 70), ("secondary", 30)]),
            thought: "",
        },
        LessonOption {
            claim: LessonClaim::Members(&[("primary", 0), ("secondary", 100)]),
            thought: "You expected the whole cluster to move. Spillover works across clusters as within one.",
        },
    ],
    note: "gRPC (gRFC A75) builds the same sequence, but uses only its first priority with a usable host.",
    controls: &[
        LessonControl::healthy("primary P0", "Healthy hosts of primary P0, of 100", 50),
        LessonControl::healthy("primary P1", "Healthy hosts of primary P1, of 100", 0),
        LessonControl::healthy("primary P2", "Healthy hosts of primary P2, of 100", 0),
        LessonControl::healthy("secondary P0", "Healthy hosts of secondary P0, of 100", 50),
        LessonControl::healthy("secondary P1", "Healthy hosts of secondary P1, of 100", 0),
    ],
    setup,
    explain,
    figure: LessonFigure::Spillway,
    tables: &[LessonTable {
        caption: "Healthy hosts and traffic, with panic mode off",
        page: "aggregate_cluster",
        inputs: &[
            (0, "primary P0"),
            (1, "P1"),
            (2, "P2"),
            (3, "secondary P0"),
            (4, "P1"),
        ],
        outputs: &["to primary", "to secondary"],
        figures,
        rows: &[
            LessonRow::new(&[100, 100, 100, 100, 100], &[P(100), P(0)]),
            LessonRow::new(&[72, 100, 100, 100, 100], &[P(100), P(0)]),
            LessonRow::new(&[71, 1, 0, 100, 100], &[P(100), P(0)]),
            LessonRow::new(&[71, 0, 0, 100, 100], &[P(99), P(1)]),
            LessonRow::new(&[50, 0, 0, 50, 0], &[P(70), P(30)]),
            LessonRow::new(&[20, 20, 10, 25, 25], &[P(70), P(30)]),
            LessonRow::new(&[20, 0, 0, 20, 0], &[P(50), P(50)]),
            LessonRow::new(&[0, 0, 0, 100, 0], &[P(0), P(100)]),
            LessonRow::new(&[0, 0, 0, 72, 0], &[P(0), P(100)]),
        ],
        free: &[],
    }],
    marked: &[
        "cluster_type",
        "name: envoy.clusters.aggregate",
        "clusters: [",
        "lb_policy: CLUSTER",
        "priority:",
    ],
};

fn setup(values: &[u32]) -> LessonSetup {
    let off = PanicThreshold::from_percent(0.0);
    let zone = |name, at| [ZoneHosts::healthy(name, value(values, at))];
    let member = |name: &str, number, zones: &[&[ZoneHosts]]| {
        Cluster::plain(
            name,
            PlainCluster {
                panic_threshold: off,
                ..plain(number, zones)
            },
        )
    };
    let aggregate = AggregateCluster {
        members: vec!["primary".into(), "secondary".into()],
        panic_threshold: off,
        flatten: false,
    };
    LessonSetup::of(vec![
        Cluster {
            name: "shop".into(),
            kind: ClusterKind::Aggregate(aggregate),
        },
        member("primary", 1, &[&zone("a", 0), &zone("b", 1), &zone("c", 2)]),
        member("secondary", 2, &[&zone("d", 3), &zone("e", 4)]),
    ])
}

fn explain(result: &LessonResult) -> String {
    format!(
        "Primary P0 has an availability of {} and takes {} of the requests. P1 and P2 have {} and {}, so {} spill over to \
         secondary P0. Each member also applies its own panic threshold to its hosts; here it is off.",
        whole(result.availability(0)),
        whole(result.load(0)),
        whole(result.availability(1)),
        whole(result.availability(2)),
        whole(result.load(3)),
    )
}

fn figures(lesson: &Lesson, values: &[u32]) -> Vec<LessonCell> {
    let result = lesson.result(values);
    result
        .members()
        .map(|(_, share)| P(rounded(share)))
        .collect()
}
