//! The shares that follow for a model.

use std::collections::BTreeMap;

use spillgate_core::model::{Cluster, ClusterKind, Model, PlainCluster, Priority};
use spillgate_grpc::{
    aggregate::{MAX_DEPTH, Resolution, Resource, Root, resolve},
    shares::{HostPicking, LeafAnswer, LeafPolicy, LeafShares, RootShares, localities, reachable},
};

use super::reading::{GrpcReading, GrpcResource};

/// The clusters of a model as a gRPC client sees them.
#[derive(Debug)]
pub struct GrpcView<'m> {
    reading: &'m GrpcReading,
    model: &'m Model,
    answers: BTreeMap<&'m str, LeafAnswer>,
    resolution: Resolution,
}

/// One cluster.
#[derive(Debug)]
pub struct GrpcCluster<'v> {
    /// Which of the leaves serves.
    pub root: RootShares,
    /// The leaves in order: the cluster itself, or those of an aggregate.
    pub leaves: Vec<GrpcLeaf<'v>>,
    /// What the answer assumes, and what gRPC leaves out.
    pub notes: Vec<String>,
    /// The name of its policy; `None` if gRPC rejects it.
    pub policy: Option<&'static str>,
}

/// A leaf cluster.
#[derive(Debug)]
pub struct GrpcLeaf<'v> {
    /// The name of its cluster.
    pub name: &'v str,
    /// Its hosts and settings.
    pub plain: &'v PlainCluster,
    /// Its policy.
    pub policy: LeafPolicy,
    /// The shares of its hosts.
    pub answer: &'v LeafAnswer,
    /// Whether its hosts are the addresses of a DNS name.
    pub logical_dns: bool,
    /// Whether its hosts have addresses that the model does not have.
    pub more_addresses: bool,
}

impl<'m> GrpcView<'m> {
    /// `model` has the clusters of the reading; its hosts can have other health.
    pub fn of(reading: &'m GrpcReading, model: &'m Model) -> Self {
        Self::for_hash(reading, model, None)
    }

    /// As [`GrpcView::of`], for requests with this hash.
    pub fn for_hash(reading: &'m GrpcReading, model: &'m Model, hash: Option<u64>) -> Self {
        let mut answers = BTreeMap::new();
        let mut resources = BTreeMap::new();
        for cluster in model.clusters() {
            let Some(read) = reading.clusters.get(&cluster.name) else {
                continue;
            };
            if let ClusterKind::Plain(plain) = &cluster.kind {
                answers.insert(cluster.name.as_str(), answer(plain, read, hash));
            }
            for member in cluster.members() {
                resources.entry(member.clone()).or_insert(Resource::Missing);
            }
        }
        for cluster in model.clusters() {
            if let Some(read) = reading.clusters.get(&cluster.name) {
                resources.insert(cluster.name.clone(), kind_of(cluster, read));
            }
        }
        let roots = model.clusters().iter().map(|cluster| cluster.name.as_str());
        Self {
            resolution: resolve(&resources, roots, MAX_DEPTH),
            reading,
            model,
            answers,
        }
    }

    /// One cluster; `None` if the reading does not have it.
    pub fn cluster(&self, name: &str) -> Option<GrpcCluster<'_>> {
        let cluster = self.model.cluster(name)?;
        let read = self.reading.clusters.get(name)?;
        let is_leaf = matches!(cluster.kind, ClusterKind::Plain(_));
        let leaves: Vec<GrpcLeaf<'_>> = match self.resolution.roots.get(name) {
            Some(Root::Leaves(leaves)) => {
                let leaves = leaves.iter();
                leaves.filter_map(|leaf| self.leaf(&leaf.cluster)).collect()
            }
            _ => Vec::new(),
        };
        let root = match (&read.cluster_rejected, self.resolution.roots.get(name)) {
            (Some(why), _) => RootShares::Rejected(why.clone()),
            // A DNS leaf takes part in an aggregate like any other.
            (None, Some(Root::Failed(error))) => RootShares::Failed(*error),
            (None, Some(Root::Pending) | None) => {
                RootShares::Unknown("a member is not known".into())
            }
            (None, Some(Root::Leaves(_))) => {
                let answers: Vec<&LeafAnswer> = leaves.iter().map(|leaf| leaf.answer).collect();
                RootShares::of(&answers, is_leaf)
            }
        };
        let mut notes = read.notes.clone();
        if !is_leaf {
            self.note_members(cluster, &mut notes);
        }
        for leaf in &leaves {
            if !is_leaf {
                let of_leaf = self
                    .reading
                    .clusters
                    .get(leaf.name)
                    .into_iter()
                    .flat_map(|of| &of.notes);
                notes.extend(of_leaf.map(|note| format!("member {}: {note}", leaf.name)));
            }
            note_hosts(leaf, is_leaf, &mut notes);
        }
        Some(GrpcCluster {
            root,
            notes,
            policy: match (is_leaf, &read.cluster_rejected) {
                (_, Some(_)) => None,
                (true, None) => Some(read.policy.name()),
                (false, None) => Some("priority"),
            },
            leaves,
        })
    }

    fn leaf(&self, name: &str) -> Option<GrpcLeaf<'_>> {
        let cluster = self.model.cluster(name)?;
        let ClusterKind::Plain(plain) = &cluster.kind else {
            return None;
        };
        let read = self.reading.clusters.get(name)?;
        Some(GrpcLeaf {
            name: &cluster.name,
            plain,
            policy: read.policy,
            answer: self.answers.get(name)?,
            logical_dns: read.logical_dns,
            more_addresses: read.more_addresses,
        })
    }

    /// Names the members that gRPC passes over.
    fn note_members(&self, aggregate: &Cluster, notes: &mut Vec<String>) {
        for member in aggregate.members() {
            let Some(read) = self.reading.clusters.get(member) else {
                notes.push(format!(
                    "member {member} is missing: gRPC waits 15 s for it, then goes on without it (A74)"
                ));
                continue;
            };
            let rejected = read.cluster_rejected.as_ref();
            if let Some(why) = rejected.or(read.endpoints_rejected.as_ref()) {
                notes.push(format!(
                    "gRPC rejects member {member} (NACK) and goes on without it (A74), or with its earlier version: {why}"
                ));
            }
        }
    }
}

fn kind_of(cluster: &Cluster, read: &GrpcResource) -> Resource {
    match &cluster.kind {
        _ if read.cluster_rejected.is_some() => Resource::Error,
        ClusterKind::Aggregate(aggregate) => Resource::Aggregate(aggregate.members.clone()),
        ClusterKind::Plain(_) if read.logical_dns => Resource::LogicalDns,
        ClusterKind::Plain(_) => Resource::Eds,
        ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => Resource::Error,
    }
}

/// What a client knows of a leaf.
fn answer(plain: &PlainCluster, read: &GrpcResource, hash: Option<u64>) -> LeafAnswer {
    let rejected = read.cluster_rejected.as_ref();
    if let Some(why) = rejected.or(read.endpoints_rejected.as_ref()) {
        return LeafAnswer::Rejected(why.clone());
    }
    if let Some(why) = &read.unknown {
        return LeafAnswer::Unknown(why.clone());
    }
    let of_name;
    let priorities = if read.logical_dns {
        of_name = dns(&plain.priorities);
        &of_name
    } else {
        &plain.priorities
    };
    match LeafShares::for_hash(priorities, &read.policy, hash) {
        Ok(shares) => LeafAnswer::Shares {
            shares,
            drops: plain.drop_overload,
        },
        Err(why) => LeafAnswer::Unknown(why),
    }
}

/// The addresses of a DNS name are hosts of one locality, whose weight and status don't count.
fn dns(priorities: &[Priority]) -> Vec<Priority> {
    let mut priorities = priorities.to_vec();
    for priority in &mut priorities {
        for locality in &mut priority.localities {
            locality.weight = Some(1);
        }
        for endpoint in &mut priority.endpoints {
            endpoint.health.status = Default::default();
        }
    }
    priorities
}

/// Names the localities that gRPC skips, and the hosts that count as not connected.
fn note_hosts(leaf: &GrpcLeaf<'_>, is_leaf: bool, notes: &mut Vec<String>) {
    let of = if is_leaf {
        String::new()
    } else {
        format!("{} ", leaf.name)
    };
    if !matches!(leaf.answer, LeafAnswer::Shares { .. }) {
        return;
    }
    if leaf.policy.picking == (HostPicking::PickFirst { shuffles: true }) {
        notes.push(format!(
            "{of}pick_first with shuffle_address_list: shares are the average over clients; each client sends all \
             its requests to one random host"
        ));
    }
    if leaf.plain.subsets.is_some() {
        notes.push(format!(
            "{of}gRPC ignores lb_subset_config: no request has a subset"
        ));
    }
    for (number, priority) in leaf.plain.priorities.iter().enumerate() {
        let weighted: Vec<usize> = localities(priority).map(|(at, _)| at).collect();
        let skipped = priority
            .endpoints
            .iter()
            .filter(|host| !weighted.contains(&host.locality))
            .count();
        if skipped > 0 && !leaf.logical_dns {
            notes.push(format!(
                "{of}P{number}: gRPC skips localities without load_balancing_weight (A27): {skipped} of {} hosts",
                priority.endpoints.len()
            ));
        }
        let down = priority
            .endpoints
            .iter()
            .filter(|host| !reachable(host.health))
            .count();
        if down > 0 {
            notes.push(format!(
                "{of}P{number}: {down} of {} hosts fail health checks; assumed: they accept no connections (gRPC runs no health checks)",
                priority.endpoints.len()
            ));
        }
    }
}
