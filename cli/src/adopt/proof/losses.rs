//! Losses of hosts: of a priority, a zone, a cluster, or all.

use std::collections::BTreeSet;

use spillgate_core::model::{Model, Priority};

/// A set of hosts that fail their health checks.
#[derive(Debug, Clone, Default)]
pub(super) struct Loss {
    /// Its description; empty if no host is lost.
    pub(super) name: String,
    /// Each host by its cluster, priority and address.
    hosts: BTreeSet<(String, usize, String)>,
}

/// No loss, then those of each priority, zone and cluster, and of all hosts.
pub(super) fn losses(model: &Model, clusters: &[String]) -> Vec<Loss> {
    let mut hosts: Vec<(String, usize, &Priority)> = Vec::new();
    for name in clusters {
        let priorities = model
            .cluster(name)
            .map_or(&[][..], |cluster| cluster.priorities());
        let filled = priorities
            .iter()
            .enumerate()
            .filter(|(_, priority)| !priority.endpoints.is_empty());
        hosts.extend(filled.map(|(number, priority)| (name.clone(), number, priority)));
    }
    let mut zones = BTreeSet::new();
    for (_, _, priority) in &hosts {
        let named = priority
            .localities
            .iter()
            .map(|own| own.locality.to_string());
        zones.extend(named.filter(|name| !name.is_empty()));
    }
    let mut losses = vec![Loss::default()];
    let mut add = |name: String, is_lost: &dyn Fn(&str, usize, &str) -> bool| {
        let mut loss = Loss {
            name,
            ..Loss::default()
        };
        for (cluster, number, priority) in &hosts {
            for host in &priority.endpoints {
                let locality = priority.localities.get(host.locality);
                let zone = locality.map(|own| own.locality.to_string());
                if is_lost(cluster, *number, &zone.unwrap_or_default()) {
                    let address = host.address.clone();
                    loss.hosts.insert((cluster.clone(), *number, address));
                }
            }
        }
        if !loss.hosts.is_empty() {
            losses.push(loss);
        }
    };
    for name in clusters {
        let own = hosts.iter().filter(|(cluster, ..)| cluster == name);
        let priorities: Vec<usize> = own.map(|(_, number, _)| *number).collect();
        if let [_, _, ..] = priorities.as_slice() {
            for lost in priorities {
                add(
                    format!("priority {lost} of {name} lost"),
                    &|cluster, number, _| cluster == name && number == lost,
                );
            }
        }
        add(format!("all hosts of {name} lost"), &|cluster, _, _| {
            cluster == name
        });
    }
    if zones.len() > 1 {
        for lost in &zones {
            add(format!("zone {lost} lost"), &|_, _, zone| zone == lost);
        }
    }
    if clusters.len() > 1 {
        add("all hosts lost".to_owned(), &|_, _, _| true);
    }
    losses
}

impl Loss {
    /// A model after the loss.
    pub(super) fn of(&self, model: &Model) -> Model {
        let mut after = model.clone();
        for (at, cluster) in model.clusters().iter().enumerate() {
            for (number, priority) in cluster.priorities().iter().enumerate() {
                for (index, host) in priority.endpoints.iter().enumerate() {
                    let key = (cluster.name.clone(), number, host.address.clone());
                    if self.hosts.contains(&key)
                        && let Some(health) = after.health_mut(at, number, index)
                    {
                        *health = health.failed();
                    }
                }
            }
        }
        after
    }

    /// Whether a host is lost.
    pub(super) fn has(&self, address: &str) -> bool {
        self.hosts.iter().any(|(_, _, lost)| lost == address)
    }
}
