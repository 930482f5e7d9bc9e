//! `output`: where the decision goes.

use alloc::format;

use spillgate_core::decide::MAXIMUM_CANDIDATES;

use super::{Output, header_name::read_header_name};
use crate::{
    Diagnostic,
    node::quote,
    proto::{Message, Report, Schema},
};

static OUTPUT: Schema = Schema::new(
    "output",
    &["mode", "host_header", "cluster_header", "candidates"],
)
.later(&["subset_headers"]);

/// The modes of the filter; `true` for those that this version has.
const MODES: [(&str, i64, bool); 3] = [
    ("override_host", 0, true),
    ("stateful_session", 1, false),
    ("subset_headers", 2, false),
];

/// Reads `output`; what is absent has its default.
pub(super) fn read_output(parent: &Message<'_, '_>, report: &mut Report) -> Output {
    let mut output = Output::default();
    let Some(message) = parent.message("output", &OUTPUT, report) else {
        return output;
    };
    if message.enumeration("mode", &MODES, report) == Some(false) {
        report.push(
            message
                .error(
                    "mode",
                    "config/not-supported",
                    "this mode is not supported by this version",
                )
                .expected("override_host"),
        );
    }
    if let Some(name) = read_header_name(&message, "host_header", report) {
        output.host_header = name;
    }
    if let Some(name) = read_header_name(&message, "cluster_header", report) {
        output.cluster_header = name;
    }
    if output.host_header == output.cluster_header {
        report.push(
            Diagnostic::error(
                "config/header-name",
                "host_header and cluster_header are the same",
            )
            .at(message.path.text(), message.position_of("cluster_header"))
            .found(quote(&output.host_header)),
        );
    }
    if let Some(candidates) = message.u32("candidates", report) {
        match usize::try_from(candidates) {
            Ok(candidates @ 1..=MAXIMUM_CANDIDATES) => output.candidates = candidates,
            _ => report.push(
                message
                    .error("candidates", "config/value", "out of range")
                    .expected(format!("a whole number from 1 to {MAXIMUM_CANDIDATES}")),
            ),
        }
    }
    output
}
