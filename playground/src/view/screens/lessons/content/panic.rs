//! Panic mode, and how it depends on all priorities.

use spillgate_core::model::{PanicThreshold, PlainCluster};
use spillgate_scenario::whole;

use super::value;
use crate::view::screens::lessons::{
    Lesson, LessonCell,
    LessonCell::{Panic, Percent as P},
    LessonClaim, LessonControl, LessonFigure, LessonOption, LessonResult, LessonRow, LessonSetup,
    LessonTable, LessonValues, ServingHosts,
    setup::{ZoneHosts, plain},
};

const NO: LessonCell = Panic(false);
const YES: LessonCell = Panic(true);

pub(super) static LESSON: Lesson = Lesson {
    name: "panic",
    title: "Panic mode",
    text: "The last healthy hosts of a priority must not get all its requests and fail too. So if fewer than 50 % of its \
           hosts are healthy or degraded (the panic threshold), a priority can enter panic mode: Envoy ignores health and \
           uses all its hosts.",
    question: "P0 and P1 have 100 hosts each. 25 are healthy in P0, all in P1. The panic threshold is 50 %. Which hosts get \
               requests?",
    options: &[
        LessonOption {
            claim: LessonClaim::Serving(&[ServingHosts::All, ServingHosts::Available]),
            thought: "You compared 25 % with the threshold alone. It matters only if all priorities together lack capacity.",
        },
        LessonOption {
            claim: LessonClaim::Serving(&[ServingHosts::NoHosts, ServingHosts::Available]),
            thought: "You expected P0 to close. Its healthy hosts still serve what they have capacity for.",
        },
        LessonOption {
            claim: LessonClaim::Serving(&[ServingHosts::Available, ServingHosts::Available]),
            thought: "",
        },
        LessonOption {
            claim: LessonClaim::Serving(&[ServingHosts::All, ServingHosts::NoHosts]),
            thought: "You expected panic mode to keep the requests in P0. Spillover comes first.",
        },
    ],
    note: "",
    controls: &[
        LessonControl::healthy("P0 healthy", "Healthy hosts of P0, of 100", 25),
        LessonControl::healthy("P1 healthy", "Healthy hosts of P1, of 100", 100),
        LessonControl {
            label: "threshold, %",
            name: "Panic threshold in percent",
            initial: 50,
            values: LessonValues::Range(0, 100),
        },
    ],
    setup,
    explain,
    figure: LessonFigure::Spillway,
    tables: &[
        LessonTable {
            caption: "P1 is 100 % healthy",
            page: "load_balancing/panic_threshold",
            inputs: &[(0, "P0 healthy")],
            outputs: OUTPUTS,
            figures,
            rows: &[
                LessonRow::new(&[72, 100, 50], &[P(100), NO, P(0), NO, P(100)]),
                LessonRow::new(&[71, 100, 50], &[P(99), NO, P(1), NO, P(100)]),
                LessonRow::new(&[50, 100, 50], &[P(70), NO, P(30), NO, P(100)]),
                LessonRow::new(&[25, 100, 50], &[P(35), NO, P(65), NO, P(100)]),
                LessonRow::new(&[0, 100, 50], &[P(0), NO, P(100), NO, P(100)]),
            ],
            free: &[],
        },
        LessonTable {
            caption: "P1 loses hosts too",
            page: "load_balancing/panic_threshold",
            inputs: &[(0, "P0 healthy"), (1, "P1 healthy")],
            outputs: OUTPUTS,
            figures,
            rows: &[
                LessonRow::new(&[72, 72, 50], &[P(100), NO, P(0), NO, P(100)]),
                LessonRow::new(&[71, 71, 50], &[P(99), NO, P(1), NO, P(100)]),
                LessonRow::new(&[50, 60, 50], &[P(70), NO, P(30), NO, P(100)]),
                LessonRow::new(&[25, 100, 50], &[P(35), NO, P(65), NO, P(100)]),
                LessonRow::new(&[25, 25, 50], &[P(50), YES, P(50), YES, P(70)]),
                LessonRow {
                    values: &[5, 65, 50],
                    documented: &[P(7), YES, P(93), NO, P(98)],
                    differs: "The documentation rounds each share; Envoy rounds down and gives the rest to P0.",
                },
            ],
            free: &[],
        },
    ],
    marked: &["common_lb_config", "priority:"],
};

const OUTPUTS: &[&str] = &["to P0", "P0 panic", "to P1", "P1 panic", "total"];

fn setup(values: &[u32]) -> LessonSetup {
    let zone = |name, at| ZoneHosts::healthy(name, value(values, at));
    LessonSetup::one(PlainCluster {
        panic_threshold: PanicThreshold::from_percent(value(values, 2).into()),
        ..plain(0, &[&[zone("a", 0)], &[zone("b", 1)]])
    })
}

fn explain(result: &LessonResult) -> String {
    let less = LessonResult::new(setup(&[25, 25, 50]));
    let panics = match (less.panics(0), less.panics(1)) {
        (true, true) => "both are in panic mode",
        _ => "not both are in panic mode",
    };
    format!(
        "P0 has an availability of {}, P1 of {}. Together they reach {}, so no priority is in panic mode, and {} spill over. \
         If P1 has {} healthy hosts too, the sum is {}, and {panics}.",
        whole(result.availability(0)),
        whole(result.availability(1)),
        whole(result.outcome.availability()),
        whole(result.load(1)),
        less.healthy(1),
        whole(less.outcome.availability()),
    )
}

fn figures(lesson: &Lesson, values: &[u32]) -> Vec<LessonCell> {
    let result = lesson.result(values);
    vec![
        P(result.load(0)),
        Panic(result.panics(0)),
        P(result.load(1)),
        Panic(result.panics(1)),
        P(result.outcome.availability()),
    ]
}
