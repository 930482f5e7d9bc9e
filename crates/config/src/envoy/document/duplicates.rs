//! Resources that two files define.
//!
//! One text can repeat a resource on purpose, as dumps do. Two files with the same resource are
//! usually two versions of it, or files of two proxies.
//!
//! A cluster in two files is an error, because Envoy would refuse it or keep one of them, depending
//! on their origin; other resources get a warning.

use alloc::format;

use spillgate_core::names::Names;

use super::Roots;
use crate::{
    Diagnostic,
    envoy::common::name_of,
    node::{Node, quote},
    proto::{Path, Report},
};

/// Which of several resources with one name is used.
#[derive(Clone, Copy)]
enum Used {
    First,
    Last,
}

/// Warns about the resources other than clusters that two files define. Two clusters with one name
/// are an error.
pub(crate) fn warn_duplicates(roots: &Roots<'_, '_>, report: &mut Report) {
    if !report.sources().is_several() {
        return;
    }
    let kinds = [
        (&roots.assignments, "cluster_name", Used::Last),
        (&roots.route_configurations, "name", Used::Last),
        (&roots.listeners, "name", Used::First),
    ];
    for (resources, field, used) in kinds {
        check(resources, field, used, report);
    }
}

fn check(resources: &[(Path, &Node<'_>)], field: &'static str, used: Used, report: &mut Report) {
    let mut names = Names::default();
    for (at, (path, node)) in resources.iter().enumerate() {
        let Some(name) = name_of(node, field).filter(|name| !name.is_empty()) else {
            continue;
        };
        let earlier = names.insert(name, at);
        let Some((_, earlier)) = earlier.and_then(|at| resources.get(at)) else {
            continue;
        };
        if let Some(other) = report.sources().elsewhere(earlier.position, node.position) {
            let used = match used {
                Used::First => "the first one",
                Used::Last => "the last one",
            };
            Diagnostic::warning(
                "config/duplicate-resource",
                format!("{field} is also in {other}; using {used}"),
            )
            .at(path.text(), node.position)
            .found(quote(name))
            .expected("the files of one proxy")
            .push_to(report);
        }
    }
}
