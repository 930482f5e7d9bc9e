//! `demo kill`, `demo heal` and `demo hosts`: the health of the running demo's hosts.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use spillgate_testkit::demo::DemoHost;

use super::state::DemoState;
use crate::project::Project;

/// What to change in which demo.
pub struct Change {
    state: Option<PathBuf>,
    kind: Kind,
    hosts: Vec<String>,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Kill,
    Heal,
    None,
}

impl Change {
    pub fn kill(state: Option<PathBuf>, hosts: Vec<String>) -> Self {
        let kind = Kind::Kill;
        Self { state, kind, hosts }
    }

    pub fn heal(state: Option<PathBuf>, hosts: Vec<String>) -> Self {
        let kind = Kind::Heal;
        Self { state, kind, hosts }
    }

    /// Only lists the hosts.
    pub fn none(state: Option<PathBuf>) -> Self {
        let (kind, hosts) = (Kind::None, Vec::new());
        Self { state, kind, hosts }
    }
}

/// Makes the change and prints the clusters after it.
pub fn change(project: &Project, change: &Change) -> Result<()> {
    let dir = change.state.clone().unwrap_or_else(|| project.demo_state());
    let mut state = DemoState::load(project, &dir)?;
    let mut killed = state.killed().clone();
    let known = state.hosts(project)?;
    for name in &change.hosts {
        let meant = addresses(&known, name)?;
        match change.kind {
            Kind::Kill => killed.extend(meant),
            Kind::Heal => killed.retain(|address| !meant.contains(address)),
            Kind::None => {}
        }
    }
    if change.kind != Kind::None {
        state.set_killed(killed);
        state.write(project)?;
    }
    print!("{}", summary(&state.hosts(project)?));
    Ok(())
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
