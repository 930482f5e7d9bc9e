//! The facts of a whole input for lint, from those that the readers found.

use alloc::vec::Vec;

use super::{
    document::{Format, Roots, SourceText},
    facts::{ClusterFacts, ConfigFacts, surprises},
    listener::ListenerConfig,
};
use crate::{SourceMap, proto::Report};

/// The facts of an input with these clusters and listeners.
pub(super) fn judged_facts(
    roots: &Roots<'_, '_>,
    (clusters, listeners): (Vec<ClusterFacts>, &[ListenerConfig]),
    sources: &[SourceText<'_>],
    report: &Report,
) -> ConfigFacts {
    let mut scalars = Vec::new();
    // Only these are YAML that Envoy itself reads.
    if sources.iter().any(|source| source.format == Format::Yaml) {
        let lines = yaml_lines(sources, report.sources());
        let listeners = listeners.iter().filter_map(|one| one.facts.as_ref());
        scalars = surprises(&clusters, listeners, &lines);
    }
    ConfigFacts {
        whole: roots.local.stated,
        // A dump also contains the clusters of control planes.
        clusters_elsewhere: roots.local.cds.is_some() && !report.is_dump(),
        // A capture has the hosts, and only a part of the bootstrap.
        extensions: (roots.local.stated && !(report.is_dump() && roots.has_statuses()))
            .then(|| roots.local.extensions.clone()),
        clusters,
        scalars,
    }
}

/// The lines of all texts by position; those of JSON are empty.
fn yaml_lines<'a>(sources: &[SourceText<'a>], map: &SourceMap) -> Vec<&'a str> {
    let mut lines = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        let before = usize::try_from(map.lines_before(file)).unwrap_or(usize::MAX);
        lines.resize(before, "");
        if source.format == Format::Yaml {
            lines.extend(source.text.lines());
        }
    }
    lines
}
