//! Links in arguments.

use std::path::Path;

use spillgate_answers::input::Faults;
use spillgate_codec::link::{LinkError, OldSide, Scenario, old_side, read, read_view};
use spillgate_config::Diagnostic;

/// Whether an argument is a link of the playground.
pub(crate) fn is_link(argument: &str) -> bool {
    argument.contains('#') && !Path::new(argument).exists()
}

/// The scenario of a link, or of its fragment alone; of a comparison the new side.
///
/// # Errors
/// If it is unreadable.
pub(crate) fn read_scenario(link: &str) -> Result<Scenario, Faults> {
    read(fragment(link)).map_err(|error| unreadable(&error))
}

/// The old side of a link that compares two scenarios; `None` for another link.
///
/// # Errors
/// If it is unreadable.
pub(crate) fn read_old_side(link: &str) -> Result<Option<OldSide>, Faults> {
    let view = read_view(fragment(link));
    let found = view.and_then(|view| old_side(&view));
    found.map_err(|error| unreadable(&error))
}

/// The part after the URL of the playground.
fn fragment(link: &str) -> &str {
    link.split_once('#').map_or(link, |(_, fragment)| fragment)
}

fn unreadable(error: &LinkError) -> Faults {
    let what = format!("cannot read link: {error}");
    Faults::one("LINK", &Diagnostic::error("link/unreadable", what))
}
