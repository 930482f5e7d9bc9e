//! Listeners from LDS, each in up to three states.

use super::found::{Found, note_refused_update};
use crate::{
    Diagnostic,
    envoy::{
        common::check_version,
        schema::{DUMPED, DYNAMIC_LISTENER},
    },
    node::{Node, quote},
    proto::{Message, Path, Report},
};

/// The active listener, if there is one; otherwise a warning names its state.
pub(super) fn dynamic_listener<'n, 'a>(
    node: &'n Node<'a>,
    path: Path,
    report: &mut Report,
) -> Option<Found<'n, 'a>> {
    let listener = Message::open(node, path, &DYNAMIC_LISTENER, report)?;
    note_refused_update(&listener, report);
    if let Some(active) = listener.message("active_state", &DUMPED, report) {
        let node = active.get("listener")?;
        let path = active.path.field("listener");
        return check_version(node, &path, report).then_some((path, node));
    }
    let states = [
        ("warming_state", "warming"),
        ("draining_state", "draining"),
        ("error_state", "rejected"),
    ];
    let (field, why) = states.into_iter().find(|(field, _)| listener.has(field))?;
    let name = listener.string("name", report).unwrap_or_default();
    Diagnostic::warning(
        "config/dump-warming",
        alloc::format!("listener is {why}; skipped"),
    )
    .at(listener.path.text(), listener.position_of(field))
    .found(quote(name))
    .push_to(report);
    None
}
