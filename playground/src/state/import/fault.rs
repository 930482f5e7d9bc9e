//! What is wrong with a text, or doubtful in it.

use spillgate_config::Position;

use crate::state::plural;

/// How much a fault matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used, or some traffic of it fails.
    Error,
    /// Something has no effect, or not the effect that it seems to have.
    Warning,
    /// A smell.
    Info,
}

/// The fields of the import dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The configuration.
    Config,
    /// What `/clusters` said.
    Clusters,
}

/// One thing that the readers say about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// How much it matters.
    pub severity: Severity,
    /// The text that it is in.
    pub field: Field,
    /// A stable name of the kind: `config/unknown-field`, or a lint rule such as `weight-zero`.
    pub code: String,
    /// The field of the configuration; empty for the text as a whole.
    pub path: String,
    /// Line and column, from 1.
    pub position: Option<Position>,
    /// What is wrong.
    pub message: String,
    /// What stands there.
    pub found: Option<String>,
    /// What should.
    pub expected: Option<String>,
    /// What was probably meant: a name to put there.
    pub suggestion: Option<String>,
    /// What to do, in words.
    pub fix: Option<String>,
}

impl Fault {
    /// A fault of the texts as a whole.
    pub(super) fn error(code: &str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            field: Field::Config,
            code: code.into(),
            path: String::new(),
            position: None,
            message: message.into(),
            found: None,
            expected: None,
            suggestion: None,
            fix: None,
        }
    }
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// How many there are of each severity: `2 errors, 1 warning`; empty without any.
#[must_use]
pub fn tally(faults: &[Fault]) -> String {
    let kinds = [Severity::Error, Severity::Warning, Severity::Info];
    let counts = kinds.into_iter().filter_map(|severity| {
        let count = faults.iter().filter(|f| f.severity == severity).count();
        let word = match severity {
            Severity::Info => "remark",
            Severity::Error | Severity::Warning => severity.name(),
        };
        (count > 0).then(|| plural(count, word))
    });
    counts.collect::<Vec<_>>().join(", ")
}
