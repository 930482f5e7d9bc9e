//! The hosts of a gateway, from the updates that it has received.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::{
    model::{Endpoint, Health, Metadata, Model, Priority},
    snapshot::{HostRef, Snapshot},
};
use spillgate_steer::hosts::{HostChange, Hosts};

use crate::world::{HostsUpdate, Layout, ReportedHost};

/// The clusters with the reported hosts.
pub(super) fn model(
    layout: &Layout,
    known: &[Arc<HostsUpdate>],
    health: impl Fn(Health) -> Health,
) -> Model {
    let mut model = layout.model.clone();
    for (at, (cluster, update)) in layout.clusters.iter().zip(known).enumerate() {
        let mut priorities = cluster.priorities().to_vec();
        for report in &update.hosts {
            add(layout, report, health(report.health), &mut priorities);
        }
        let set = model.set_priorities(at, priorities);
        debug_assert_eq!(set, Ok(()), "every host has the locality of its site");
    }
    model
}

/// The change from one set of updates to another.
pub(super) fn change(
    layout: &Layout,
    snapshot: &Snapshot,
    (old, new): (&[Arc<HostsUpdate>], &[Arc<HostsUpdate>]),
    health: impl Fn(Health) -> Health,
) -> HostChange {
    let mut changes = Vec::new();
    let clusters = snapshot.clusters().zip(old.iter().zip(new));
    let only_health = clusters
        // Most clusters are the same update.
        .filter(|(_, (old, new))| !Arc::ptr_eq(old, new))
        .all(|((cluster, _), (old, new))| {
            let mut lengths = Vec::new();
            let mut pairs = old.hosts.iter().zip(&new.hosts);
            old.hosts.len() == new.hosts.len()
                && pairs.all(|(old, new)| {
                    let host = next(&mut lengths, new.priority);
                    if old.health != new.health {
                        let priority = new.priority;
                        let host = HostRef {
                            cluster,
                            priority,
                            host,
                        };
                        changes.push((host, health(new.health)));
                    }
                    (old.host, old.priority) == (new.host, new.priority)
                        && same(&old.metadata, &new.metadata)
                })
        });
    HostChange {
        hosts: if !only_health {
            Hosts::NewHosts(Snapshot::build(&model(layout, new, health)))
        } else if changes.is_empty() {
            Hosts::Same
        } else {
            Hosts::NewHealth(snapshot.with_health(&changes))
        },
        ..HostChange::default()
    }
}

/// The index of the next host of a priority.
fn next(lengths: &mut Vec<usize>, priority: usize) -> usize {
    if lengths.len() <= priority {
        lengths.resize(priority + 1, 0);
    }
    lengths.get_mut(priority).map_or(0, |length| {
        *length += 1;
        *length - 1
    })
}

/// Compares pointers first: copies share their fields.
fn same(a: &Metadata, b: &Metadata) -> bool {
    // Shared unless a scripted event has changed them, so the comparison is rarely needed.
    core::ptr::eq(a.fields(), b.fields()) || a == b
}

/// Adds a reported host to its priority.
fn add(layout: &Layout, report: &ReportedHost, health: Health, priorities: &mut Vec<Priority>) {
    let Some(configured) = layout.hosts.get(report.host) else {
        return;
    };
    if priorities.len() <= report.priority {
        priorities.resize_with(report.priority + 1, Priority::default);
    }
    let Some(priority) = priorities.get_mut(report.priority) else {
        return;
    };
    let mut known = priority.localities.iter().map(|of| &of.locality);
    let locality = known.position(|locality| *locality == configured.locality.locality);
    let locality = locality.unwrap_or_else(|| {
        priority.localities.push(configured.locality.clone());
        priority.localities.len() - 1
    });
    priority.endpoints.push(Endpoint {
        health,
        metadata: report.metadata.clone(),
        locality,
        ..configured.endpoint.clone()
    });
}
