//! A message of a dump, and updates of it that Envoy rejected.

use crate::{
    Diagnostic,
    envoy::schema::UPDATE_FAILURE,
    node::{Node, quote},
    proto::{Message, Path, Report},
};

/// A message and its path.
pub(crate) type Found<'n, 'a> = (Path, &'n Node<'a>);

/// Notes an update that Envoy rejected: it still uses the previous version.
pub(super) fn note_refused_update(wrapping: &Message<'_, '_>, report: &mut Report) {
    let Some(state) = wrapping.message("error_state", &UPDATE_FAILURE, report) else {
        return;
    };
    let details = state.string("details", report).unwrap_or_default();
    Diagnostic::warning(
        "config/dump-refused",
        "Envoy rejected the last update; using the previous version",
    )
    .at(state.path.text(), state.position)
    .found(quote(details))
    .push_to(report);
}
