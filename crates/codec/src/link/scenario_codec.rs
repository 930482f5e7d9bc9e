//! Clusters, settings and localities; the hosts are `host_codec`'s.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, CompositeCluster, HashFunction, LeastRequestConfig,
    Locality, LocalityLb, MaglevConfig, OriginalDstCluster, OverprovisioningFactor, PanicThreshold,
    PlainCluster, Policy, Priority, PriorityLocality, RingHashConfig, ZoneAware,
};

use super::{LinkError, MAXIMUM_HOSTS, PriorityAt, Scenario, host_codec, payload::Payload};
use crate::bytes::ByteWriter;

/// The encoding of hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codec {
    /// Counts of equal hosts.
    Grouped,
    /// Each host.
    ByHost,
}

/// The maximum number of clusters, of priorities and of localities; each needs at least one byte.
const MOST: usize = 65_536;

/// The state of reading: the remaining hosts, and the localities so far.
struct Budget {
    hosts: usize,
    seen: Vec<Locality>,
}

pub(super) fn write<O>(scenario: &Scenario<O>, codec: Codec, to: &mut ByteWriter) {
    let mut seen = Vec::new();
    to.count(scenario.root());
    to.count(scenario.clusters().len());
    for (cluster, of) in scenario.clusters().iter().enumerate() {
        to.text(&of.name);
        match &of.kind {
            ClusterKind::Plain(plain) => write_plain(plain, cluster, codec, &mut seen, to),
            ClusterKind::Aggregate(aggregate) => {
                to.integer(4);
                to.integer(aggregate.panic_threshold.percent().into());
                write_members(&aggregate.members, to);
            }
            ClusterKind::Composite(composite) => {
                to.integer(9);
                to.integer(composite.skips.into());
                write_members(&composite.members, to);
            }
            ClusterKind::OriginalDst(_) => to.integer(8),
        }
    }
}

pub(super) fn read<O: Default>(
    from: &mut Payload<'_>,
    grouped: bool,
) -> Result<Scenario<O>, LinkError> {
    let root = from.count("cluster to show", MOST)?;
    let mut budget = Budget {
        hosts: MAXIMUM_HOSTS,
        seen: Vec::new(),
    };
    let mut clusters = Vec::new();
    for cluster in 0..from.count("number of clusters", MOST)? {
        let name = from.text("name of a cluster")?.to_owned();
        let kind = match from.integer("kind of a cluster")? {
            4 => {
                let panic_threshold = threshold(from)?;
                ClusterKind::Aggregate(AggregateCluster {
                    members: read_members(from)?,
                    panic_threshold,
                    flatten: false,
                })
            }
            9 => ClusterKind::Composite(CompositeCluster {
                skips: from.integer("whether members are skipped")? != 0,
                members: read_members(from)?,
            }),
            8 => ClusterKind::OriginalDst(OriginalDstCluster::default()),
            policy => ClusterKind::Plain(read_plain(from, policy, cluster, grouped, &mut budget)?),
        };
        clusters.push(Cluster { name, kind });
    }
    if !from.is_empty() {
        return Err(LinkError::Payload("end"));
    }
    Ok(Scenario::new(clusters, root)?)
}

fn write_members(members: &[String], to: &mut ByteWriter) {
    to.count(members.len());
    for member in members {
        to.text(member);
    }
}

fn read_members(from: &mut Payload<'_>) -> Result<Vec<String>, LinkError> {
    let mut members = Vec::new();
    for _ in 0..from.count("number of members", MOST)? {
        members.push(from.text("name of a member")?.to_owned());
    }
    Ok(members)
}

fn write_plain<'s>(
    plain: &'s PlainCluster,
    cluster: usize,
    codec: Codec,
    seen: &mut Vec<&'s Locality>,
    to: &mut ByteWriter,
) {
    match plain.policy {
        Policy::RoundRobin => to.integer(0),
        Policy::Random => to.integer(1),
        Policy::RingHash(config) => {
            to.integer(2);
            to.integer(config.minimum_ring_size());
            to.integer(config.maximum_ring_size());
            to.integer((config.hash_function() == HashFunction::MurmurHash2).into());
        }
        Policy::Maglev(config) => {
            to.integer(3);
            to.integer(config.table_size().into());
        }
        // 4, 8 and 9 are cluster kinds.
        Policy::LeastRequest(_) => to.integer(5),
        Policy::ClientSideWeightedRoundRobin => to.integer(6),
        Policy::Rendezvous => to.integer(7),
    }
    to.integer(plain.panic_threshold.percent().into());
    to.integer(plain.overprovisioning_factor.0.into());
    to.integer(plain.weighted_priority_health.into());
    to.integer(plain.locality_lb.is_weighted().into());
    to.count(plain.priorities.len());
    for (number, priority) in plain.priorities.iter().enumerate() {
        to.count(priority.localities.len());
        for of in &priority.localities {
            write_locality(&of.locality, seen, to);
            // 0 means no weight; a configured weight of 0 is valid and becomes 1.
            to.integer(of.weight.map_or(0, |weight| u64::from(weight) + 1));
        }
        let at = PriorityAt {
            cluster,
            priority: number,
        };
        match codec {
            Codec::Grouped => host_codec::write_grouped(&priority.endpoints, to),
            Codec::ByHost => host_codec::write_hosts(&priority.endpoints, at, to),
        }
    }
}

/// Writes a locality: 0 and its three names, or the number of an earlier one.
fn write_locality<'s>(locality: &'s Locality, seen: &mut Vec<&'s Locality>, to: &mut ByteWriter) {
    if let Some(number) = seen.iter().position(|have| *have == locality) {
        to.count(number + 1);
        return;
    }
    seen.push(locality);
    to.integer(0);
    for part in [&locality.region, &locality.zone, &locality.sub_zone] {
        to.text(part);
    }
}

fn read_locality(from: &mut Payload<'_>, seen: &mut Vec<Locality>) -> Result<Locality, LinkError> {
    let number = from.count("number of a locality", MOST)?;
    let Some(number) = number.checked_sub(1) else {
        let locality = Locality {
            region: from.text("region")?.to_owned(),
            zone: from.text("zone")?.to_owned(),
            sub_zone: from.text("sub-zone")?.to_owned(),
        };
        seen.push(locality.clone());
        return Ok(locality);
    };
    let known = seen.get(number).cloned();
    known.ok_or(LinkError::Payload("number of a locality"))
}

fn read_plain(
    from: &mut Payload<'_>,
    policy: u64,
    cluster: usize,
    grouped: bool,
    budget: &mut Budget,
) -> Result<PlainCluster, LinkError> {
    let policy = match policy {
        0 => Policy::RoundRobin,
        1 => Policy::Random,
        2 => {
            let (minimum, maximum) = (from.integer("ring size")?, from.integer("ring size")?);
            let function = if from.flag("hash function")? {
                HashFunction::MurmurHash2
            } else {
                HashFunction::XxHash
            };
            let config = RingHashConfig::new(minimum, maximum, function);
            Policy::RingHash(config.map_err(|_| LinkError::Payload("ring size"))?)
        }
        3 => {
            let config = MaglevConfig::new(from.integer("table size")?);
            Policy::Maglev(config.map_err(|_| LinkError::Payload("table size"))?)
        }
        5 => Policy::LeastRequest(LeastRequestConfig::default()),
        6 => Policy::ClientSideWeightedRoundRobin,
        7 => Policy::Rendezvous,
        _ => return Err(LinkError::Payload("kind of a cluster")),
    };
    let panic_threshold = threshold(from)?;
    let overprovisioning_factor = OverprovisioningFactor(from.small("overprovisioning factor")?);
    let weighted_priority_health = from.flag("weighted_priority_health")?;
    let locality_weighted = from.flag("locality_weighted_lb_config")?;
    let mut priorities = Vec::new();
    for priority in 0..from.count("number of priorities", MOST)? {
        let mut localities = Vec::new();
        for _ in 0..from.count("number of localities", MOST)? {
            let locality = read_locality(from, &mut budget.seen)?;
            let weight = match from.integer("weight of a locality")? {
                0 => None,
                more => {
                    let weight = u32::try_from(more - 1);
                    Some(weight.map_err(|_| LinkError::Payload("weight of a locality"))?)
                }
            };
            localities.push(PriorityLocality { locality, weight });
        }
        let at = PriorityAt { cluster, priority };
        let endpoints = if grouped {
            host_codec::read_grouped(from, at, localities.len(), &mut budget.hosts)?
        } else {
            host_codec::read_hosts(from, at, localities.len(), &mut budget.hosts)?
        };
        priorities.push(Priority {
            localities,
            endpoints,
        });
    }
    Ok(PlainCluster {
        policy,
        panic_threshold,
        overprovisioning_factor,
        weighted_priority_health,
        locality_lb: locality_lb(locality_weighted),
        priorities,
        ..PlainCluster::default()
    })
}

pub(super) const fn locality_lb(weighted: bool) -> LocalityLb {
    if weighted {
        LocalityLb::Weighted
    } else {
        LocalityLb::ZoneAware(ZoneAware::DEFAULT)
    }
}

fn threshold(from: &mut Payload<'_>) -> Result<PanicThreshold, LinkError> {
    let percent = from.count("panic threshold", 100)?;
    Ok(PanicThreshold::from_percent(percent as f64))
}
