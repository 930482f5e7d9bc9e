//! One read of Envoy's admin interface.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use spillgate_config::{
    Diagnostic, Position,
    clusters::{self, ClusterStatus, HostLocality, HostStatus, HostTotals},
    node::{Node, NodeValue, read_json},
};

use super::FilterCounters;

/// What Envoy reported at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct EnvoyReading {
    /// When, in milliseconds of a steady clock.
    pub at: u64,
    /// The clusters, in Envoy's order.
    pub clusters: Vec<ClusterReading>,
    /// The counters of the filter; `None` if they are not available.
    pub filter: Option<FilterCounters>,
}

/// One cluster: its hosts, and their requests since Envoy started.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterReading {
    /// Hosts and health. Readings without a change share it. Active requests, counters and positions are
    /// omitted, because they change with every read.
    pub status: Arc<ClusterStatus<'static>>,
    /// The requests of each host (`rq_total`), retries included.
    pub requests: Vec<u64>,
}

impl EnvoyReading {
    /// Reads the response of `/clusters`, as text or JSON. Unchanged clusters share the hosts of the reading
    /// before.
    ///
    /// # Errors
    /// Every fault of the response.
    pub fn new(
        at: u64,
        clusters: &str,
        filter: Option<FilterCounters>,
        before: Option<&Self>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let statuses = clusters::read(clusters)?;
        let counts = if clusters.trim_start().starts_with('{') {
            requests(clusters)?
        } else {
            requests_in_text(clusters, &statuses)
        };
        let clusters = statuses.into_iter().zip(counts);
        Ok(Self {
            at,
            clusters: clusters
                .map(|(status, requests)| ClusterReading::new(status, requests, before))
                .collect(),
            filter,
        })
    }

    /// The cluster of that name.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&ClusterReading> {
        let mut clusters = self.clusters.iter();
        clusters.find(|cluster| cluster.status.name == name)
    }
}

impl ClusterReading {
    fn new(status: ClusterStatus<'_>, requests: Vec<u64>, before: Option<&EnvoyReading>) -> Self {
        let mut status = owned(status);
        status.position = Position::START;
        for host in &mut status.hosts {
            host.position = Position::START;
            host.active_requests = None;
        }
        let known = before.and_then(|before| before.cluster(&status.name));
        let status = match known {
            Some(known) if *known.status == status => Arc::clone(&known.status),
            _ => Arc::new(status),
        };
        Self { status, requests }
    }

    /// Whether hosts, weights and health are the same.
    pub(crate) fn has_hosts_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.status, &other.status) || self.status == other.status
    }
}

/// The requests of each host of each cluster in the text format. The lines of a host follow the first one,
/// up to that of the next host.
fn requests_in_text(text: &str, statuses: &[ClusterStatus<'_>]) -> Vec<Vec<u64>> {
    let mut lines = (1_u32..).zip(text.lines()).peekable();
    let starts = statuses.iter().flat_map(|status| &status.hosts);
    let mut starts = starts.map(|host| host.position.line).skip(1);
    let counts = statuses.iter().map(|status| {
        let hosts = status.hosts.iter().map(|_| {
            let end = starts.next().unwrap_or(u32::MAX);
            let mut found = 0;
            while let Some((_, line)) = lines.next_if(|(number, _)| *number < end) {
                if let Some((_, count)) = line.rsplit_once("::rq_total::") {
                    found = count.trim_end().parse().unwrap_or(0);
                }
            }
            found
        });
        hosts.collect()
    });
    counts.collect()
}

/// The requests of each host of each cluster. The reader of hosts leaves them out, because the filter
/// contains it.
fn requests(text: &str) -> Result<Vec<Vec<u64>>, Vec<Diagnostic>> {
    let document = read_json(text).map_err(|fault| Vec::from([fault]))?;
    let clusters = document
        .roots
        .first()
        .map(|root| items(root, "cluster_statuses"))
        .into_iter()
        .flatten();
    let counts = clusters.map(|cluster| {
        let hosts = items(cluster, "host_statuses").iter();
        hosts.map(total).collect()
    });
    Ok(counts.collect())
}

/// The value of `rq_total`, which proto3 JSON omits if it is 0 and otherwise writes as a string.
fn total(host: &Node<'_>) -> u64 {
    let is_total = |metric: &&Node<'_>| matches!(metric.get("name").map(|name| &name.value), Some(NodeValue::String(name)) if name == "rq_total");
    let metric = items(host, "stats").iter().find(is_total);
    match metric
        .and_then(|metric| metric.get("value"))
        .map(|value| &value.value)
    {
        Some(NodeValue::String(text)) => text.parse().unwrap_or(0),
        Some(NodeValue::Int(number)) => u64::try_from(*number).unwrap_or(0),
        Some(NodeValue::Uint(number)) => *number,
        _ => 0,
    }
}

/// The items of a list in a field; empty for other values.
fn items<'n, 'a>(node: &'n Node<'a>, field: &str) -> &'n [Node<'a>] {
    match node.get(field).map(|node| &node.value) {
        Some(NodeValue::List(items)) => items,
        _ => &[],
    }
}

/// The same cluster, independent of the text.
fn owned(status: ClusterStatus<'_>) -> ClusterStatus<'static> {
    let text = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    let hosts = status.hosts.into_iter().map(|host| HostStatus {
        address: text(host.address),
        hostname: host.hostname.map(text),
        locality: HostLocality {
            region: host.locality.region.map(text),
            zone: host.locality.zone.map(text),
            sub_zone: host.locality.sub_zone.map(text),
        },
        position: host.position,
        health: host.health,
        weight: host.weight,
        priority: host.priority,
        canary: host.canary,
        active_requests: host.active_requests,
        totals: HostTotals::default(),
    });
    ClusterStatus {
        name: text(status.name),
        position: status.position,
        hosts: hosts.collect(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec};

    use super::*;

    /// A host as Envoy writes it, as far as it matters here.
    fn host(cluster: &str, address: &str, count: u64) -> String {
        format!(
            "{cluster}::{address}::rq_active::0\n{cluster}::{address}::rq_total::{count}\n\
             {cluster}::{address}::health_flags::healthy\n"
        )
    }

    #[test]
    fn the_text_has_the_requests_of_each_host() {
        // A static cluster may have an address twice.
        let text = String::from("a::default_priority::max_requests::1024\n")
            + &host("a", "10.0.0.1:80", 7)
            + &host("a", "10.0.0.1:80", 8)
            + "b::added_via_api::false\nc::observability_name::c\n"
            + &host("c", "[::1]:80", 9);
        let reading = EnvoyReading::new(0, &text, None, None).unwrap();
        let counts: Vec<_> = reading
            .clusters
            .iter()
            .map(|cluster| (&*cluster.status.name, cluster.requests.clone()))
            .collect();
        assert_eq!(counts, [("a", vec![7, 8]), ("b", vec![]), ("c", vec![9])]);
    }
}
