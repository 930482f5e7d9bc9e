//! Loads if all priorities together have too few healthy hosts.

use spillgate_core::model::{PanicThreshold, PlainCluster};
use spillgate_scenario::whole;

use super::value;
use crate::view::screens::lessons::{
    Lesson,
    LessonCell::Percent as P,
    LessonClaim, LessonControl, LessonFigure, LessonOption, LessonResult, LessonRow, LessonSetup,
    LessonTable,
    setup::{ZoneHosts, plain},
    table::shares,
};

pub(super) static LESSON: Lesson = Lesson {
    name: "normalization",
    title: "When all together are not enough",
    text: "Envoy adds the availabilities of all priorities. While the sum is 100 % or more, each priority takes its part \
           and the next one the rest. Below 100 %, there is a rest that no priority has capacity for. Panic mode is off in \
           this lesson: its threshold is 0.",
    question: "Each priority has 100 hosts. 20 are healthy in P0, 30 in P1, none in P2. Where do the requests go?",
    options: &[
        LessonOption {
            claim: LessonClaim::Priorities(&[28, 42, 0], 30),
            thought: "You expected errors for the rest. Envoy sends all requests, also more than the hosts have \
                      capacity for.",
        },
        LessonOption {
            claim: LessonClaim::Priorities(&[40, 60, 0], 0),
            thought: "",
        },
        LessonOption {
            claim: LessonClaim::Priorities(&[28, 72, 0], 0),
            thought: "You gave the whole rest to P1. Envoy spreads it over both.",
        },
        LessonOption {
            claim: LessonClaim::Priorities(&[34, 33, 33], 0),
            thought: "You split by the number of hosts. That is panic mode in all priorities (lesson 5).",
        },
    ],
    note: "",
    controls: &[
        LessonControl::healthy("P0 healthy", "Healthy hosts of P0, of 100", 20),
        LessonControl::healthy("P1 healthy", "Healthy hosts of P1, of 100", 30),
        LessonControl::healthy("P2 healthy", "Healthy hosts of P2, of 100", 0),
    ],
    setup,
    explain,
    figure: LessonFigure::Spillway,
    tables: &[LessonTable {
        caption: "Three priorities",
        page: "load_balancing/priority",
        inputs: &[(0, "P0 healthy"), (1, "P1 healthy"), (2, "P2 healthy")],
        outputs: &["to P0", "to P1", "to P2"],
        figures: shares,
        rows: &[
            LessonRow::new(&[100, 100, 100], &[P(100), P(0), P(0)]),
            LessonRow::new(&[72, 72, 100], &[P(100), P(0), P(0)]),
            LessonRow::new(&[71, 71, 100], &[P(99), P(1), P(0)]),
            LessonRow::new(&[50, 50, 100], &[P(70), P(30), P(0)]),
            LessonRow::new(&[25, 100, 100], &[P(35), P(65), P(0)]),
            LessonRow::new(&[25, 25, 100], &[P(35), P(35), P(30)]),
            LessonRow {
                values: &[25, 25, 20],
                documented: &[P(36), P(36), P(28)],
                differs: "The documentation rounds each share; Envoy rounds down and gives the rest to P0.",
            },
        ],
        free: &[],
    }],
    marked: &["common_lb_config", "priority:"],
};

fn setup(values: &[u32]) -> LessonSetup {
    let zone = |name, at| ZoneHosts::healthy(name, value(values, at));
    LessonSetup::one(PlainCluster {
        panic_threshold: PanicThreshold::from_percent(0.0),
        ..plain(0, &[&[zone("a", 0)], &[zone("b", 1)], &[zone("c", 2)]])
    })
}

fn explain(result: &LessonResult) -> String {
    let sum = result.outcome.availability();
    let part = |place| {
        format!(
            "P{place} {} / {} = {}",
            result.availability(place),
            sum,
            whole(result.load(place))
        )
    };
    format!(
        "The availabilities {} and {} sum up to {}. Envoy divides by the sum: {}, {}. This is normalization. Every \
         request gets a host, but each healthy host gets more than its part.",
        whole(result.availability(0)),
        whole(result.availability(1)),
        whole(sum),
        part(0),
        part(1),
    )
}
