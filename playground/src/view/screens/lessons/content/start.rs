//! The point at which spillover starts.

use spillgate_scenario::{fixed, whole};

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
    name: "start",
    title: "When does spillover start?",
    text: "The availability of a priority is its share of healthy hosts times 1.4, rounded down to a whole percentage, \
           at most 100 %. While P0 has 100 %, it keeps all requests.",
    question: "P0 and P1 have 100 hosts each. The hosts of P0 fail one by one. How many are healthy when P1 gets its \
               first requests?",
    options: &[
        LessonOption {
            claim: LessonClaim::SpilloverAt(99),
            thought: "You left out the spare capacity: 99 healthy hosts can take more than all requests.",
        },
        LessonOption {
            claim: LessonClaim::SpilloverAt(71),
            thought: "",
        },
        LessonOption {
            claim: LessonClaim::SpilloverAt(49),
            thought: "You thought of the panic threshold, 50 %. That is another rule (lesson 5).",
        },
        LessonOption {
            claim: LessonClaim::SpilloverAt(0),
            thought: "You expected P1 to wait until P0 has no host. gRPC does that; Envoy moves requests gradually.",
        },
    ],
    note: "",
    controls: &[
        LessonControl::healthy("P0 healthy", "Healthy hosts of P0, of 100", 100),
        LessonControl::healthy("P1 healthy", "Healthy hosts of P1, of 100", 100),
    ],
    setup,
    explain,
    figure: LessonFigure::Spillway,
    tables: &[LessonTable {
        caption: "Two priorities that lose hosts",
        page: "load_balancing/priority",
        inputs: &[(0, "P0 healthy"), (1, "P1 healthy")],
        outputs: &["to P0", "to P1"],
        figures: shares,
        rows: &[
            LessonRow::new(&[100, 100], &[P(100), P(0)]),
            LessonRow::new(&[72, 72], &[P(100), P(0)]),
            LessonRow::new(&[71, 71], &[P(99), P(1)]),
            LessonRow::new(&[50, 50], &[P(70), P(30)]),
            LessonRow::new(&[25, 100], &[P(35), P(65)]),
            LessonRow::new(&[25, 25], &[P(50), P(50)]),
        ],
        free: &[],
    }],
    marked: &["priority:"],
};

fn setup(values: &[u32]) -> LessonSetup {
    let first = ZoneHosts::healthy("a", value(values, 0));
    let second = ZoneHosts::healthy("b", value(values, 1));
    LessonSetup::one(plain(0, &[&[first], &[second]]))
}

fn explain(result: &LessonResult) -> String {
    let at = result.spillover_at().unwrap_or_default();
    let at_and_before = [at + 1, at].map(|healthy| LessonResult::new(setup(&[healthy, 100])));
    let [before, after] = &at_and_before;
    let times = |of: &LessonResult| fixed(f64::from(of.healthy(0)) * of.factor());
    format!(
        "With {} healthy hosts, {} × {} = {}: availability is {}. With {at} it is {}, rounded down to {}, and {} spills \
         over to P1. So nearly three hosts of ten can fail unnoticed.",
        before.healthy(0),
        before.healthy(0),
        fixed(before.factor()),
        times(before),
        whole(before.availability(0)),
        times(after),
        whole(after.availability(0)),
        whole(after.load(1)),
    )
}
