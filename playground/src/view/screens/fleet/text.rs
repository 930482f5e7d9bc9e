//! Figures, places and cases as text.

use spillgate_explain::format::fixed;
use spillgate_sim::fleet::{FleetReport, PriorityPlace};

/// A figure with one decimal; `-` if it is not known.
pub(super) fn known(figure: Option<f64>) -> String {
    figure.map_or_else(|| "-".into(), fixed)
}

/// An amount of money; `-` if it is not known.
pub(super) fn money(cost: Option<f64>) -> String {
    cost.map_or_else(|| "-".into(), hundredths)
}

/// A number from 0 with two decimals.
pub(super) fn hundredths(number: f64) -> String {
    let number = (number * 100.0).round() as u64;
    format!("{}.{:02}", number / 100, number % 100)
}

/// `shop P0`; without a place `several`.
pub(super) fn place_name(of: Option<&PriorityPlace>) -> String {
    of.map_or_else(
        || "several".into(),
        |of| format!("{} P{}", of.cluster, of.priority),
    )
}

/// `if a fails`; empty for the present.
pub(super) fn condition(report: &FleetReport, case: usize) -> String {
    let lost = report.cases.get(case).map_or(0, |case| case.lost.len());
    match lost {
        0 => String::new(),
        1 => format!("if {} fails", report.case_name(case)),
        _ => format!("if {} fail", report.case_name(case)),
    }
}
