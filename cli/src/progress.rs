//! How far long work has come: a line on the standard error, only where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// The line. It vanishes when this is dropped.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Work of so many steps, or of as many as there turn out to be.
    pub(crate) fn new(steps: Option<u64>, what: &'static str) -> Self {
        let (bar, shape) = match steps {
            Some(steps) => (
                ProgressBar::new(steps),
                "{bar:24} {pos}/{len} {prefix}  {wide_msg}",
            ),
            None => (
                ProgressBar::no_length(),
                "{spinner} {pos} {prefix}  {wide_msg}",
            ),
        };
        // A shape that cannot be read leaves the library's own.
        let style = ProgressStyle::with_template(shape);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(bar.with_style(style).with_prefix(what))
    }

    /// A step was done.
    pub(crate) fn step(&self, name: &str) {
        self.0.set_message(name.to_owned());
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
