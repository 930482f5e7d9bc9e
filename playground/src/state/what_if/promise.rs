//! Promises: expectations that CI can hold.

use spillgate_sim::{Expectation, Scene, WhatIf};

use super::{LossAnswer, Question, Stage};
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
    match answer.levels.iter().find(|level| level.after > 0) {
        Some(level) if !level.name.contains(' ') => {
            format!("load({}) >= {}", level.name, level.after / 10 * 10)
        }
        _ => "no panic".into(),
    }
}

/// The command line that asks the same.
#[must_use]
pub fn command(cluster: &str, stage: &Stage, question: &Question) -> String {
    let mut words = vec![
        "spillgate what-if envoy.yaml --cluster".to_owned(),
        quoted(cluster),
        "--lose".into(),
        quoted(&format!("{}:{}%", stage.chosen.selector, question.percent)),
    ];
    for promise in &question.promises {
        words.push("--expect".into());
        words.push(quoted(promise));
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:=%/".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("zone=a:40%"), "zone=a:40%");
        assert_eq!(quoted("no panic"), "'no panic'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
