//! Values of options, and the place where each was stated: the command line or the file of `--fleet`.

use std::rc::Rc;

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText, Position};
use spillgate_sim::SpecFault;

use crate::spec::{diagnostic, faults};

/// A value in text form.
#[derive(Debug, Clone)]
pub(super) struct Stated {
    pub(super) text: String,
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    Option(&'static str),
    File {
        file: Rc<NamedText>,
        path: String,
        position: Position,
    },
}

impl Stated {
    pub(super) fn option(option: &'static str, text: &str) -> Self {
        Self {
            text: text.to_owned(),
            place: Place::Option(option),
        }
    }

    pub(super) fn in_file(
        file: &Rc<NamedText>,
        path: String,
        position: Position,
        text: String,
    ) -> Self {
        Self {
            text,
            place: Place::File {
                file: Rc::clone(file),
                path,
                position,
            },
        }
    }

    /// The errors of the value at its place.
    pub(super) fn faults(&self, found: &[SpecFault]) -> Faults {
        match &self.place {
            Place::Option(option) => faults(option, &self.text, found),
            Place::File {
                file,
                path,
                position,
            } => {
                let all = found
                    .iter()
                    .map(|fault| diagnostic(fault).at(path.clone(), *position));
                Faults::all(&**file, &all.collect::<Vec<_>>())
            }
        }
    }
}

/// The error of a text that a server or a file states, without a place in it.
pub(super) fn unplaced(fault: &SpecFault) -> Diagnostic {
    Diagnostic {
        position: None,
        ..diagnostic(fault)
    }
}
