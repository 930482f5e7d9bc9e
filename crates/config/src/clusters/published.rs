//! The hosts of a cluster in a compact form, for a poller that publishes them to other workers.
//!
//! Data that rarely changes is separate from data that often changes, so that readers see at once
//! whether hosts joined or left, only changed health, or nothing changed.

use alloc::{borrow::Cow, vec::Vec};

use spillgate_core::{
    model::{Health, HealthFlags, HealthStatus, Weight},
    names::Names,
};

use super::{HostLocality, HostStatus};

/// The hosts of a cluster, encoded. Equal bytes mean equal hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Published {
    /// Identity: addresses, priorities, weights, localities, host names.
    pub hosts: Vec<u8>,
    /// Health, two bytes per host.
    pub health: Vec<u8>,
    /// Active requests, four bytes per host.
    pub active: Vec<u8>,
}

/// The statuses, by their number in the encoding.
const STATUSES: [HealthStatus; 6] = [
    HealthStatus::Unknown,
    HealthStatus::Healthy,
    HealthStatus::Unhealthy,
    HealthStatus::Draining,
    HealthStatus::Timeout,
    HealthStatus::Degraded,
];

impl Published {
    /// Decodes what [`PublishedParts`] has encoded; `None` for invalid bytes.
    #[must_use]
    pub fn read<'a>(hosts: &'a [u8], health: &[u8]) -> Option<Vec<HostStatus<'a>>> {
        let mut found = Vec::with_capacity(health.len() / 2);
        Self::read_each(hosts, health, &mut |host| found.push(host))?;
        Some(found)
    }

    /// Decodes the same, one host after another; `None` for invalid bytes.
    pub fn read_each<'a>(
        hosts: &'a [u8],
        health: &[u8],
        each: &mut dyn FnMut(HostStatus<'a>),
    ) -> Option<()> {
        let mut rest = hosts;
        let mut localities: Vec<HostLocality<'a>> = Vec::new();
        for health in Self::healths(health) {
            let address = read_text(&mut rest)?;
            let [priority] = bytes(&mut rest)?;
            let weight = u32::from_le_bytes(bytes(&mut rest)?);
            let hostname = read_text(&mut rest)?;
            let number = u32::from_le_bytes(bytes(&mut rest)?) as usize;
            if number == localities.len() {
                let mut name = || read_text(&mut rest).map(|name| Some(Cow::Borrowed(name)));
                localities.push(HostLocality {
                    region: name()?,
                    zone: name()?,
                    sub_zone: name()?,
                });
            }
            let mut host = HostStatus::new(Cow::Borrowed(address), crate::Position::START);
            host.health = Some(health?);
            host.hostname = Some(Cow::Borrowed(hostname));
            host.weight = Weight::new(weight);
            host.priority = Some(priority.into());
            host.locality = localities.get(number)?.clone();
            each(host);
        }
        rest.is_empty().then_some(())
    }

    /// The health of each host, in order; `None` for a host with invalid bytes.
    pub fn healths(health: &[u8]) -> impl Iterator<Item = Option<Health>> {
        let (hosts, _) = health.as_chunks();
        hosts.iter().map(|bytes| read_health(*bytes))
    }

    /// The active requests of each host, in order.
    pub fn actives(active: &[u8]) -> impl Iterator<Item = u32> {
        let (counts, _) = active.as_chunks();
        counts.iter().map(|count| u32::from_le_bytes(*count))
    }
}

/// The number of the status, then one bit per flag.
fn health_bytes(health: Health) -> [u8; 2] {
    let status = STATUSES.iter().position(|status| *status == health.status);
    [status.unwrap_or(0) as u8, health.flags.bits()]
}

/// Inverse of [`health_bytes`]; `None` for an unknown status.
fn read_health([status, bits]: [u8; 2]) -> Option<Health> {
    Some(Health {
        status: *STATUSES.get(usize::from(status))?,
        flags: HealthFlags::from_bits(bits),
    })
}

/// Appends a string after its length.
fn text(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

/// Reads a string after its length of four bytes.
fn read_text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let length = u32::from_le_bytes(bytes(rest)?);
    let (text, after) = rest.split_at_checked(length as usize)?;
    *rest = after;
    core::str::from_utf8(text).ok()
}

/// The next `N` bytes.
fn bytes<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*bytes)
}

/// The hosts of a cluster while its response is read part by part.
#[derive(Debug, Default)]
pub struct PublishedParts {
    /// The hosts so far.
    pub published: Published,
    /// The numbers of the localities so far.
    localities: Names,
    next_locality: usize,
}

impl PublishedParts {
    /// Adds hosts of the text format after the others.
    pub fn add(&mut self, hosts: &[HostStatus<'_>]) {
        let Self {
            published,
            localities,
            next_locality,
        } = self;
        for host in hosts {
            let out = &mut published.hosts;
            text(&host.address, out);
            out.push(host.priority.map_or(0, |priority| priority.min(255) as u8));
            out.extend(host.weight.map_or(1, Weight::get).to_le_bytes());
            text(host.hostname.as_deref().unwrap_or_default(), out);
            let HostLocality {
                region,
                zone,
                sub_zone,
            } = &host.locality;
            let names = [region, zone, sub_zone].map(|name| name.as_deref().unwrap_or_default());
            // A value of the text format is part of a line.
            let locality = names.join("\n");
            let known = localities.get(&locality);
            let number = known.unwrap_or(*next_locality);
            out.extend((number as u32).to_le_bytes());
            if known.is_none() {
                for name in names {
                    text(name, out);
                }
                localities.insert(&locality, number);
                *next_locality += 1;
            }
            published
                .health
                .extend(health_bytes(host.health.unwrap_or_default()));
            let active = host.active_requests.unwrap_or(0);
            let active = u32::try_from(active).unwrap_or(u32::MAX);
            published.active.extend(active.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;
    use crate::clusters::read_text as read_clusters;

    fn encoded(hosts: &[HostStatus<'_>]) -> Published {
        let mut parts = PublishedParts::default();
        parts.add(hosts);
        parts.published
    }

    fn answer() -> String {
        let mut text = String::new();
        for (host, flags, zone) in [
            ("10.0.0.1:80", "healthy", "a"),
            ("[::1]:443", "/failed_active_hc/eds_status_draining", "b"),
            ("10.0.0.3:80", "/degraded_eds_health/pending_active_hc", "a"),
            (
                "./host.sock",
                "/failed_outlier_check/pending_dynamic_removal",
                "",
            ),
        ] {
            for (name, value) in [
                ("rq_active", "7"),
                ("hostname", "a.example"),
                ("health_flags", flags),
                ("weight", "4294967295"),
                ("region", "r"),
                ("zone", zone),
                ("sub_zone", ""),
                ("priority", "3"),
            ] {
                text.push_str(&format!("c::{host}::{name}::{value}\n"));
            }
        }
        text
    }

    #[test]
    fn output_reads_back() {
        let text = answer();
        let mut clusters = read_clusters(&text).unwrap();
        let hosts = &mut clusters[0].hosts;
        let published = encoded(hosts);
        assert_eq!(
            Published::actives(&published.active).collect::<Vec<_>>(),
            [7; 4]
        );
        for host in hosts.iter_mut() {
            host.position = crate::Position::START;
            host.active_requests = None;
        }
        let read = Published::read(&published.hosts, &published.health).unwrap();
        assert_eq!(read, *hosts);
    }

    #[test]
    fn a_change_of_health_keeps_the_host_bytes() {
        let before = answer();
        let after = before.replace("healthy", "/failed_active_hc");
        let before = encoded(&read_clusters(&before).unwrap()[0].hosts);
        let after = encoded(&read_clusters(&after).unwrap()[0].hosts);
        assert_eq!(before.hosts, after.hosts);
        assert_ne!(before.health, after.health);
    }

    #[test]
    fn other_bytes_are_rejected() {
        let text = answer();
        let published = encoded(&read_clusters(&text).unwrap()[0].hosts);
        for end in 0..published.hosts.len() {
            assert_eq!(
                Published::read(&published.hosts[..end], &published.health),
                None,
                "{end}"
            );
        }
        assert_eq!(
            Published::read(&published.hosts, &published.health[2..]),
            None
        );
        assert_eq!(Published::read(&published.hosts, &[9; 8]), None);
    }
}
