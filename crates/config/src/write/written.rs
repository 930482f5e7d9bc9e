//! The result of writing.

use alloc::{string::String, vec::Vec};

use crate::{Diagnostic, proto::Report};

/// A text, and warnings about parts of the model that it omits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Warnings about host data that a configuration cannot express.
    pub warnings: Vec<Diagnostic>,
}

impl Written {
    /// The text, unless the report has errors.
    pub(crate) fn of(text: String, report: Report) -> Result<Self, Vec<Diagnostic>> {
        let warnings = report.finish()?;
        Ok(Self { text, warnings })
    }
}
