//! What a command leaves behind.

use spillgate_config::Diagnostic;

use crate::input::Faults;

/// What came of a command.
pub type Finished = Result<Done, Faults>;

/// A command that did its work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Done {
    /// For the standard output.
    pub output: String,
    /// Warnings for the standard error, one line each.
    pub warnings: Vec<String>,
    /// The answer is "no": failed vectors.
    pub negative: bool,
}

impl Done {
    /// Adds warnings about a file.
    pub(crate) fn warn(&mut self, file: &str, warnings: &[Diagnostic]) {
        let lines = warnings.iter().map(|warning| {
            let line = warning.render(file);
            // Errors and warnings look alike otherwise.
            format!("warning: {line}")
        });
        self.warnings.extend(lines);
    }
}
