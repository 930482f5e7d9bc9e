//! Which of the unhealthy hosts of a cluster are draining.
//!
//! For a load-balancing policy, a draining host is unhealthy. But Envoy counts the hosts that it excludes
//! from the health of their priority (the gauge `membership_excluded`), and the changes of this count
//! show which hosts they are.
//!
//! Envoy excludes draining hosts from the size of their priority, so loads and sessions need the
//! difference. If the count fits several assignments, hosts count as unhealthy: a session then
//! moves early, and no ambiguous host keeps one.

use std::collections::BTreeSet;

/// The draining hosts of a cluster.
#[derive(Debug, Default)]
pub(crate) struct Draining {
    /// The addresses of the unhealthy hosts at the last update.
    unhealthy: BTreeSet<String>,
    /// Those of them that are excluded.
    excluded: BTreeSet<String>,
}

impl Draining {
    /// Updates the unhealthy hosts, of which Envoy excludes this number. If more than one assignment is
    /// possible, hosts whose state is unknown count as unhealthy.
    pub(crate) fn update(&mut self, unhealthy: BTreeSet<String>, excluded: usize) {
        let known: BTreeSet<String> = self.excluded.intersection(&unhealthy).cloned().collect();
        let new: BTreeSet<String> = unhealthy.difference(&self.unhealthy).cloned().collect();
        self.excluded = if excluded == unhealthy.len() {
            unhealthy.clone()
        } else if excluded == known.len() {
            known
        } else if excluded == known.len() + new.len() {
            known.union(&new).cloned().collect()
        } else {
            BTreeSet::new()
        };
        self.unhealthy = unhealthy;
    }

    /// Whether a host is draining.
    pub(crate) fn contains(&self, address: &str) -> bool {
        self.excluded.contains(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(addresses: &str) -> BTreeSet<String> {
        addresses.split_whitespace().map(str::to_owned).collect()
    }

    fn after(updates: &[(&str, usize)]) -> BTreeSet<String> {
        let mut draining = Draining::default();
        for (unhealthy, excluded) in updates {
            draining.update(set(unhealthy), *excluded);
        }
        draining.excluded
    }

    #[test]
    fn all_or_none_are_draining() {
        assert_eq!(after(&[("a b", 2)]), set("a b"));
        assert_eq!(after(&[("a b", 0)]), set(""));
    }

    #[test]
    fn changes_one_after_the_other_are_distinguished() {
        // `a` fails, `b` drains, `c` fails, `d` drains.
        let updates = [("a", 0), ("a b", 1), ("a b c", 1), ("a b c d", 2)];
        assert_eq!(after(&updates), set("b d"));
    }

    #[test]
    fn a_draining_host_that_leaves_keeps_the_others() {
        assert_eq!(
            after(&[("a", 0), ("a b", 1), ("a b c", 2), ("a c", 1)]),
            set("c")
        );
    }

    #[test]
    fn an_ambiguous_count_means_unhealthy() {
        assert_eq!(after(&[("a b", 1)]), set(""));
        assert_eq!(after(&[("a b", 1), ("a b c", 2)]), set(""));
    }

    #[test]
    fn an_unhealthy_host_that_begins_to_drain_is_found_when_all_are_excluded() {
        assert_eq!(after(&[("a", 0), ("a", 1)]), set("a"));
    }
}
