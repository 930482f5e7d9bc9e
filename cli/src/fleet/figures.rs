//! Figures as text.

use spillgate_explain::format::{count, fixed, plain};
use spillgate_sim::fleet::PriorityPlace;

use super::answer::{ExpectedFleet, FleetAnswer};
use crate::{markdown_text::escaped, split::Style};

/// A text with names of the configuration, which are not markup.
pub(super) fn in_style(text: &str, style: Style) -> String {
    match style {
        Style::Markdown => escaped(text),
        Style::Plain | Style::Colored => text.to_owned(),
    }
}

/// A figure with one decimal; `-` if it is not known.
pub(super) fn known(figure: Option<f64>) -> String {
    figure.map_or_else(|| String::from("-"), fixed)
}

/// A ratio in percent; `-` if it is not known.
pub(super) fn percent(ratio: Option<f64>) -> String {
    known(ratio.map(|ratio| ratio * 100.0))
}

/// An amount of money with two decimals; `-` if it is not known.
pub(super) fn money(cost: Option<f64>) -> String {
    cost.map_or_else(|| String::from("-"), |cost| format!("{cost:.2}"))
}

/// A count with gaps, in plain text.
pub(super) fn counted(number: usize) -> String {
    plain(&count(number)).replace('\u{202f}', " ")
}

/// `shop P0`; without a place `several`.
pub(super) fn place(of: Option<&PriorityPlace>) -> String {
    of.map_or_else(|| String::from("several"), ToString::to_string)
}

/// The result of an expectation in a line.
pub(super) fn expectation(answer: &FleetAnswer, expected: &ExpectedFleet) -> String {
    let result = if expected.ok { "holds" } else { "FAILS" };
    let mut text = format!("{result} {}", expected.expr);
    if let Some(value) = expected.value {
        text.push_str(&format!(": {}", (value * 100.0).round() / 100.0));
    }
    let condition = answer.report.condition(expected.case);
    if !condition.is_empty() {
        text.push_str(&format!(" ({condition})"));
    }
    plain(&text)
}
