//! A message of a dump, and the update of it that Envoy refused.

use crate::{
    Diagnostic,
    envoy::schema::UPDATE_FAILURE,
    node::{Node, quote},
    proto::{Message, Path, Report},
};

/// A message and where it is.
pub(crate) type Found<'n, 'a> = (Path, &'n Node<'a>);

/// An update that Envoy refused: what it uses is older than what it was sent.
pub(super) fn note_refused_update(wrapping: &Message<'_, '_>, report: &mut Report) {
    let Some(state) = wrapping.message("error_state", &UPDATE_FAILURE, report) else {
        return;
    };
    let details = state.string("details", report).unwrap_or_default();
    Diagnostic::warning(
        "config/dump-refused",
        "Envoy refused the last update of this and uses the one before",
    )
    .at(state.path.text(), state.position)
    .found(quote(details))
    .push_to(report);
}
