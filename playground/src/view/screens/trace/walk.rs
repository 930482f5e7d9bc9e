//! The step at which the user is.

/// The speeds of playback: the time of a step in milliseconds, and the label.
pub const PACES: [(u32, &str); 3] = [
    (4_000, "4\u{a0}s per step"),
    (2_000, "2\u{a0}s per step"),
    (1_000, "1\u{a0}s per step"),
];

/// The part of a decision that has been shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The number of steps.
    pub steps: usize,
    /// The current step, from 0; `None` while all steps are shown alike.
    pub at: Option<usize>,
}

/// A step seen from the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepTime {
    /// An earlier step, or any step while all are shown alike.
    Reached,
    /// The current step.
    Current,
    /// A later step.
    Later,
}

impl Walk {
    /// The walk through a number of steps. A decision can have fewer steps than the one before.
    #[must_use]
    pub fn new(steps: usize, at: Option<usize>) -> Self {
        let last = steps.checked_sub(1);
        Self {
            steps,
            at: at.zip(last).map(|(at, last)| at.min(last)),
        }
    }

    /// The next step; `None` at the last one.
    #[must_use]
    pub fn next(self) -> Option<usize> {
        let next = self.at.map_or(0, |at| at + 1);
        (next < self.steps).then_some(next)
    }

    /// The previous step; `None` at the first one.
    #[must_use]
    pub fn previous(self) -> Option<usize> {
        self.at?.checked_sub(1)
    }

    /// When a step comes.
    #[must_use]
    pub fn time_of(self, step: usize) -> StepTime {
        match self.at {
            Some(at) if step == at => StepTime::Current,
            Some(at) if step > at => StepTime::Later,
            _ => StepTime::Reached,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_starts_at_the_first_step_and_ends_at_the_last() {
        let walk = |at| Walk::new(3, at);
        assert_eq!((walk(None).next(), walk(None).previous()), (Some(0), None));
        assert_eq!(
            (walk(Some(0)).next(), walk(Some(0)).previous()),
            (Some(1), None)
        );
        assert_eq!(
            (walk(Some(2)).next(), walk(Some(2)).previous()),
            (None, Some(1))
        );
        assert_eq!(walk(Some(9)).at, Some(2));
        assert_eq!(Walk::new(0, Some(1)), Walk::new(0, None));
        assert_eq!(Walk::new(0, None).next(), None);
        let times = [0, 1, 2].map(|step| walk(Some(1)).time_of(step));
        assert_eq!(
            times,
            [StepTime::Reached, StepTime::Current, StepTime::Later]
        );
        assert_eq!(walk(None).time_of(2), StepTime::Reached);
    }
}
