//! What scenarios may be made of, by name, so that a run can be told what to use and can tell
//! what it used.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

/// Every feature, and whether runs use it when they are not told.
const ALL: &[(&str, bool)] = &[
    // Policies.
    ("round_robin", true),
    ("random", true),
    ("ring_hash", true),
    ("maglev", true),
    ("least_request", true),
    ("typed_policy", true),
    // Levels and their hosts.
    ("priorities", true),
    ("empty_level", true),
    ("health", true),
    ("weights", true),
    ("overprovisioning_factor", true),
    ("panic_threshold", true),
    ("weighted_priority_health", true),
    ("hash_key", true),
    ("hostname_hashing", true),
    // The address of a DNS host stands for a host name that it lacks.
    ("dns_names", false),
    ("drop_overloads", true),
    // Localities.
    ("localities", true),
    ("locality_weighted_hash", true),
    ("empty_localities", true),
    ("unweighted_localities", true),
    ("locality_weighted", true),
    ("node_locality", true),
    ("zone_aware", true),
    ("fail_traffic_on_panic", true),
    // Aggregates.
    ("aggregate", true),
    ("aggregate_missing_member", true),
    // Subsets.
    ("subsets", true),
    ("subset_typed", true),
    ("subset_selector_fallback", true),
    ("subset_keys_subset", true),
    ("subset_fallback_list", true),
    ("subset_single_host", true),
    ("subset_list_as_any", true),
    ("subset_locality_weight", true),
    ("subset_scale_locality_weight", true),
    ("subset_panic_mode_any", true),
    ("subset_redundant_keys", true),
    // Requests.
    ("header_hash", true),
    ("no_hash", true),
    ("terminal", true),
    ("cookie_hash", true),
    ("query_hash", true),
    ("source_ip_hash", true),
    ("policy_hash", true),
    ("several_routes", true),
    ("route_headers", true),
    ("route_headers_inverted", true),
    ("route_query", true),
    ("route_regex", true),
    ("route_path_separated", true),
    ("weighted_clusters", true),
    ("weighted_header", true),
    ("weighted_hash", true),
    ("weighted_metadata", true),
    ("cluster_header", true),
    ("header_to_metadata", true),
    ("set_metadata", true),
];

/// The features that a run may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Features(BTreeSet<&'static str>);

/// How many scenarios used each feature.
pub type Used = BTreeMap<&'static str, usize>;

impl Default for Features {
    fn default() -> Self {
        let on = ALL.iter().filter(|(_, on)| *on);
        Self(on.map(|(name, _)| *name).collect())
    }
}

impl Features {
    /// Reads a list of names: `default` and `all` stand for several, `+name` and a name add one,
    /// `-name` takes one away. A list that begins with a bare name begins with nothing.
    ///
    /// # Errors
    /// Every name that no feature has.
    pub fn parse(list: &str) -> Result<Self> {
        let mut chosen = match list.starts_with(['+', '-']) {
            true => Self::default().0,
            false => BTreeSet::new(),
        };
        let mut unknown = Vec::new();
        for word in list.split(',').map(str::trim) {
            match word {
                "default" => chosen.extend(Self::default().0),
                "all" => chosen.extend(ALL.iter().map(|(name, _)| *name)),
                _ => {
                    let bare = word.trim_start_matches(['+', '-']);
                    match ALL.iter().find(|(name, _)| *name == bare) {
                        Some((name, _)) if word.starts_with('-') => {
                            chosen.remove(name);
                        }
                        Some((name, _)) => {
                            chosen.insert(name);
                        }
                        None => unknown.push(format!("`{word}`")),
                    }
                }
            }
        }
        if !unknown.is_empty() {
            let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
            bail!(
                "no such features: {}; expected default, all or some of {}",
                unknown.join(", "),
                names.join(", ")
            );
        }
        Ok(Self(chosen))
    }

    /// Whether a feature may be used.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        ALL.iter()
            .map(|(name, _)| *name)
            .filter(|name| self.has(name))
    }
}

/// The feature of that name, which must be in the list: a misspelt one would never be used.
///
/// # Panics
/// When there is none.
#[must_use]
pub(super) fn known(name: &'static str) -> &'static str {
    assert!(
        ALL.iter().any(|(known, _)| *known == name),
        "{name} is no feature"
    );
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() -> Result<()> {
        assert_eq!(Features::parse("default")?, Features::default());
        let two: Vec<_> = Features::parse("maglev,random")?.names().collect();
        assert_eq!(two, ["random", "maglev"]);
        let without = Features::parse("-maglev")?;
        assert!(!without.has("maglev") && without.has("random"));
        let more = Features::parse("+dns_names")?;
        assert!(more.has("dns_names") && more.has("maglev"));
        assert!(Features::parse("maglef").is_err());
        Ok(())
    }
}
