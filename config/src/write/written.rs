//! What writing comes to.

use alloc::{string::String, vec::Vec};

use crate::{Diagnostic, proto::Report};

/// A text and what it does not say of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What is known of hosts and has no place in a configuration.
    pub warnings: Vec<Diagnostic>,
}

impl Written {
    /// The text, unless the report has errors.
    pub(crate) fn of(text: String, report: Report) -> Result<Self, Vec<Diagnostic>> {
        let warnings = report.finish()?;
        Ok(Self { text, warnings })
    }
}
