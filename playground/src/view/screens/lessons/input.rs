//! The input of the screen, also as a text in links.

use super::{LESSONS, Lesson};

/// The name of the last step.
const SANDBOX: &str = "sandbox";

/// The open lesson and its state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LessonsInput {
    /// The index of the step: a lesson, or the sandbox after the last one.
    pub step: usize,
    /// The index of the chosen option; `None` before the answer.
    pub answer: Option<usize>,
    /// The values of the controls; empty for the initial ones.
    pub values: Vec<u32>,
}

impl LessonsInput {
    /// The number of steps: the lessons and the sandbox.
    pub const STEPS: usize = LESSONS.len() + 1;

    /// A step in its initial state.
    #[must_use]
    pub fn at(step: usize) -> Self {
        Self {
            step: step.min(LESSONS.len()),
            ..Self::default()
        }
    }

    /// The lesson of the step; `None` for the sandbox.
    #[must_use]
    pub fn lesson(&self) -> Option<&'static Lesson> {
        LESSONS.get(self.step).copied()
    }

    /// The values of the controls, within their ranges.
    #[must_use]
    pub fn valid_values(&self) -> Vec<u32> {
        self.lesson()
            .map_or_else(Vec::new, |lesson| lesson.valid(&self.values))
    }

    /// Reads lines of `NAME=VALUE`; an unknown name is ignored, and an invalid value has its initial
    /// value.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut input = Self::default();
        for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
            match name {
                "lesson" => input.step = step_named(value).unwrap_or_default(),
                "answer" => input.answer = value.parse().ok(),
                "values" => {
                    let values = value.split(',').map(str::parse);
                    input.values = values
                        .collect::<Result<_, _>>()
                        .unwrap_or_else(|_| Vec::new());
                }
                _ => {}
            }
        }
        let options = input.lesson().map_or(0, |lesson| lesson.options.len());
        input.answer = input.answer.filter(|answer| *answer < options);
        input
    }

    /// The text that [`LessonsInput::from_text`] reads; empty for the initial input.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut lines = Vec::new();
        if self.step > 0 {
            let name = self.lesson().map_or(SANDBOX, |lesson| lesson.name);
            lines.push(format!("lesson={name}"));
        }
        if let Some(answer) = self.answer {
            lines.push(format!("answer={answer}"));
        }
        if !self.values.is_empty() {
            let values: Vec<String> = self.values.iter().map(u32::to_string).collect();
            lines.push(format!("values={}", values.join(",")));
        }
        lines.join("\n")
    }
}

fn step_named(name: &str) -> Option<usize> {
    match name {
        SANDBOX => Some(LESSONS.len()),
        name => LESSONS.iter().position(|lesson| lesson.name == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_survives_its_text() {
        let answered = LessonsInput {
            step: 4,
            answer: Some(2),
            values: vec![25, 60, 0],
        };
        let sandbox = LessonsInput::at(LESSONS.len());
        for input in [answered, sandbox, LessonsInput::default()] {
            assert_eq!(LessonsInput::from_text(&input.to_text()), input);
        }
        assert_eq!(LessonsInput::default().to_text(), "");
    }

    #[test]
    fn invalid_texts_have_initial_values() {
        let input = LessonsInput::from_text("lesson=panic\nanswer=99\nvalues=1,x\nsound=on");
        assert_eq!(input, LessonsInput::at(4));
        assert_eq!(
            LessonsInput::from_text("lesson=none"),
            LessonsInput::default()
        );
        let far = LessonsInput::from_text("lesson=panic\nvalues=4000000000");
        assert_eq!(far.valid_values(), [100, 100, 50]);
    }
}
