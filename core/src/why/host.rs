//! The share of a host.

use alloc::{boxed::Box, vec, vec::Vec};

use super::{
    Condition, Expr, Formula, Quantity, Subject, Symbol, Term, Why, why_linearized, why_priority,
};
use crate::{
    load::HostClass,
    model::Policy,
    shares::Share,
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, PlainSnapshot, Snapshot},
    trace::PriorityRef,
};

/// Explains the share of a host in the requests for `cluster`.
///
/// `share` is an element of [`Snapshot::distribution`] for that cluster; `None` if it does not
/// belong to the snapshot.
///
/// # Examples
/// ```
/// use spillgate_core::{model::*, snapshot::Snapshot, why::{Quantity, why_host}};
///
/// let shop = PlainCluster {
///     priorities: vec![Priority::single_locality(vec![Endpoint::new("10.0.0.1:80")])],
///     ..PlainCluster::default()
/// };
/// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
/// let shop = snapshot.cluster_id("shop").unwrap();
/// let share = snapshot.distribution(shop, None).shares[0];
/// let why = why_host(&snapshot, shop, &share).unwrap();
/// assert_eq!(why.value, Quantity::Percent(100.0));
/// assert!(!why.causes.is_empty());
/// ```
#[must_use]
pub fn why_host(snapshot: &Snapshot, cluster: ClusterId, share: &Share) -> Option<Why> {
    let plain = snapshot.plain(share.owner)?;
    let priority = plain.priorities.get(share.priority)?;
    priority.endpoint(share.host)?;
    let weight = priority.weight(share.host);
    let number = PriorityRef {
        cluster: share.owner,
        priority: share.priority,
    };
    let host = HostRef {
        cluster: share.owner,
        priority: share.priority,
        host: share.host,
    };
    let panic = plain.whole.load.panics(share.priority);
    let hosts = plain.whole.hosts(share.priority, HostClass::Healthy);
    let mut causes = loads(snapshot, cluster, share);
    causes.push(Why::leaf(
        Subject::Sharing(number),
        Quantity::Number(hosts.len() as u64),
    ));
    causes.push(Why::leaf(
        Subject::Weight(host),
        Quantity::Number(weight.into()),
    ));
    if panic {
        let by = share.owner;
        let subject = Subject::Panic {
            priority: number,
            by,
        };
        causes.push(Why::leaf(subject, Quantity::Flag(true)));
    }
    Some(Why::of(
        Subject::HostShare(host),
        Quantity::Percent(share.share),
        rule(plain, weight, panic),
        causes,
    ))
}

/// The loads of the host's priority, or those that the aggregate gives to its cluster.
fn loads(snapshot: &Snapshot, cluster: ClusterId, share: &Share) -> Vec<Why> {
    match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
        Some(ClusterSnapshotKind::Plain(_)) => why_priority(snapshot, cluster, share.priority)
            .into_iter()
            .collect(),
        Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
            let hashes = snapshot
                .plain(share.owner)
                .is_some_and(|plain| plain.settings.policy.hashes());
            let mut causes: Vec<Why> = aggregate
                .linearized
                .priorities
                .iter()
                .enumerate()
                .filter(|(_, priority)| {
                    priority.cluster == share.owner && (hashes || priority.number == share.priority)
                })
                .filter_map(|(index, _)| why_linearized(snapshot, cluster, index))
                .collect();
            if hashes {
                // A member with a hash policy chooses the priority again by its own health.
                causes.extend(why_priority(snapshot, share.owner, share.priority));
            }
            causes
        }
        Some(ClusterSnapshotKind::Composite(_)) => {
            why_priority(snapshot, share.owner, share.priority)
                .into_iter()
                .collect()
        }
        Some(ClusterSnapshotKind::OriginalDst(_)) | None => vec![],
    }
}

fn rule(plain: &PlainSnapshot, weight: u32, panic: bool) -> Formula {
    let policy = &plain.settings.policy;
    let by = |part, whole| Expr::ratio([Expr::Symbol(Symbol::Load), part], Expr::Symbol(whole));
    let among = |symbol| Expr::Product([Expr::Symbol(Symbol::Load), Expr::Symbol(symbol)].into());
    let expr = match policy {
        Policy::RoundRobin
        | Policy::ClientSideWeightedRoundRobin
        | Policy::LeastRequest(_)
        | Policy::Rendezvous => by(Expr::term(weight, Term::Weight), Symbol::SumOfWeights),
        Policy::Random => Expr::Ratio(
            Box::new(Expr::Symbol(Symbol::Load)),
            Box::new(Expr::Symbol(Symbol::HostCount)),
        ),
        Policy::RingHash(_) => among(Symbol::RingArcs),
        Policy::Maglev(_) => among(Symbol::MaglevSlots),
    };
    let while_idle = matches!(policy, Policy::LeastRequest(_));
    let condition = if panic {
        Condition::AmongAll { while_idle }
    } else {
        Condition::AmongUsable { while_idle }
    };
    Formula::when(expr, condition)
}
