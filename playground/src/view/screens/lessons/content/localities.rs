//! Localities with weights.

use spillgate_core::{
    load::LocalityHealth,
    model::{LocalityLb, OverprovisioningFactor, PlainCluster},
};
use spillgate_scenario::{fixed, percent};

use super::value;
use crate::view::screens::lessons::{
    Lesson, LessonCell,
    LessonCell::Percent as P,
    LessonClaim, LessonControl, LessonFigure, LessonOption, LessonResult, LessonRow, LessonSetup,
    LessonTable, LessonValues,
    result::rounded,
    setup::{HOSTS, ZoneHosts, plain},
};

pub(super) static LESSON: Lesson = Lesson {
    name: "localities",
    title: "Localities and weights",
    text: "The hosts of a priority can be in several localities, such as zones. With locality_weighted_lb_config, Envoy \
           chooses the priority, then a locality by its weight, then a host in it.",
    question: "Zone x has weight 1 and zone y weight 2, with 100 hosts each in P0. 50 hosts of zone x fail. How do the zones \
               share the requests?",
    options: &[
        LessonOption {
            claim: LessonClaim::Zones(&[("zone x", 33), ("zone y", 67)]),
            thought: "You kept the weights. The weight of a zone shrinks with its healthy hosts.",
        },
        LessonOption {
            claim: LessonClaim::Zones(&[("zone x", 26), ("zone y", 74)]),
            thought: "",
        },
        LessonOption {
            claim: LessonClaim::Zones(&[("zone x", 20), ("zone y", 80)]),
            thought: "You halved the weight of zone x. The factor 1.4 counts here too.",
        },
        LessonOption {
            claim: LessonClaim::Zones(&[("zone x", 50), ("zone y", 50)]),
            thought: "You left out the weights: zone y gets more requests than zone x even with equal hosts.",
        },
    ],
    note: "",
    controls: &[
        LessonControl::healthy("x healthy", "Healthy hosts of zone x, of 100", 50),
        WEIGHT_X,
        WEIGHT_Y,
    ],
    setup,
    explain,
    figure: LessonFigure::Zones,
    tables: &[LessonTable {
        caption: "Weight 1 for zone x, 2 for zone y; y is 100 % healthy",
        page: "load_balancing/locality_weight",
        inputs: &[(0, "x healthy")],
        outputs: &["to x", "to y"],
        figures,
        rows: &[
            LessonRow::new(&[100, 1, 2], &[P(33), P(67)]),
            LessonRow::new(&[70, 1, 2], &[P(33), P(67)]),
            LessonRow {
                values: &[69, 1, 2],
                documented: &[P(32), P(68)],
                differs: "The documentation rounds the availability of a zone; Envoy does not.",
            },
            LessonRow::new(&[50, 1, 2], &[P(26), P(74)]),
            LessonRow::new(&[25, 1, 2], &[P(15), P(85)]),
            LessonRow::new(&[0, 1, 2], &[P(0), P(100)]),
        ],
        free: &[],
    }],
    marked: &[
        "common_lb_config",
        "locality:",
        "- locality:",
        "load_balancing_weight",
    ],
};

const WEIGHT_X: LessonControl = LessonControl {
    label: "weight of x",
    name: "Weight of zone x",
    initial: 1,
    values: LessonValues::Range(1, 10),
};

const WEIGHT_Y: LessonControl = LessonControl {
    label: "weight of y",
    name: "Weight of zone y",
    initial: 2,
    values: LessonValues::Range(1, 10),
};

fn setup(values: &[u32]) -> LessonSetup {
    let x = ZoneHosts {
        weight: Some(value(values, 1)),
        ..ZoneHosts::healthy("x", value(values, 0))
    };
    let y = ZoneHosts {
        weight: Some(value(values, 2)),
        ..ZoneHosts::healthy("y", HOSTS)
    };
    LessonSetup::one(PlainCluster {
        locality_lb: LocalityLb::Weighted,
        ..plain(0, &[&[x, y]])
    })
}

fn explain(result: &LessonResult) -> String {
    let zones = result.priority(0).map_or(&[][..], |row| &row.localities);
    let effective = zones.iter().map(|zone| {
        let health = LocalityHealth {
            weight: zone.weight.unwrap_or_default(),
            eligible: zone.healthy as u32,
            total: zone.hosts.len() as u32,
            excluded: 0,
        };
        health.effective_weight(OverprovisioningFactor::DEFAULT)
    });
    let effective: Vec<f64> = effective.collect();
    let share = result.zones().next().map_or(0.0, |(_, share)| share);
    let x = effective.first().copied().unwrap_or_default();
    let healthy = zones.first().map_or(0, |zone| zone.healthy);
    format!(
        "{healthy} % × {} = {}, so the weight of zone x counts as {} instead of 1. Zone x gets {} of {}: {}. A zone that loses \
         few hosts keeps its whole weight, as a priority keeps its load.",
        fixed(result.factor()),
        percent(x * 100.0),
        fixed(x),
        fixed(x),
        fixed(effective.iter().sum()),
        percent(share),
    )
}

fn figures(lesson: &Lesson, values: &[u32]) -> Vec<LessonCell> {
    let result = lesson.result(values);
    result.zones().map(|(_, share)| P(rounded(share))).collect()
}
