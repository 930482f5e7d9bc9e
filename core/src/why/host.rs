//! The share of a host.

use alloc::{format, string::String, vec, vec::Vec};

use super::{LevelRef, Quantity, Subject, Why, why_level, why_line_level};
use crate::{
    load::HostClass,
    model::Policy,
    shares::Share,
    snapshot::{ClusterId, Kind, PlainSnapshot, Snapshot},
};

/// Why a host gets its share of the requests for `cluster`.
///
/// `share` is a row of [`Snapshot::distribution`] for that cluster; `None` when it does not fit
/// the snapshot.
#[must_use]
pub fn why_host(snapshot: &Snapshot, cluster: ClusterId, share: &Share) -> Option<Why> {
    let plain = snapshot.plain(share.owner)?;
    let level = plain.levels.get(share.priority)?;
    level.endpoint(share.host)?;
    let weight = level.weight(share.host);
    let name = LevelRef {
        cluster: share.owner,
        priority: share.priority,
    };
    let panic = plain.whole.load.panics(share.priority);
    let hosts = plain.whole.hosts(share.priority, HostClass::Healthy);
    let mut causes = loads(snapshot, cluster, share);
    causes.push(Why::leaf(
        Subject::Sharing {
            cluster: share.owner,
            priority: share.priority,
        },
        Quantity::Number(hosts.len() as u64),
    ));
    causes.push(Why::leaf(
        Subject::Weight {
            cluster: share.owner,
            priority: share.priority,
            host: share.host,
        },
        Quantity::Number(weight.into()),
    ));
    if panic {
        causes.push(Why::leaf(Subject::Panic(name), Quantity::Flag(true)));
    }
    Some(Why::of(
        Subject::HostShare {
            cluster: share.owner,
            priority: share.priority,
            host: share.host,
        },
        Quantity::Percent(share.share),
        rule(plain, weight, panic),
        causes,
    ))
}

/// The loads that reach the host: its level's own, or what an aggregate gives its cluster.
fn loads(snapshot: &Snapshot, cluster: ClusterId, share: &Share) -> Vec<Why> {
    match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
        Some(Kind::Plain(_)) => why_level(snapshot, cluster, share.priority)
            .into_iter()
            .collect(),
        Some(Kind::Aggregate(aggregate)) => {
            let hashes = snapshot
                .plain(share.owner)
                .is_some_and(|plain| plain.settings.policy.hashes());
            let mut causes: Vec<Why> = aggregate
                .line
                .levels
                .iter()
                .enumerate()
                .filter(|(_, level)| {
                    level.cluster == share.owner && (hashes || level.priority == share.priority)
                })
                .filter_map(|(line, _)| why_line_level(snapshot, cluster, line))
                .collect();
            if hashes {
                // A hashing member chooses its level again, from its own health.
                causes.extend(why_level(snapshot, share.owner, share.priority));
            }
            causes
        }
        Some(Kind::OriginalDst(_)) | None => vec![],
    }
}

fn rule(plain: &PlainSnapshot, weight: u32, panic: bool) -> String {
    let among = if panic {
        "all hosts of its level, which is in panic"
    } else {
        "the usable hosts of its level"
    };
    match plain.settings.policy {
        Policy::RoundRobin | Policy::ClientSideWeightedRoundRobin => {
            format!("load x weight {weight} / sum of weights, among {among}")
        }
        Policy::LeastRequest(_) => {
            format!("load x weight {weight} / sum of weights, among {among} while all are idle")
        }
        Policy::Random => format!("load / number of hosts, among {among}; weights are ignored"),
        Policy::RingHash(_) => format!("load x its arcs of the hash ring, among {among}"),
        Policy::Maglev(_) => format!("load x its slots of the maglev table, among {among}"),
        Policy::Rendezvous => format!("load x weight {weight} / sum of weights, among {among}"),
    }
}
