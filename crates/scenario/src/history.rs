//! Undo and redo over immutable values.

/// The maximum number of steps to undo.
const LONGEST: usize = 200;

/// Changes of the same control within this many milliseconds are one step.
const BURST_MS: f64 = 600.0;

/// A value with its earlier values, and the undone ones.
#[derive(Debug, Clone)]
pub struct History<T> {
    past: Vec<T>,
    present: T,
    future: Vec<T>,
    last: Option<(EditControl, f64)>,
}

/// A slider or field; quick changes of the same control are one step.
pub type EditControl = (u8, usize, usize);

impl<T: Clone> History<T> {
    /// A history without earlier values.
    #[must_use]
    pub const fn new(present: T) -> Self {
        Self {
            past: Vec::new(),
            present,
            future: Vec::new(),
            last: None,
        }
    }

    /// The current value.
    #[must_use]
    pub const fn present(&self) -> &T {
        &self.present
    }

    /// The earlier values, the latest first.
    pub fn earlier(&self) -> impl Iterator<Item = &T> {
        self.past.iter().rev()
    }

    /// The numbers of steps to undo and to redo.
    #[must_use]
    pub const fn depth(&self) -> (usize, usize) {
        (self.past.len(), self.future.len())
    }

    /// Adds a value, and returns whether that is a new step. `now` is in milliseconds of a steady
    /// clock; a change without a control is always a new step.
    pub fn push(&mut self, next: T, control: Option<EditControl>, now: f64) -> bool {
        let burst = matches!(
            (control, self.last),
            (Some(this), Some((last, at))) if this == last && now - at <= BURST_MS
        );
        let before = std::mem::replace(&mut self.present, next);
        if !burst {
            self.past.push(before);
            if self.past.len() > LONGEST {
                self.past.remove(0);
            }
        }
        self.future.clear();
        self.last = control.map(|control| (control, now));
        !burst
    }

    /// Replaces the current value, which is no step: undo does not return to it.
    pub fn replace(&mut self, next: T) {
        self.present = next;
        self.future.clear();
        self.last = None;
    }

    /// Completes the current value. Unlike [`replace`](Self::replace), a burst goes on.
    pub fn complete(&mut self, present: T) {
        self.present = present;
    }

    /// Undoes one step; `false` if there are no more.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.past.pop() else {
            return false;
        };
        let after = std::mem::replace(&mut self.present, before);
        self.future.push(after);
        self.last = None;
        true
    }

    /// Redoes one step; `false` if there are no more.
    pub fn redo(&mut self) -> bool {
        let Some(after) = self.future.pop() else {
            return false;
        };
        let before = std::mem::replace(&mut self.present, after);
        self.past.push(before);
        self.last = None;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLIDER: Option<EditControl> = Some((1, 0, 0));
    const OTHER: Option<EditControl> = Some((1, 0, 1));

    #[test]
    fn a_drag_is_one_step() {
        let mut history = History::new(0);
        for (value, now) in [(1, 0.0), (2, 500.0), (3, 1100.0)] {
            history.push(value, SLIDER, now);
        }
        assert!(history.undo());
        assert_eq!(*history.present(), 0);
        assert!(history.redo());
        assert_eq!(*history.present(), 3);
    }

    #[test]
    fn a_pause_another_control_or_no_control_starts_a_step() {
        let mut history = History::new(0);
        history.push(1, SLIDER, 0.0);
        history.push(2, SLIDER, 601.0);
        history.push(3, OTHER, 602.0);
        history.push(4, None, 603.0);
        history.push(5, None, 604.0);
        assert_eq!(history.depth(), (5, 0));
    }

    #[test]
    fn a_replaced_value_is_no_step() {
        let mut history = History::new(0);
        history.push(1, SLIDER, 0.0);
        history.replace(2);
        assert_eq!((*history.present(), history.depth()), (2, (1, 0)));
        history.push(3, SLIDER, 1.0);
        assert_eq!(history.depth(), (2, 0), "it ends a burst");
        history.undo();
        assert_eq!(*history.present(), 2);
    }

    #[test]
    fn an_undo_ends_a_burst() {
        let mut history = History::new(0);
        history.push(1, SLIDER, 0.0);
        history.undo();
        history.push(2, SLIDER, 1.0);
        assert_eq!(history.depth(), (1, 0));
        assert_eq!(history.earlier().collect::<Vec<_>>(), [&0]);
    }

    #[test]
    fn a_new_value_discards_redo_steps_and_undo_steps_are_bounded() {
        let mut history = History::new(0);
        for value in 1..=300 {
            history.push(value, None, 0.0);
        }
        assert_eq!(history.depth(), (200, 0));
        assert!(history.undo());
        history.push(1000, None, 0.0);
        assert!(!history.redo());
        while history.undo() {}
        assert_eq!(*history.present(), 100);
    }
}
