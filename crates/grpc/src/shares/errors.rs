//! The errors of a resource that gRPC rejects, as gRPC prints them.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

/// Errors by field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldErrors(BTreeMap<String, Vec<String>>);

impl FieldErrors {
    /// Adds an error.
    pub fn add(&mut self, field: impl Into<String>, error: impl Into<String>) {
        self.0.entry(field.into()).or_default().push(error.into());
    }

    /// Whether the resource is accepted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All errors as one text, after a heading.
    #[must_use]
    pub fn text(&self, heading: &str) -> String {
        let fields = self
            .0
            .iter()
            .map(|(field, errors)| match errors.as_slice() {
                [error] => format!("field:{field} error:{error}"),
                errors => format!("field:{field} errors:[{}]", errors.join("; ")),
            });
        let fields: Vec<String> = fields.collect();
        format!("{heading}: [{}]", fields.join("; "))
    }
}
