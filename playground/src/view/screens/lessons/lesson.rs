//! The parts of a lesson. Texts are written; every figure of an answer is computed.

use super::{LessonClaim, LessonResult, LessonSetup};

/// A lesson: a rule, a question to answer before the result is shown, and controls to vary it.
#[derive(Debug)]
pub struct Lesson {
    /// The name in links and in the kept progress.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// The rule.
    pub text: &'static str,
    /// The question, about the initial values of the controls.
    pub question: &'static str,
    /// The possible answers. The engine decides which of them is right.
    pub options: &'static [LessonOption],
    /// A remark after the explanation; empty for none.
    pub note: &'static str,
    /// The controls.
    pub controls: &'static [LessonControl],
    /// The clusters and the request for values of the controls.
    pub setup: fn(&[u32]) -> LessonSetup,
    /// Why the answer is right, with the figures of the result for the initial values.
    pub explain: fn(&LessonResult) -> String,
    /// The picture.
    pub figure: LessonFigure,
    /// The tables.
    pub tables: &'static [LessonTable],
    /// The beginnings of the lines that matter in the configuration.
    pub marked: &'static [&'static str],
}

/// A possible answer.
#[derive(Debug)]
pub struct LessonOption {
    /// Its claim about the result.
    pub claim: LessonClaim,
    /// What a reader who chooses it wrongly probably thought; empty for the right option.
    pub thought: &'static str,
}

/// A control that varies a lesson.
#[derive(Debug)]
pub struct LessonControl {
    /// The visible label.
    pub label: &'static str,
    /// The name for screen readers.
    pub name: &'static str,
    /// The initial value.
    pub initial: u32,
    /// Its values.
    pub values: LessonValues,
}

/// The values of a control.
#[derive(Debug)]
pub enum LessonValues {
    /// All numbers from one to the other.
    Range(u32, u32),
    /// The indices of these texts.
    Texts(&'static [&'static str]),
}

/// The picture of a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LessonFigure {
    /// The priorities as basins.
    Spillway,
    /// The zones with their shares.
    Zones,
    /// The hosts with their shares.
    Hosts,
}

/// A table. Each row is a setting of the controls, and a click on it sets them.
#[derive(Debug)]
pub struct LessonTable {
    /// The caption.
    pub caption: &'static str,
    /// The playground of Envoy's documentation, below `intro/arch_overview/upstream/`; empty if the table is
    /// not from there.
    pub page: &'static str,
    /// The columns with values of controls: the index of the control, and the head.
    pub inputs: &'static [(usize, &'static str)],
    /// The heads of the columns with figures.
    pub outputs: &'static [&'static str],
    /// The figures of a row.
    pub figures: fn(&Lesson, &[u32]) -> Vec<LessonCell>,
    /// The rows.
    pub rows: &'static [LessonRow],
    /// The controls that a row leaves as they are.
    pub free: &'static [usize],
}

/// A row of a table.
#[derive(Debug)]
pub struct LessonRow {
    /// The values of the controls.
    pub values: &'static [u32],
    /// The figures of the documentation; empty if the table is not from there.
    pub documented: &'static [LessonCell],
    /// Why Envoy's figures differ from its documentation; empty if they are equal.
    pub differs: &'static str,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LessonCell {
    /// A whole percentage.
    Percent(u32),
    /// Whether panic mode is on.
    Panic(bool),
    /// Words.
    Words(&'static str),
    /// The indices of hosts.
    Hosts(&'static [usize]),
    /// A text of the engine.
    Text(String),
}

impl LessonOption {
    /// The reply to a reader who chooses it wrongly.
    #[must_use]
    pub const fn reply(&self) -> &'static str {
        self.thought
    }
}

impl LessonControl {
    /// A slider for a number of healthy hosts of 100.
    pub(super) const fn healthy(label: &'static str, name: &'static str, initial: u32) -> Self {
        Self {
            label,
            name,
            initial,
            values: LessonValues::Range(0, 100),
        }
    }

    /// A value as a text, in tables.
    #[must_use]
    pub fn text(&self, value: u32) -> String {
        match &self.values {
            LessonValues::Range(..) => value.to_string(),
            LessonValues::Texts(texts) => {
                let text = texts.get(value as usize).copied();
                text.unwrap_or_default().to_owned()
            }
        }
    }

    /// The nearest valid value.
    fn valid(&self, value: u32) -> u32 {
        match &self.values {
            LessonValues::Range(least, most) => value.clamp(*least, *most),
            LessonValues::Texts(texts) => value.min(texts.len().saturating_sub(1) as u32),
        }
    }
}

impl Lesson {
    /// The initial values of the controls.
    #[must_use]
    pub fn initial(&self) -> Vec<u32> {
        self.controls
            .iter()
            .map(|control| control.initial)
            .collect()
    }

    /// The values at the state that the question asks for: the initial ones, unless it asks when something
    /// happens.
    #[must_use]
    pub fn end(&self) -> Vec<u32> {
        let mut values = self.initial();
        let mut claims = self.options.iter().map(|option| &option.claim);
        if claims.any(|claim| matches!(claim, LessonClaim::SpilloverAt(_)))
            && let Some(healthy) = self.result(&values).spillover_at()
            && let Some(first) = values.first_mut()
        {
            *first = healthy;
        }
        values
    }

    /// Values within the ranges of the controls; missing ones are initial.
    #[must_use]
    pub fn valid(&self, values: &[u32]) -> Vec<u32> {
        let controls = self.controls.iter().enumerate();
        controls
            .map(|(at, control)| control.valid(values.get(at).copied().unwrap_or(control.initial)))
            .collect()
    }

    /// The result for values of the controls.
    #[must_use]
    pub fn result(&self, values: &[u32]) -> LessonResult {
        LessonResult::new((self.setup)(values))
    }

    /// Whether each option is right, by the result for the initial values.
    #[must_use]
    pub fn verdicts(&self, result: &LessonResult) -> Vec<bool> {
        let options = self.options.iter();
        options.map(|option| option.claim.holds(result)).collect()
    }
}
