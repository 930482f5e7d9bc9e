//! Hosts by selector, as in `spillgate what-if`.

use alloc::vec::Vec;

use crate::{Selector, SpecFault, world::Layout};

use spillgate_config::{
    Diagnostic,
    node::Node,
    proto::{Path, Report, nearest},
};

/// The numbers of the hosts that a selector in a field matches; `None` after an error.
pub(super) fn select(
    text: &str,
    (node, path): (&Node<'_>, &Path),
    layout: &Layout,
    report: &mut Report,
) -> Option<Vec<usize>> {
    let found = Selector::parse(text)
        .and_then(|selector| layout.select(&selector).map_err(|fault| Vec::from([fault])));
    found
        .map_err(|faults| {
            for fault in faults {
                report.push(diagnostic(&fault).at(path.text(), node.position));
            }
        })
        .ok()
}

/// A fault as a diagnostic of the field.
pub(super) fn diagnostic(fault: &SpecFault) -> Diagnostic {
    let choices = fault.choices.iter().map(alloc::string::String::as_str);
    Diagnostic::error(fault.code, fault.message)
        .found(fault.found.as_str())
        .expected(fault.expected.as_str())
        .suggest(nearest(fault.found.trim_matches('"'), choices))
}
