//! Fields of which a message has one at most: a new one takes the place of the others.

/// Fields that take the place of others: the new one, and those that it replaces.
const REPLACED: [(&str, [&str; 2]); 2] = [
    ("cluster_header", ["cluster", "weighted_clusters"]),
    (
        "inline_cluster_specifier_plugin",
        ["cluster", "weighted_clusters"],
    ),
];

/// The fields that a field replaces.
pub(super) fn replaced_by(new: &str) -> &'static [&'static str] {
    let found = REPLACED.iter().find(|(name, _)| *name == new);
    found.map_or(&[], |(_, old)| old.as_slice())
}
