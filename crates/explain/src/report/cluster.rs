//! The report of one cluster.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    model::{ClusterKind, Metadata, Model},
    shares::{Distribution, Share},
    snapshot::{
        AggregateSnapshot, ClusterId, ClusterSnapshotKind, CompositeSnapshot, HostRef,
        PlainSnapshot, Snapshot,
    },
    subset::{ChosenSubset, SetChoice, SubsetReason, SubsetTarget},
};

use super::{LocalityReport, PriorityRow, PriorityTable, PriorityTotals, Shares};
use crate::{cluster_name, priority_name};

/// Where the requests of a cluster go. Shares are percent of them, 0 to 100.
#[derive(Debug, Clone)]
pub struct ClusterReport {
    /// The cluster.
    pub cluster: ClusterId,
    /// Its name.
    pub name: String,
    /// `plain`, `aggregate`, `composite` or `original_dst`.
    pub kind: &'static str,
    /// The name in `Cluster.lb_policy`.
    pub policy: &'static str,
    /// The share of the requests that find no host.
    pub no_host: f64,
    /// The subset that serves; `None` in a cluster without subsets.
    pub subset: Option<SubsetUsed>,
    /// The members of an aggregate or composite cluster, in configuration order; empty for other
    /// clusters.
    pub members: Vec<MemberShare>,
    /// The figures of all priorities together.
    pub totals: PriorityTotals,
    /// The priorities; of an aggregate, its linearized priorities; of a composite cluster, those of the
    /// members that serve first attempts.
    pub priorities: Vec<PriorityReport>,
}

/// The subset that a request's criteria select. The priorities are those of the subset, and hosts
/// outside of it get no requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetUsed {
    /// Why this subset; `None` if no subset serves the request.
    pub reason: Option<SubsetReason>,
    /// The metadata that its hosts share; `None` if the whole cluster serves, or no host does.
    pub criteria: Option<Metadata>,
}

/// The share of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberShare {
    /// Its name.
    pub cluster: String,
    /// In an aggregate, the load of its priorities; in a composite cluster, its share of the first
    /// attempts.
    pub share: f64,
}

/// One priority with its localities and hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct PriorityReport {
    /// Its place among the priorities of the cluster in question.
    pub place: usize,
    /// `P1`; of an aggregate's member `member P1`.
    pub name: String,
    /// The name of the cluster that owns it.
    pub owner: String,
    /// Its loads and its health.
    pub row: PriorityRow,
    /// Whether its hosts serve regardless of health.
    pub panic: PanicMode,
    /// The panic threshold of the cluster that owns it, in percent.
    pub panic_threshold: u32,
    /// Whether an earlier row has the same hosts: a member that is listed twice.
    pub repeated: bool,
    /// The share of each host, by its index.
    pub hosts: Vec<f64>,
    /// Its localities, in configuration order.
    pub localities: Vec<LocalityReport>,
}

/// Whether health counts in a priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanicMode {
    /// Health counts.
    Off,
    /// The priority has too few usable hosts, so that all its hosts serve.
    Priority,
    /// Every priority has too few usable hosts, so that loads follow host counts too.
    Total,
}

impl PriorityReport {
    /// `P1`, whatever the cluster.
    #[must_use]
    pub fn short(&self) -> String {
        format!("P{}", self.row.at.priority)
    }

    /// The number of healthy hosts.
    #[must_use]
    pub const fn healthy(&self) -> usize {
        self.row.health.healthy as usize
    }

    /// The number of degraded hosts.
    #[must_use]
    pub const fn degraded(&self) -> usize {
        self.row.health.degraded as usize
    }

    /// The number of hosts that availability is relative to.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.row.health.counted() as usize
    }

    /// The share of its hosts. It differs from the load if no host can serve, and under an
    /// aggregate whose members choose a priority by hash.
    #[must_use]
    pub fn share(&self) -> f64 {
        // The sum of no shares is -0.0.
        self.hosts.iter().fold(0.0, |sum, share| sum + share)
    }

    /// The smallest and the largest share of a host that serves.
    #[must_use]
    pub fn per_host(&self) -> Option<(f64, f64)> {
        let serving = self.hosts.iter().copied().filter(|&share| share > 0.0);
        serving.fold(None, |range, share| match range {
            None => Some((share, share)),
            Some((low, high)) => Some((share.min(low), share.max(high))),
        })
    }

    /// The host of an index.
    #[must_use]
    pub const fn host(&self, host: usize) -> HostRef {
        HostRef {
            cluster: self.row.at.cluster,
            priority: self.row.at.priority,
            host,
        }
    }
}

impl ClusterReport {
    /// The report of a cluster for requests with these subset criteria. `None` if the snapshot
    /// has no such cluster. `snapshot` is one of `model`, in which hosts may have other health.
    #[must_use]
    pub fn of(
        model: &Model,
        snapshot: &Snapshot,
        cluster: ClusterId,
        criteria: &Metadata,
    ) -> Option<Self> {
        let found = snapshot.cluster(cluster)?;
        let distribution = match &found.kind {
            ClusterSnapshotKind::OriginalDst(_) => Distribution::default(),
            _ => snapshot.distribution_for(cluster, criteria, None),
        };
        let priorities = PriorityTable::of(snapshot, cluster, criteria);
        let (kind, policy) = match &found.kind {
            ClusterSnapshotKind::Plain(plain) => ("plain", plain.settings.policy.name()),
            ClusterSnapshotKind::Aggregate(_) => ("aggregate", "CLUSTER_PROVIDED"),
            ClusterSnapshotKind::Composite(_) => ("composite", "CLUSTER_PROVIDED"),
            ClusterSnapshotKind::OriginalDst(_) => ("original_dst", "CLUSTER_PROVIDED"),
        };
        Some(Self {
            cluster,
            name: found.name.clone(),
            kind,
            policy,
            no_host: distribution.no_host,
            subset: match &found.kind {
                ClusterSnapshotKind::Plain(plain) => subset(plain, priorities.totals.subset),
                _ => None,
            },
            members: match &found.kind {
                ClusterSnapshotKind::Aggregate(aggregate) => {
                    members(model, snapshot, &found.name, aggregate)
                }
                ClusterSnapshotKind::Composite(composite) => {
                    first_attempt(snapshot, composite, &distribution)
                }
                _ => Vec::new(),
            },
            totals: priorities.totals,
            priorities: reports(snapshot, cluster, &priorities, &distribution),
        })
    }

    /// Whether its hosts are those of other clusters.
    #[must_use]
    pub fn has_members(&self) -> bool {
        matches!(self.kind, "aggregate" | "composite")
    }

    /// Every host with its share, priority by priority, each once.
    pub fn hosts(&self) -> impl Iterator<Item = (&PriorityReport, HostRef, f64)> {
        let rows = self.priorities.iter().filter(|row| !row.repeated);
        rows.flat_map(|row| {
            let hosts = row.hosts.iter().enumerate();
            hosts.map(move |(host, &share)| (row, row.host(host), share))
        })
    }
}

fn reports(
    snapshot: &Snapshot,
    cluster: ClusterId,
    PriorityTable { totals, rows }: &PriorityTable,
    distribution: &Distribution,
) -> Vec<PriorityReport> {
    let shares = Shares::of(distribution);
    let report = |(place, row): (usize, &PriorityRow)| {
        let plain = snapshot.plain(row.at.cluster)?;
        let priority = plain.priorities.get(row.at.priority)?;
        let hosts: Vec<f64> = (0..priority.len())
            .map(|host| {
                shares.get(HostRef {
                    cluster: row.at.cluster,
                    priority: row.at.priority,
                    host,
                })
            })
            .collect();
        Some(PriorityReport {
            place,
            name: priority_name(snapshot, cluster, row.at),
            owner: cluster_name(snapshot, row.at.cluster).into(),
            row: *row,
            panic: match (totals.total_panic, row.own_panic) {
                (true, _) => PanicMode::Total,
                (false, true) => PanicMode::Priority,
                (false, false) => PanicMode::Off,
            },
            panic_threshold: plain.settings.panic_threshold.percent(),
            repeated: rows.iter().take(place).any(|earlier| earlier.at == row.at),
            localities: LocalityReport::all(priority, &hosts),
            hosts,
        })
    };
    rows.iter().enumerate().filter_map(report).collect()
}

/// The members as configured, each once. A member without a cluster or a host gets nothing.
fn members(
    model: &Model,
    snapshot: &Snapshot,
    name: &str,
    aggregate: &AggregateSnapshot,
) -> Vec<MemberShare> {
    let line = &aggregate.linearized;
    let load = |member: &str| {
        let id = snapshot.cluster_id(member);
        let own = line
            .priorities
            .iter()
            .enumerate()
            .filter(|(_, priority)| Some(priority.cluster) == id);
        own.map(|(place, _)| line.load.of_priority(place))
            .sum::<u32>()
    };
    let names: &[String] = match model.cluster(name).map(|cluster| &cluster.kind) {
        Some(ClusterKind::Aggregate(configured)) => &configured.members,
        _ => &[],
    };
    let first = |(at, member): &(usize, &String)| !names.iter().take(*at).any(|n| n == *member);
    let members = names.iter().enumerate().filter(first);
    members
        .map(|(_, member)| MemberShare {
            cluster: member.clone(),
            share: load(member).into(),
        })
        .collect()
}

fn subset(plain: &PlainSnapshot, chosen: Option<ChosenSubset>) -> Option<SubsetUsed> {
    let index = &plain.subsets.as_ref()?.index;
    let target = match chosen.map(|subset| subset.choice) {
        Some(SetChoice::Set(number)) => Some(SubsetTarget::Set(number)),
        Some(SetChoice::Host { priority, host }) => Some(SubsetTarget::Host { priority, host }),
        Some(SetChoice::Whole | SetChoice::Step { .. }) | None => None,
    };
    let mut entries = index.entries().iter();
    let entry = entries.find(|entry| Some(entry.target) == target);
    let default = target.is_some().then(|| &index.config().default_subset);
    let criteria = entry.map(|entry| &entry.criteria).or(default);
    Some(SubsetUsed {
        reason: chosen.map(|subset| subset.reason),
        criteria: criteria.cloned(),
    })
}

/// The members of a composite cluster, each once, with their shares of the first attempts.
fn first_attempt(
    snapshot: &Snapshot,
    composite: &CompositeSnapshot,
    distribution: &Distribution,
) -> Vec<MemberShare> {
    let mut left: Vec<&Share> = distribution.shares.iter().collect();
    let mut members: Vec<MemberShare> = Vec::new();
    for id in composite.members.iter().flatten() {
        let Some(cluster) = snapshot.cluster(*id) else {
            continue;
        };
        if members.iter().any(|member| member.cluster == cluster.name) {
            continue;
        }
        let owned: Vec<ClusterId> = snapshot.owners(*id).collect();
        let (own, others): (Vec<&Share>, _) =
            left.iter().partition(|share| owned.contains(&share.owner));
        left = others;
        members.push(MemberShare {
            cluster: cluster.name.clone(),
            share: own.iter().fold(0.0, |sum, share| sum + share.share),
        });
    }
    members
}
