//! Promises: expectations that CI can hold.

use spillgate_sim::{Expectation, Scene, WhatIf};

use super::LossAnswer;
use crate::state::fixed;

/// A promise and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// As written.
    pub text: String,
    /// Whether it is kept.
    pub ok: bool,
    /// The figure, in words.
    pub value: String,
}

/// Holds a promise against an answer.
///
/// # Errors
/// Why it is none, in words.
pub fn check(scene: &Scene, what_if: &WhatIf, text: &str) -> Result<Promise, String> {
    let expectation = Expectation::parse(text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        faults.join("; ")
    })?;
    let checked = expectation.check(scene, what_if);
    let checked = checked.map_err(|fault| fault.to_string())?;
    Ok(Promise {
        text: expectation.text,
        ok: checked.ok,
        value: checked.value.map_or("none".into(), fixed),
    })
}

/// A promise that holds now, for those who do not know what can be promised.
#[must_use]
pub fn suggestion(answer: &LossAnswer) -> String {
    match answer.priorities.iter().find(|priority| priority.after > 0) {
        Some(priority) if !priority.name.contains(' ') => {
            format!("load({}) >= {}", priority.name, priority.after / 10 * 10)
        }
        _ => "no panic".into(),
    }
}
