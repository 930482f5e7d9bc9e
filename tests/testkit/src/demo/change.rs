//! Changes of the health of the demo's hosts, as `cargo xtask demo kill` makes them.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::DemoHost;

/// What happens to the named hosts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DemoChange {
    /// They fail.
    Kill,
    /// They are healthy again.
    Heal,
    /// They fail, and all others are healthy.
    Only,
}

impl DemoChange {
    /// The addresses of the failed hosts after it.
    pub(super) fn failed(
        self,
        known: &[DemoHost],
        names: &[impl AsRef<str>],
    ) -> Result<BTreeSet<String>> {
        let kept = known
            .iter()
            .filter(|host| !host.healthy && self != Self::Only);
        let mut failed: BTreeSet<String> = kept.map(|host| host.address.clone()).collect();
        for name in names {
            let meant = addresses(known, name.as_ref())?;
            if self == Self::Heal {
                failed.retain(|address| !meant.contains(address));
            } else {
                failed.extend(meant);
            }
        }
        Ok(failed)
    }
}

/// The hosts that `name` means: an address with or without its port, a cluster, or all.
fn addresses(known: &[DemoHost], name: &str) -> Result<BTreeSet<String>> {
    let means = |host: &&DemoHost| {
        name == "all"
            || host.cluster == name
            || host.address == name
            || host
                .address
                .rsplit_once(':')
                .is_some_and(|(ip, _)| ip == name)
    };
    let found: BTreeSet<String> = known
        .iter()
        .filter(means)
        .map(|host| host.address.clone())
        .collect();
    if found.is_empty() {
        let all: Vec<&str> = known.iter().map(|host| host.address.as_str()).collect();
        bail!(
            "unknown host `{name}`, expected all, a cluster, or one of {}",
            all.join(", ")
        );
    }
    Ok(found)
}

/// One line a cluster: how many of its hosts are well, and which are not.
#[must_use]
pub fn summary(hosts: &[DemoHost]) -> String {
    let mut clusters: Vec<&str> = hosts.iter().map(|host| host.cluster.as_str()).collect();
    clusters.dedup();
    let mut text = String::new();
    for cluster in clusters {
        let of_it = || hosts.iter().filter(|host| host.cluster == cluster);
        let failed: Vec<&str> = of_it()
            .filter(|host| !host.healthy)
            .map(|host| host.address.as_str())
            .collect();
        let all = of_it().count();
        text.push_str(&format!(
            "{cluster}: {} of {all} healthy",
            all - failed.len()
        ));
        if !failed.is_empty() {
            text.push_str(&format!("; failed: {}", failed.join(" ")));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn host(cluster: &str, address: &str, healthy: bool) -> DemoHost {
        let (cluster, address) = (cluster.to_owned(), address.to_owned());
        DemoHost {
            cluster,
            address,
            healthy,
        }
    }

    #[test]
    fn hosts_are_named_by_address_cluster_or_all() {
        let known = [
            host("a", "127.0.1.1:8090", true),
            host("b", "127.0.2.1:8090", true),
        ];
        let count = |name: &str| addresses(&known, name).map(|found| found.len()).ok();
        assert_eq!(count("127.0.1.1"), Some(1));
        assert_eq!(count("127.0.1.1:8090"), Some(1));
        assert_eq!(count("b"), Some(1));
        assert_eq!(count("all"), Some(2));
        assert_eq!(count("127.0.1"), None);
    }

    #[test]
    fn a_change_adds_to_those_before_or_replaces_them() {
        let known = [
            host("a", "127.0.1.1:8090", false),
            host("a", "127.0.1.2:8090", true),
        ];
        let after = |change: DemoChange| change.failed(&known, &["127.0.1.2"]).unwrap().len();
        assert_eq!(after(DemoChange::Kill), 2);
        assert_eq!(after(DemoChange::Heal), 1);
        assert_eq!(after(DemoChange::Only), 1);
    }

    #[test]
    fn the_summary_names_the_dead() {
        let hosts = [
            host("a", "127.0.1.1:8090", true),
            host("a", "127.0.1.2:8090", false),
        ];
        assert_eq!(
            summary(&hosts),
            "a: 1 of 2 healthy; failed: 127.0.1.2:8090\n"
        );
    }
}
