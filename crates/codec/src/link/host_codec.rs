//! The hosts of a priority, grouped or one by one.

use alloc::{borrow::ToOwned as _, vec::Vec};

use spillgate_core::model::{Endpoint, Health, HealthFlags, HealthStatus, Weight};

use super::{LinkError, MAXIMUM_HOSTS, PriorityAt, address, payload::Payload};
use crate::bytes::ByteWriter;

/// The properties that the hosts of a group share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    locality: usize,
    health: Health,
    weight: Weight,
}

impl Kind {
    const fn of(endpoint: &Endpoint) -> Self {
        Self {
            locality: endpoint.locality,
            health: endpoint.health,
            weight: endpoint.weight,
        }
    }

    /// One byte in the common case: no flags, a small weight, and the locality of the previous kind or
    /// the next one. Three bits are the status, one is the step to the next locality and three are
    /// the weight. A weight of all ones means that the full form follows.
    fn write(&self, before: usize, to: &mut ByteWriter) {
        let step = self.locality.wrapping_sub(before);
        let weight = u64::from(self.weight.get()) - 1;
        let health = health_number(self.health);
        if step <= 1 && weight < WHOLE && health < 8 {
            to.integer(health | (step as u64) << 3 | weight << 4);
        } else {
            to.integer(WHOLE << 4);
            to.count(self.locality);
            to.integer(health);
            to.integer(self.weight.get().into());
        }
    }

    fn read(from: &mut Payload<'_>, before: usize, localities: usize) -> Result<Self, LinkError> {
        let code = from.byte("kind of a host")?;
        let (step, weight) = (usize::from(code >> 3 & 1), u64::from(code >> 4));
        let (locality, health, weight) = match weight {
            WHOLE => (
                from.count("locality of a host", MAXIMUM_HOSTS)?,
                from.integer("health of a host")?,
                from.small("weight of a host")?,
            ),
            less if less < WHOLE => (before + step, u64::from(code & 7), less as u32 + 1),
            _ => return Err(LinkError::Payload("kind of a host")),
        };
        if locality >= localities {
            return Err(LinkError::Payload("locality of a host"));
        }
        Ok(Self {
            locality,
            health: health_of(health)?,
            weight: Weight::new(weight).ok_or(LinkError::Payload("weight of a host"))?,
        })
    }
}

/// The code of a kind in full form.
const WHOLE: u64 = 7;

/// Consecutive equal hosts and their number.
fn runs(endpoints: &[Endpoint]) -> Vec<(Kind, usize)> {
    let mut runs: Vec<(Kind, usize)> = Vec::new();
    for kind in endpoints.iter().map(Kind::of) {
        match runs.last_mut() {
            Some((last, count)) if *last == kind => *count += 1,
            _ => runs.push((kind, 1)),
        }
    }
    runs
}

/// Whether grouping is lossless: equal hosts are consecutive, and no host has other properties than
/// its kind.
pub(super) fn can_group(endpoints: &[Endpoint], at: PriorityAt) -> bool {
    let runs = runs(endpoints);
    let repeated = |(index, run): (usize, &(Kind, usize))| {
        runs.iter().skip(index + 1).any(|later| later.0 == run.0)
    };
    runs.len() <= MOST_GROUPS && !runs.iter().enumerate().any(repeated) && are_ours(endpoints, at)
}

/// The maximum number of groups; with more groups, the codec by host is shorter.
const MOST_GROUPS: usize = 60;

/// Whether the hosts have generated addresses and no hash keys.
pub(super) fn are_ours(endpoints: &[Endpoint], at: PriorityAt) -> bool {
    endpoints
        .iter()
        .enumerate()
        .all(|(number, e)| e.hash_key.is_none() && e.address == address(at, number))
}

/// Writes the groups: kind and size of each.
pub(super) fn write_grouped(endpoints: &[Endpoint], to: &mut ByteWriter) {
    let runs = runs(endpoints);
    to.count(runs.len());
    let mut before = 0;
    for (kind, count) in runs {
        kind.write(before, to);
        before = kind.locality;
        to.count(count);
    }
}

/// The hosts of the groups, in order, with generated addresses.
pub(super) fn read_grouped(
    from: &mut Payload<'_>,
    at: PriorityAt,
    localities: usize,
    budget: &mut usize,
) -> Result<Vec<Endpoint>, LinkError> {
    let mut endpoints = Vec::new();
    let mut before = 0;
    for _ in 0..from.count("number of groups", MAXIMUM_HOSTS)? {
        let kind = Kind::read(from, before, localities)?;
        before = kind.locality;
        let count = take(budget, from.count("size of a group", MAXIMUM_HOSTS)?)?;
        for _ in 0..count {
            endpoints.push(endpoint(kind, at, endpoints.len()));
        }
    }
    Ok(endpoints)
}

/// Writes each host: all kinds, then the kind of each host in as few bits as possible, then addresses
/// and keys if not generated.
pub(super) fn write_hosts(endpoints: &[Endpoint], at: PriorityAt, to: &mut ByteWriter) {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut indices = Vec::with_capacity(endpoints.len());
    for kind in endpoints.iter().map(Kind::of) {
        let index = kinds.iter().position(|have| *have == kind);
        indices.push(index.unwrap_or(kinds.len()));
        if index.is_none() {
            kinds.push(kind);
        }
    }
    to.count(kinds.len());
    let mut before = 0;
    for kind in &kinds {
        kind.write(before, to);
        before = kind.locality;
    }
    to.count(endpoints.len());
    let width = bits_for(kinds.len());
    let (mut bits, mut have) = (0_u64, 0);
    for index in indices {
        bits |= (index as u64) << have;
        have += width;
        while have >= 8 {
            to.byte(bits as u8);
            bits >>= 8;
            have -= 8;
        }
    }
    if have > 0 {
        to.byte(bits as u8);
    }
    let named = !are_ours(endpoints, at);
    to.integer(named.into());
    if named {
        for endpoint in endpoints {
            to.text(&endpoint.address);
            // The model distinguishes an absent key from an empty one.
            match &endpoint.hash_key {
                None => to.integer(0),
                Some(key) => {
                    to.integer(1);
                    to.text(key);
                }
            }
        }
    }
}

/// Reads the output of [`write_hosts`].
pub(super) fn read_hosts(
    from: &mut Payload<'_>,
    at: PriorityAt,
    localities: usize,
    budget: &mut usize,
) -> Result<Vec<Endpoint>, LinkError> {
    let count = from.count("number of kinds", MAXIMUM_HOSTS)?;
    let mut kinds: Vec<Kind> = Vec::new();
    for _ in 0..count {
        let before = kinds.last().map_or(0, |kind| kind.locality);
        kinds.push(Kind::read(from, before, localities)?);
    }
    let hosts = take(budget, from.count("number of hosts", MAXIMUM_HOSTS)?)?;
    let width = bits_for(kinds.len());
    let mut endpoints = Vec::with_capacity(hosts);
    let (mut bits, mut have) = (0_u64, 0);
    for number in 0..hosts {
        while have < width {
            bits |= u64::from(from.byte("kind of a host")?) << have;
            have += 8;
        }
        let index = bits & ((1 << width) - 1);
        bits >>= width;
        have -= width;
        let kind = kinds
            .get(index as usize)
            .ok_or(LinkError::Payload("kind of a host"))?;
        endpoints.push(endpoint(*kind, at, number));
    }
    if bits != 0 {
        return Err(LinkError::Payload("kind of a host"));
    }
    if from.flag("mark for addresses")? {
        for endpoint in &mut endpoints {
            from.text("address of a host")?
                .clone_into(&mut endpoint.address);
            if from.flag("mark for a hash key")? {
                endpoint.hash_key = Some(from.text("hash key of a host")?.to_owned());
            }
        }
    }
    Ok(endpoints)
}

fn endpoint(kind: Kind, at: PriorityAt, number: usize) -> Endpoint {
    Endpoint {
        address: address(at, number),
        weight: kind.weight,
        health: kind.health,
        locality: kind.locality,
        hash_key: None,
        ..Endpoint::default()
    }
}

/// Subtracts hosts from the number that the link can still have.
fn take(budget: &mut usize, count: usize) -> Result<usize, LinkError> {
    *budget = budget
        .checked_sub(count)
        .ok_or(LinkError::Payload("number of hosts"))?;
    Ok(count)
}

/// The number of bits that distinguish this number of values.
const fn bits_for(kinds: usize) -> u32 {
    match kinds {
        0 | 1 => 0,
        more => usize::BITS - (more - 1).leading_zeros(),
    }
}

fn health_number(health: Health) -> u64 {
    let status = HealthStatus::ALL
        .iter()
        .position(|status| *status == health.status)
        .unwrap_or(0) as u64;
    u64::from(health.flags.bits()) << 3 | status
}

fn health_of(number: u64) -> Result<Health, LinkError> {
    let unknown = LinkError::Payload("health of a host");
    let status = HealthStatus::ALL.get((number & 7) as usize);
    let (Some(&status), true) = (status, number < 1 << 9) else {
        return Err(unknown);
    };
    Ok(Health {
        status,
        flags: HealthFlags::from_bits((number >> 3) as u8),
    })
}
