//! Healthy, degraded and unhealthy hosts.

use spillgate_scenario::{fixed, whole};

use super::value;
use crate::view::screens::lessons::{
    Lesson, LessonCell, LessonClaim, LessonControl, LessonFigure, LessonOption, LessonResult,
    LessonRow, LessonSetup, LessonTable,
    setup::{HOSTS, ZoneHosts, plain},
};

pub(super) static LESSON: Lesson = Lesson {
    name: "health",
    title: "Healthy, degraded, unhealthy",
    text: "A host has one of three states. Healthy hosts serve. Unhealthy hosts get no requests, except in panic \
           mode (lesson 5). A degraded host answers its health checks with the header x-envoy-degraded: it works, but \
           Envoy spares it.",
    question: "P0 is the only priority. Of its 100 hosts, 25 are healthy, 65 degraded and 10 unhealthy. Which of them \
               get the requests?",
    options: &[
        LessonOption {
            claim: LessonClaim::ByHealth([100, 0, 0]),
            thought: "You treated degraded hosts like unhealthy ones. Envoy uses them as soon as the healthy hosts \
                      are not enough.",
        },
        LessonOption {
            claim: LessonClaim::ByHealth([28, 72, 0]),
            thought: "You counted all usable hosts equally. Envoy fills the healthy hosts first.",
        },
        LessonOption {
            claim: LessonClaim::ByHealth([35, 65, 0]),
            thought: "",
        },
        LessonOption {
            claim: LessonClaim::ByHealth([25, 65, 10]),
            thought: "You split by the number of hosts. Outside of panic mode, unhealthy hosts get nothing.",
        },
    ],
    note: "",
    controls: &[
        LessonControl::healthy("healthy", "Healthy hosts of 100", 25),
        LessonControl::healthy(
            "degraded",
            "Degraded hosts of those that are not healthy",
            65,
        ),
    ],
    setup,
    explain,
    figure: LessonFigure::Spillway,
    tables: &[LessonTable {
        caption: "Degraded endpoints",
        page: "load_balancing/degraded",
        inputs: &[(0, "healthy"), (1, "degraded")],
        outputs: &["to healthy hosts", "to degraded hosts"],
        figures,
        rows: &[
            LessonRow::new(&[100, 0], &[P(100), P(0)]),
            LessonRow::new(&[71, 0], &[P(100), P(0)]),
            LessonRow::new(&[71, 29], &[P(99), P(1)]),
            LessonRow::new(&[25, 65], &[P(35), P(65)]),
            LessonRow {
                values: &[5, 0],
                documented: &[P(100), P(0)],
                differs: "The row leaves out panic mode: with 5 % available hosts, all hosts serve.",
            },
        ],
        free: &[],
    }],
    marked: &["health_status: DEGRADED"],
};

use LessonCell::Percent as P;

fn setup(values: &[u32]) -> LessonSetup {
    let healthy = value(values, 0).min(HOSTS);
    let hosts = ZoneHosts {
        degraded: value(values, 1).min(HOSTS - healthy),
        ..ZoneHosts::healthy("a", healthy)
    };
    LessonSetup::one(plain(0, &[&[hosts]]))
}

fn explain(result: &LessonResult) -> String {
    let healthy = result.healthy(0);
    let row = result.priority(0).map(|row| row.row);
    format!(
        "The {healthy} healthy hosts have capacity for {} of the requests ({healthy} × {}, see lesson 2). The degraded \
         hosts take what is left: {}.",
        whole(row.map_or(0, |row| row.healthy_load)),
        fixed(result.factor()),
        whole(row.map_or(0, |row| row.degraded_load)),
    )
}

fn figures(lesson: &Lesson, values: &[u32]) -> Vec<LessonCell> {
    let [healthy, degraded, _] = lesson
        .result(values)
        .by_health()
        .map(crate::view::screens::lessons::result::rounded);
    vec![P(healthy), P(degraded)]
}
