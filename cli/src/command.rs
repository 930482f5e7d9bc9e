//! The result of a command.

use spillgate_answers::{
    input::Faults,
    limits::{Limit, Limits},
    located::FileNames,
};
use spillgate_config::{Diagnostic, NamedText};

use crate::report::CommandWarning;

/// The result of a command, or its errors.
pub type Finished = Result<Done, Faults>;

/// The output of a successful command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Done {
    /// The text for standard output.
    pub output: String,
    /// Warnings for standard error.
    pub warnings: Vec<CommandWarning>,
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
        let warnings: Vec<&Diagnostic> = warnings.into_iter().collect();
        let located = files.locate(&warnings).into_iter();
        self.warnings
            .extend(located.map(|one| CommandWarning::Located(Box::new(one))));
    }

    /// Adds warnings about a file by its name, which one of the texts can have.
    pub(crate) fn warn_file<'d>(
        &mut self,
        texts: &[NamedText],
        name: &str,
        warnings: impl IntoIterator<Item = &'d Diagnostic>,
    ) {
        match texts.iter().find(|text| text.name == name) {
            Some(text) => self.warn(text, warnings),
            None => self.warn(name, warnings),
        }
    }

    /// Adds limits that the output cannot show next to its figures.
    pub(crate) fn warn_limits(&mut self, limits: &Limits) {
        self.warn_lines(limits.iter().map(Limit::text));
    }

    /// Adds warnings without a place of their own.
    pub(crate) fn warn_lines(&mut self, lines: impl IntoIterator<Item = String>) {
        self.warnings
            .extend(lines.into_iter().map(CommandWarning::Line));
    }
}
