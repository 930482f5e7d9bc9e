//! Figures, places and cases as text.

use spillgate_explain::format::fixed;
use spillgate_sim::fleet::PriorityPlace;

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
    of.map_or_else(|| "several".into(), ToString::to_string)
}
