//! The result of a command.

use spillgate_answers::{
    input::{Faults, FileNames},
    limits::Limits,
};
use spillgate_config::Diagnostic;

/// The result of a command, or its errors.
pub type Finished = Result<Done, Faults>;

/// The output of a successful command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Done {
    /// The text for standard output.
    pub output: String,
    /// Warnings for standard error, one line each.
    pub warnings: Vec<String>,
    /// Lines for standard error after the output.
    pub closing: Vec<String>,
    /// Whether programs read the output, such as a diff for `patch`: where no terminal shows it, it is exact.
    pub exact: bool,
    /// Whether the result is negative (exit status 1), such as a failed vector.
    pub negative: bool,
}

impl Done {
    /// Adds warnings about an input.
    pub(crate) fn warn<'d>(
        &mut self,
        files: &(impl FileNames + ?Sized),
        warnings: impl IntoIterator<Item = &'d Diagnostic>,
    ) {
        let lines = warnings.into_iter().map(|warning| {
            let line = files.render(warning);
            // The prefix distinguishes warnings from errors.
            format!("warning: {line}")
        });
        self.warnings.extend(lines);
    }

    /// Adds limits that the output cannot show next to its figures.
    pub(crate) fn warn_limits(&mut self, limits: &Limits) {
        let lines = limits.iter();
        self.warnings
            .extend(lines.map(|limit| format!("warning: {}", limit.text())));
    }
}
