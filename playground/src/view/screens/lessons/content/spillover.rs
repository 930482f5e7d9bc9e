//! Spillover and the overprovisioning factor.

use spillgate_core::model::{OverprovisioningFactor, PlainCluster};
use spillgate_scenario::{fixed, whole};

use super::value;
use crate::view::screens::lessons::{
    Lesson,
    LessonCell::Percent as P,
    LessonClaim, LessonControl, LessonFigure, LessonOption, LessonResult, LessonRow, LessonSetup,
    LessonTable, LessonValues,
    setup::{ZoneHosts, plain},
    table::shares,
};

pub(super) static LESSON: Lesson = Lesson {
    name: "spillover",
    title: "Spillover, and the factor 1.4",
    text: "P0 serves first. P1 gets what P0 cannot take: the spillover. Envoy assumes that hosts have spare capacity. \
           The overprovisioning factor, 1.4 by default, says how much: a priority can take its share of healthy hosts \
           times 1.4, at most 100 %.",
    question: "P0 and P1 have 100 hosts each. 50 hosts of P0 fail. Where do the requests go?",
    options: &[
        LessonOption {
            claim: LessonClaim::Priorities(&[50, 50], 0),
            thought: "You left out the factor. Half of the hosts can take more than half of the requests.",
        },
        LessonOption {
            claim: LessonClaim::Priorities(&[0, 100], 0),
            thought: "You expected all requests to move at once. Only those move that the remaining hosts cannot take.",
        },
        LessonOption {
            claim: LessonClaim::Priorities(&[100, 0], 0),
            thought: "You expected P1 to wait until P0 has no host. Spillover starts much earlier (lesson 3).",
        },
        LessonOption {
            claim: LessonClaim::Priorities(&[70, 30], 0),
            thought: "",
        },
    ],
    note: "",
    controls: &[
        LessonControl::healthy("P0 healthy", "Healthy hosts of P0, of 100", 50),
        LessonControl {
            label: "factor, %",
            name: "Overprovisioning factor in percent",
            initial: 140,
            values: LessonValues::Range(100, 200),
        },
    ],
    setup,
    explain,
    figure: LessonFigure::Spillway,
    tables: &[LessonTable {
        caption: "P1 is 100 % healthy",
        page: "load_balancing/priority",
        inputs: &[(0, "P0 healthy")],
        outputs: &["to P0", "to P1"],
        figures: shares,
        rows: &[
            LessonRow::new(&[100, 140], &[P(100), P(0)]),
            LessonRow::new(&[72, 140], &[P(100), P(0)]),
            LessonRow::new(&[71, 140], &[P(99), P(1)]),
            LessonRow::new(&[50, 140], &[P(70), P(30)]),
            LessonRow::new(&[25, 140], &[P(35), P(65)]),
            LessonRow::new(&[0, 140], &[P(0), P(100)]),
        ],
        free: &[],
    }],
    marked: &["priority:", "overprovisioning_factor", "policy:"],
};

fn setup(values: &[u32]) -> LessonSetup {
    let first = ZoneHosts::healthy("a", value(values, 0));
    let second = ZoneHosts::healthy("b", 100);
    LessonSetup::one(PlainCluster {
        overprovisioning_factor: OverprovisioningFactor(value(values, 1).max(1)),
        ..plain(0, &[&[first], &[second]])
    })
}

fn explain(result: &LessonResult) -> String {
    let hosts = result.priority(0).and_then(|row| row.per_host());
    format!(
        "{} of P0's hosts are healthy. {} × {} = {}, so P0 keeps {} and {} spill over to P1. Each remaining host of P0 \
         gets {} times the requests that it had.",
        whole(result.healthy(0)),
        whole(result.healthy(0)),
        fixed(result.factor()),
        whole(result.availability(0)),
        whole(result.load(0)),
        whole(result.load(1)),
        fixed(hosts.map_or(0.0, |(_, most)| most)),
    )
}
