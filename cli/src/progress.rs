//! A progress line for long commands, on standard error if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use spillgate_core::visible::visible;

/// The progress line. Dropping it removes the line.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Work with counted steps of unknown number.
    pub(crate) fn counting(what: &'static str) -> Self {
        Self::shaped("{spinner} {pos} {prefix}  {wide_msg}", what)
    }

    /// Work without counted steps.
    pub(crate) fn busy(what: &'static str) -> Self {
        let progress = Self::shaped("{spinner} {prefix}, {elapsed}", what);
        progress.0.enable_steady_tick(Duration::from_millis(100));
        progress
    }

    /// Counts a step.
    pub(crate) fn step(&self, name: &str) {
        self.0.set_message(visible(name).into_owned());
        self.0.inc(1);
    }

    /// A progress line with a template of `indicatif`.
    fn shaped(shape: &str, what: &'static str) -> Self {
        // An invalid template falls back to the default.
        let style = ProgressStyle::with_template(shape)
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::no_length();
        Self(bar.with_style(style).with_prefix(what))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
