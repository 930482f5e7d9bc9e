//! Hosts that are added, in text form (`zone=b:3`).

use alloc::{string::String, vec::Vec};
use core::fmt;

use spillgate_core::{
    model::{ClusterKind, Endpoint, Health, Model},
    snapshot::{HostRef, Snapshot},
};

use super::{LocalityPlace, address::unused_addresses, place};
use crate::{
    Scene, Selector,
    fault::{Piece, SpecFault},
};

/// The largest number of hosts of one addition: more than any locality of a real cluster has.
const MOST_HOSTS: usize = 10_000;

/// Healthy hosts that are added to one locality of one priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// Hosts of the place, which the new ones resemble.
    pub selector: Selector,
    /// The number of new hosts, 1 to 10,000.
    pub count: usize,
}

impl Addition {
    /// Reads `SELECTOR:N`, such as `zone=b:3` or `cluster=c1,priority=0:3`.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        const EXPECTED: &str = "a number of hosts, 1 to 10000";
        let whole = Piece::whole(text).trimmed();
        let fault = |at, message, expected| SpecFault::new("what-if/amount", at, message, expected);
        let Some((selector, count)) = whole.rsplit_once(':') else {
            let expected = "SELECTOR:N such as zone=a:3";
            return Err([fault(whole, "missing number of hosts", expected)].into());
        };
        let number = count.trimmed().text.parse().ok();
        let number = number.filter(|number| (1..=MOST_HOSTS).contains(number));
        match (Selector::read(selector), number) {
            (Ok(selector), Some(count)) => Ok(Self { selector, count }),
            (selector, number) => {
                let mut faults = selector.err().unwrap_or_default();
                if number.is_none() {
                    faults.push(fault(count.trimmed(), "invalid number of hosts", EXPECTED));
                }
                Err(faults)
            }
        }
    }

    /// The place of the hosts that the selector matches in a cluster.
    ///
    /// # Errors
    /// If the selector matches no host, or hosts of several places.
    pub fn place(&self, scene: &Scene) -> Result<LocalityPlace, SpecFault> {
        let hosts = scene.select(&self.selector)?;
        place::only_place(scene.snapshot(), &hosts, &self.selector)
    }

    /// Adds the hosts to a place of a model, after the last host of the locality. Each has the weight
    /// and metadata that most hosts of the place have, and an unused address after theirs. Returns the
    /// addresses.
    pub fn apply(&self, model: &mut Model, place: &LocalityPlace) -> Vec<String> {
        let mut clusters = model.clusters().iter();
        let Some(at) = clusters.position(|cluster| cluster.name == place.cluster) else {
            return Vec::new();
        };
        let added = model.change(at, |kind| match kind {
            ClusterKind::Plain(plain) => {
                let priority = plain.priorities.get_mut(place.priority)?;
                let own = |endpoint: &Endpoint| endpoint.locality == place.locality;
                let last = priority.endpoints.iter().rposition(own)?;
                let hosts: Vec<&Endpoint> =
                    priority.endpoints.iter().filter(|of| own(of)).collect();
                let like = most_common(&hosts)?.clone();
                let addresses = unused_addresses(&priority.endpoints, &hosts, self.count);
                let new = addresses.iter().map(|address| Endpoint {
                    address: address.clone(),
                    health: Health::default(),
                    hash_key: None,
                    ..like.clone()
                });
                let new: Vec<Endpoint> = new.collect();
                let after = last + 1;
                priority.endpoints.splice(after..after, new);
                for healthy in &mut plain.healthy_for {
                    if healthy.priority == place.priority && healthy.host >= after {
                        healthy.host += self.count;
                    }
                }
                Some(addresses)
            }
            _ => None,
        });
        added.ok().flatten().flatten().unwrap_or_default()
    }
}

/// The first host with the weight and metadata that most of these hosts have.
fn most_common<'e>(hosts: &[&'e Endpoint]) -> Option<&'e Endpoint> {
    let mut kinds: Vec<(&Endpoint, usize)> = Vec::new();
    for host in hosts {
        let mut known = kinds.iter_mut();
        match known.find(|(of, _)| of.weight == host.weight && of.metadata == host.metadata) {
            Some((_, count)) => *count += 1,
            None => kinds.push((host, 1)),
        }
    }
    // The first of several: `max_by_key` would give the last.
    kinds.reverse();
    kinds
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map(|(host, _)| host)
}

impl fmt::Display for Addition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.selector, self.count)
    }
}

/// A host of `before` in `after`, where hosts were added to its priority; `None` for an unknown host.
/// Added hosts have addresses of their own, so the others are found in order.
pub(crate) fn kept_host(before: &Snapshot, after: &Snapshot, host: HostRef) -> Option<HostRef> {
    let endpoints = |snapshot: &Snapshot| {
        let hosts = snapshot.plain(host.cluster)?.priorities.get(host.priority);
        hosts.map(|hosts| hosts.configured.clone())
    };
    let (old, new) = (endpoints(before)?, endpoints(after)?);
    if old.endpoints.len() == new.endpoints.len() {
        return Some(host);
    }
    let mut kept = new.endpoints.iter().enumerate();
    let mut found = None;
    for endpoint in old.endpoints.get(..=host.host)? {
        found = Some(kept.find(|(_, of)| of.address == endpoint.address)?.0);
    }
    Some(HostRef {
        host: found?,
        ..host
    })
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn additions_are_read_and_written() {
        for text in ["zone=b:3", "host=[::1]:80:1", "cluster=c,priority=0:10000"] {
            assert_eq!(Addition::parse(text).unwrap().to_string(), text);
        }
        for (text, column) in [
            ("zone=b", 1),
            ("zone=b:0", 8),
            ("zone=b:10001", 8),
            ("zone=b:40%", 8),
            ("zon=b:1", 1),
        ] {
            assert_eq!(
                Addition::parse(text).unwrap_err()[0].column,
                column,
                "{text}"
            );
        }
        assert_eq!(Addition::parse("zon=b:x").unwrap_err().len(), 2);
    }
}
