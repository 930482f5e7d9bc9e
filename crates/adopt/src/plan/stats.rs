//! What makes the metrics of the filter visible: labels, and a place among the included names.

use serde_json::{Value, json};

use super::{files::Edit, place::Place};

/// The metrics of a form.
#[derive(Debug)]
pub(crate) struct FilterStats {
    /// How all names begin.
    pub(super) prefix: &'static str,
    /// The labels: their names, and regular expressions of the parts of a name.
    pub(super) tags: [(&'static str, &'static str); 4],
}

/// The metrics of `spillgate.wasm`.
pub(crate) const WASM: FilterStats = FilterStats {
    prefix: "wasmcustom.spillgate.",
    tags: [
        (
            "spillgate.cluster",
            r"^wasmcustom\.spillgate\.(?:decisions|health)(\.cluster\.(.+?))\.(?:priority\.|(?:metadata_)?age_ms$|stale$)",
        ),
        (
            "spillgate.priority",
            r"^wasmcustom\.spillgate\.decisions\..+?(\.priority\.(\d+|none))\.",
        ),
        (
            "spillgate.step",
            r"^wasmcustom\.spillgate\.decisions\..+?(\.step\.(\d+|none))\.",
        ),
        (
            "spillgate.reason",
            r"^wasmcustom\.spillgate\.(?:decisions|sessions)\..+(\.reason\.([^.]+))$",
        ),
    ],
};

/// The metrics of the dynamic module.
pub(crate) const MODULE: FilterStats = FilterStats {
    prefix: "dynamicmodulescustom.spillgate.",
    tags: [
        (
            "spillgate.cluster",
            r"^dynamicmodulescustom\.spillgate\.decisions(\.cluster\.(.+?))\.priority\.",
        ),
        (
            "spillgate.priority",
            r"^dynamicmodulescustom\.spillgate\.decisions\..+?(\.priority\.(\d+|none))\.",
        ),
        (
            "spillgate.step",
            r"^dynamicmodulescustom\.spillgate\.decisions\..+?(\.step\.(\d+|none))\.",
        ),
        (
            "spillgate.reason",
            r"^dynamicmodulescustom\.spillgate\.decisions\..+(\.reason\.([^.]+))$",
        ),
    ],
};

/// A label as in `stats_tags`.
fn tag((name, regex): &(&str, &str)) -> Value {
    json!({"tag_name": name, "regex": regex})
}

impl FilterStats {
    /// All labels, as in `stats_tags`.
    pub(crate) fn all_tags(&self) -> Value {
        self.tags.iter().map(tag).collect()
    }

    /// Whether a label in `stats_tags` is one of these.
    pub(super) fn has_tag(&self, tag: &Place<'_>) -> bool {
        let name = tag.text("tag_name");
        self.tags.iter().any(|(own, _)| Some(*own) == name)
    }

    /// Whether a pattern of `inclusion_list` is for these metrics alone.
    pub(super) fn is_pattern(&self, pattern: &Place<'_>) -> bool {
        pattern.text("prefix") == Some(self.prefix)
    }
}

/// The labels and the pattern that the bootstrap does not have.
pub(super) fn visible(root: &Place<'_>, own: &FilterStats) -> Vec<Edit> {
    let mut edits = labels(root, own);
    let included = root.at(&["stats_config", "stats_matcher", "inclusion_list"]);
    if let Some(included) = included {
        let patterns = included.items("patterns");
        let is_included = |pattern: &Place<'_>| {
            let prefix = pattern.text("prefix");
            prefix.is_some_and(|prefix| own.prefix.starts_with(prefix))
        };
        if !patterns.iter().any(is_included) {
            let pattern = json!({"prefix": own.prefix});
            edits.push(included.add_item("patterns", None, pattern));
        }
    }
    edits
}

fn labels(root: &Place<'_>, own: &FilterStats) -> Vec<Edit> {
    let stats = root.field("stats_config");
    let present = stats
        .as_ref()
        .map_or_else(Vec::new, |stats| stats.items("stats_tags"));
    let is_there = |name: &str| present.iter().any(|tag| tag.text("tag_name") == Some(name));
    let tags = own.tags.iter().filter(|(name, _)| !is_there(name));
    let tags = tags.map(tag);
    match stats {
        None => vec![root.add_entry(
            "stats_config",
            json!({"stats_tags": tags.collect::<Value>()}),
        )],
        Some(stats) if !present.is_empty() => tags
            .map(|tag| stats.add_item("stats_tags", None, tag))
            .collect(),
        Some(stats) => match stats.key("stats_tags") {
            Some(key) => vec![stats.replace_entry(&key, &key, tags.collect())],
            None => vec![stats.add_entry("stats_tags", tags.collect())],
        },
    }
}
