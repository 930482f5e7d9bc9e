//! How far long work has come: a line on the standard error, only where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The line. It vanishes when this is dropped.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Work that is counted step by step; how many there are is not known before.
    pub(crate) fn counting(what: &'static str) -> Self {
        Self::shaped("{spinner} {pos} {prefix}  {wide_msg}", what)
    }

    /// Work whose steps nobody counts.
    pub(crate) fn busy(what: &'static str) -> Self {
        let progress = Self::shaped("{spinner} {prefix}, {elapsed}", what);
        progress.0.enable_steady_tick(Duration::from_millis(100));
        progress
    }

    /// A step was done.
    pub(crate) fn step(&self, name: &str) {
        self.0.set_message(name.to_owned());
        self.0.inc(1);
    }

    fn shaped(shape: &str, what: &'static str) -> Self {
        // A shape that cannot be read leaves the library's own.
        let style = ProgressStyle::with_template(shape);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::no_length();
        Self(bar.with_style(style).with_prefix(what))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
