//! `spillgate diff --format sarif`: the lint findings that only the new side has.

use super::answer::DiffAnswer;
use crate::lint::sarif_of;

/// The log.
pub(super) fn write(answer: &DiffAnswer<'_>) -> String {
    let files = answer.new.config.files();
    let placed = answer.findings.new.iter().map(|finding| {
        let place = files.place(finding.position);
        (place.name, place.position, *finding)
    });
    sarif_of("spillgate diff", &files.name(), placed)
}
