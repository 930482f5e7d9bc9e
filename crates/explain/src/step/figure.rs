//! A figure of a step, by name.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use spillgate_core::visible::quoted;

/// A figure of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFigure {
    /// The key in JSON.
    pub name: &'static str,
    /// The value.
    pub value: FigureValue,
    /// Whether the sentence or the arithmetic of the step already contains the figure.
    pub in_sentence: bool,
}

/// The value of a figure. Whole numbers only.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FigureValue {
    /// A number.
    Number(u64),
    /// A number for each priority or cluster.
    Numbers(Vec<u32>),
    /// Yes or no.
    Flag(bool),
    /// A name.
    Text(String),
}

/// A figure that neither the sentence nor the arithmetic of the step contains.
const fn figure(name: &'static str, value: FigureValue) -> StepFigure {
    StepFigure {
        name,
        value,
        in_sentence: false,
    }
}

pub(super) fn number(name: &'static str, number: impl Into<u64>) -> StepFigure {
    figure(name, FigureValue::Number(number.into()))
}

pub(super) fn numbers(name: &'static str, numbers: &[u32]) -> StepFigure {
    figure(name, FigureValue::Numbers(numbers.into()))
}

pub(super) const fn flag(name: &'static str, flag: bool) -> StepFigure {
    figure(name, FigureValue::Flag(flag))
}

pub(super) fn text(name: &'static str, text: impl Into<String>) -> StepFigure {
    figure(name, FigureValue::Text(text.into()))
}

impl StepFigure {
    /// The same figure, in a step whose sentence or arithmetic contains it.
    pub(super) fn said(self) -> Self {
        Self {
            in_sentence: true,
            ..self
        }
    }
}

impl FigureValue {
    /// The value as text: `70`, `[70 30]`, `yes`, `"shop"`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Numbers(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                format!("[{}]", numbers.join(" "))
            }
            Self::Flag(true) => "yes".into(),
            Self::Flag(false) => "no".into(),
            Self::Text(text) => quoted(text),
        }
    }
}
