//! Collects faults at paths.

use alloc::{format, string::String, vec::Vec};
use core::fmt::Display;

use crate::{MeshFault, MeshFaultCode};

/// A place in a document, and the list of faults.
pub(crate) struct Place<'a> {
    path: String,
    faults: &'a mut Vec<MeshFault>,
}

impl<'a> Place<'a> {
    /// The checked part of the document.
    pub(crate) const fn root(faults: &'a mut Vec<MeshFault>) -> Self {
        Self {
            path: String::new(),
            faults,
        }
    }

    /// A field.
    pub(crate) fn field(&mut self, name: &str) -> Place<'_> {
        let path = if self.path.is_empty() {
            name.into()
        } else {
            format!("{}.{name}", self.path)
        };
        Place {
            path,
            faults: self.faults,
        }
    }

    /// An entry of a list.
    pub(crate) fn entry(&mut self, index: impl Display) -> Place<'_> {
        Place {
            path: format!("{}[{index}]", self.path),
            faults: self.faults,
        }
    }

    /// Adds a fault at this place.
    pub(crate) fn fault(&mut self, code: MeshFaultCode) {
        self.faults.push(MeshFault::new(self.path.as_str(), code));
    }

    /// Adds a fault if the condition holds.
    pub(crate) fn fault_if(&mut self, condition: bool, code: MeshFaultCode) {
        if condition {
            self.fault(code);
        }
    }
}
