//! `--criteria`, and the errors of losses, selectors and expectations.

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText, Position, nearest};
use spillgate_core::model::{Metadata, Model};
use spillgate_core::visible::quoted;
use spillgate_sim::SpecFault;

/// The errors of an option value, named by the option and the value.
pub(crate) fn faults(option: &str, text: &str, faults: &[SpecFault]) -> Faults {
    let all: Vec<Diagnostic> = faults.iter().map(diagnostic).collect();
    let value = NamedText {
        name: format!("{option} {}", quoted(text)),
        text: text.to_owned(),
    };
    Faults::all(&value, &all)
}

/// An error of `spillgate-sim` in the form of all errors.
pub(crate) fn diagnostic(fault: &SpecFault) -> Diagnostic {
    let choices = fault.choices.iter().map(String::as_str);
    let position = Position {
        line: 1,
        column: u32::try_from(fault.column).unwrap_or(u32::MAX),
    };
    Diagnostic::error(fault.code, fault.message)
        .at("", position)
        .found(fault.found.as_str())
        .expected(fault.expected.as_str())
        .suggest(nearest(fault.found.trim_matches('"'), choices))
}

/// The subset criteria of `--criteria`.
pub(crate) fn criteria(model: &Model, text: Option<&str>) -> Result<Metadata, Faults> {
    let read = |text| {
        spillgate_sim::criteria(model, text).map_err(|found| faults("--criteria", text, &found))
    };
    text.map_or(Ok(Metadata::EMPTY), read)
}
