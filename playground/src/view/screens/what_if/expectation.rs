//! Expectations, which CI can check.

use spillgate_scenario::fixed;
use spillgate_sim::{Expectation, Scene, WhatIf};

use super::LossAnswer;

/// An expectation and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectationRow {
    /// The expectation as written.
    pub text: String,
    /// Whether it holds.
    pub ok: bool,
    /// The figure.
    pub value: String,
}

/// Checks an expectation.
///
/// # Errors
/// If it is invalid, with the reason.
pub fn check(scene: &Scene, what_if: &WhatIf, text: &str) -> Result<ExpectationRow, String> {
    let expectation = Expectation::parse(text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        faults.join("; ")
    })?;
    let checked = expectation
        .check(scene, what_if)
        .map_err(|fault| fault.to_string())?;
    Ok(ExpectationRow {
        text: expectation.text,
        ok: checked.ok,
        value: checked.value.map_or("none".into(), fixed),
    })
}

/// An expectation that holds now, as an example.
#[must_use]
pub fn suggestion(answer: &LossAnswer) -> String {
    match answer.priorities.iter().find(|priority| priority.after > 0) {
        Some(priority) if !priority.name.contains(' ') => {
            format!("load({}) >= {}", priority.name, priority.after / 10 * 10)
        }
        _ => "no panic".into(),
    }
}
