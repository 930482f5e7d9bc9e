//! The answered lessons.

use super::LESSONS;

/// The last answer to each lesson: the index of the chosen option.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LessonProgress {
    answers: [Option<usize>; LESSONS.len()],
}

impl LessonProgress {
    /// Reads `LESSON=ANSWER`, separated by spaces. Other words are ignored.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut progress = Self::default();
        for (name, answer) in text
            .split_whitespace()
            .filter_map(|word| word.split_once('='))
        {
            let lessons = LESSONS.iter().zip(&mut progress.answers);
            for (lesson, kept) in lessons.filter(|(lesson, _)| lesson.name == name) {
                let answer = answer.parse().ok();
                *kept = answer.filter(|answer| *answer < lesson.options.len());
            }
        }
        progress
    }

    /// The text that [`LessonProgress::from_text`] reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        let lessons = LESSONS.iter().zip(self.answers);
        let words =
            lessons.filter_map(|(lesson, answer)| Some(format!("{}={}", lesson.name, answer?)));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The answer to a lesson, by its index.
    #[must_use]
    pub fn answer(&self, lesson: usize) -> Option<usize> {
        self.answers.get(lesson).copied().flatten()
    }

    /// The same with an answer to a lesson.
    #[must_use]
    pub fn with(&self, lesson: usize, answer: usize) -> Self {
        let mut next = self.clone();
        if let Some(kept) = next.answers.get_mut(lesson) {
            *kept = Some(answer);
        }
        next
    }

    /// The number of answered lessons.
    #[must_use]
    pub fn answered(&self) -> usize {
        self.answers.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_survives_its_text() {
        let progress = LessonProgress::default().with(0, 1).with(8, 2).with(0, 3);
        assert_eq!(progress.answered(), 2);
        assert_eq!(progress.answer(0), Some(3));
        assert_eq!(progress.answer(1), None);
        assert_eq!(LessonProgress::from_text(&progress.to_text()), progress);
        let other = "health=x spillover=99 opera=1 panic";
        assert_eq!(LessonProgress::from_text(other), LessonProgress::default());
        assert_eq!(progress.with(99, 0), progress);
    }
}
