//! The features of scenarios by name, so that a run can select features and report the ones that it
//! used.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

/// Every feature.
const ALL: &[&str] = &[
    // Policies.
    "round_robin",
    "random",
    "ring_hash",
    "maglev",
    "least_request",
    "full_scan",
    "client_side_weighted_round_robin",
    "slow_start",
    "bounded_load",
    "typed_policy",
    // Priorities and their hosts.
    "priorities",
    "empty_priority",
    "health",
    "weights",
    "overprovisioning_factor",
    "panic_threshold",
    "weighted_priority_health",
    "hash_key",
    "hostname_hashing",
    "dns_names",
    "drop_overloads",
    "duplicate_addresses",
    // Localities.
    "localities",
    "locality_weighted_hash",
    "empty_localities",
    "unweighted_localities",
    "locality_weighted",
    "node_locality",
    "zone_aware",
    "fail_traffic_on_panic",
    // Aggregates.
    "aggregate",
    "aggregate_missing_member",
    "aggregate_nested",
    "composite",
    // Subsets.
    "subsets",
    "subset_typed",
    "subset_selector_fallback",
    "subset_keys_subset",
    "subset_fallback_list",
    "subset_single_host",
    "subset_list_as_any",
    "subset_locality_weight",
    "subset_scale_locality_weight",
    "subset_panic_mode_any",
    "subset_redundant_keys",
    // Requests.
    "header_hash",
    "no_hash",
    "terminal",
    "cookie_hash",
    "cookie_ttl",
    "query_hash",
    "source_ip_hash",
    "policy_hash",
    "several_routes",
    "route_headers",
    "route_headers_inverted",
    "route_query",
    "route_regex",
    "route_path_separated",
    "weighted_clusters",
    "weighted_header",
    "weighted_hash",
    "weighted_metadata",
    "cluster_header",
    "header_to_metadata",
    "set_metadata",
    "several_clusters",
    "priority_group",
    "cluster_matcher",
    "path_hash",
    "forwarded_hash",
    "regex_hash",
    // Routes by chance.
    "route_fraction",
    "dependent_fractions",
    // Runtime values.
    "runtime_fraction",
    "runtime_weights",
    "runtime_tuning",
    "runtime_panic_threshold",
    "runtime_zone_routing",
    "runtime_drop_limit",
    // What changes requests before the choice.
    "headers_route_config",
    "headers_virtual_host",
    "headers_route",
    "headers_weighted_cluster",
    "most_specific_headers",
    "header_mutation",
    "header_mutation_route",
    "header_to_metadata_rules",
    "set_metadata_values",
    "path_rewrite",
    "host_rewrite",
    // The connection manager.
    "forwarded_for",
    "use_remote_address",
    "xff_trusted_hops",
    "client_address_extension",
    "early_headers",
    "normalize_path",
    "merge_slashes",
    "escaped_slashes",
    "strip_port",
    "route_authority",
    // Retries.
    "retries",
    "retries_virtual_host",
    "previous_hosts",
    "omit_host_metadata",
    "previous_priorities",
    "refresh_cluster_on_retry",
    // Hosts that requests name.
    "original_dst",
    "stateful_session_cookie",
    "stateful_session_header",
    "stateful_session_route",
    "override_host_status",
    "override_host_policy",
];

/// The features that a run may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Features(BTreeSet<&'static str>);

/// How many scenarios used each feature.
pub type Used = BTreeMap<&'static str, usize>;

impl Default for Features {
    fn default() -> Self {
        Self(ALL.iter().copied().collect())
    }
}

impl Features {
    /// Reads a list of names: `all` means all, `+name` and a name add one, `-name` removes one.
    /// A list that begins with a bare name begins with none.
    ///
    /// # Errors
    /// When a name is unknown; lists all unknown names.
    pub fn parse(list: &str) -> Result<Self> {
        let mut chosen = if list.starts_with(['+', '-']) {
            Self::default().0
        } else {
            BTreeSet::new()
        };
        let mut unknown = Vec::new();
        for word in list.split(',').map(str::trim) {
            match word {
                "all" => chosen.extend(ALL.iter().copied()),
                _ => {
                    let bare = word.trim_start_matches(['+', '-']);
                    match ALL.iter().find(|name| **name == bare) {
                        Some(name) if word.starts_with('-') => {
                            chosen.remove(name);
                        }
                        Some(name) => {
                            chosen.insert(name);
                        }
                        None => unknown.push(format!("`{word}`")),
                    }
                }
            }
        }
        if !unknown.is_empty() {
            bail!(
                "unknown features: {}; expected all or some of {}",
                unknown.join(", "),
                ALL.join(", ")
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
        ALL.iter().copied().filter(|name| self.has(name))
    }
}

/// The feature of that name, which must be in the list: a misspelled one would never be used.
///
/// # Panics
/// When it is not.
#[must_use]
pub(super) fn known(name: &'static str) -> &'static str {
    assert!(ALL.contains(&name), "unknown feature {name}");
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() -> Result<()> {
        assert_eq!(Features::parse("all")?, Features::default());
        let two: Vec<_> = Features::parse("maglev,random")?.names().collect();
        assert_eq!(two, ["random", "maglev"]);
        let without = Features::parse("-maglev")?;
        assert!(!without.has("maglev") && without.has("random"));
        assert!(Features::parse("maglef").is_err());
        Ok(())
    }
}
