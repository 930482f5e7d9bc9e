//! A message of a dump, and updates of it that Envoy rejected.

use crate::{
    Diagnostic,
    envoy::schema::UPDATE_FAILURE,
    node::{Node, quote},
    proto::{Message, Path, Report},
};

/// A message and its path.
pub(crate) type Found<'n, 'a> = (Path, &'n Node<'a>);

/// The code of rejected updates.
const REFUSED: &str = "config/dump-refused";

/// Whether the client has accepted the version in a dump. Envoy's own dumps of filters do not state it;
/// `spillgate-admin` adds it.
const STATUS: &str = "client_status";

/// Notes an update that Envoy rejected: it still uses the previous version.
pub(super) fn note_refused_update(wrapping: &Message<'_, '_>, report: &mut Report) {
    let Some(state) = wrapping.message("error_state", &UPDATE_FAILURE, report) else {
        return;
    };
    let details = state.string("details", report).unwrap_or_default();
    if wrapping.string(STATUS, report) == Some("NACKED") {
        let what = "Envoy rejected this version; a previous one serves, which is not in the input";
        Diagnostic::warning(REFUSED, what)
            .at(wrapping.path.field(STATUS).text(), state.position)
            .found(quote(details))
            .push_to(report);
        return;
    }
    Diagnostic::warning(
        REFUSED,
        "Envoy rejected the last update; using the previous version",
    )
    .at(state.path.text(), state.position)
    .found(quote(details))
    .push_to(report);
}

/// Whether a warning is about a version that a dump shows although Envoy rejected it, and the resource of that
/// version has this path.
pub(crate) fn is_rejected_version(warning: &Diagnostic, path: &str) -> bool {
    let resource = warning.path.strip_suffix(STATUS);
    warning.code == REFUSED && resource.is_some_and(|resource| path.starts_with(resource))
}
