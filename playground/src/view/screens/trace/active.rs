//! The active requests of hosts.

use spillgate_core::{
    decide::HostStats,
    snapshot::{ClusterId, HostRef},
};

use super::TraceStage;

/// Hosts with active requests; all others are idle.
#[derive(Debug, Clone, Default)]
pub struct ActiveByHost {
    hosts: Vec<(HostRef, u32)>,
    /// The entries that are not `ADDRESS=NUMBER` or name no host.
    pub unknown: Vec<String>,
}

impl ActiveByHost {
    /// Reads `ADDRESS=NUMBER` entries, separated by spaces or commas.
    #[must_use]
    pub fn read(stage: &TraceStage, text: &str) -> Self {
        let mut read = Self::default();
        let entries = text.split([' ', ',']).filter(|entry| !entry.is_empty());
        for entry in entries {
            let host = entry
                .rsplit_once('=')
                .and_then(|(address, count)| Some((stage.host_at(address)?, count.parse().ok()?)));
            match host {
                Some(host) => read.hosts.push(host),
                None => read.unknown.push(entry.into()),
            }
        }
        read
    }

    /// The active requests of a host.
    #[must_use]
    pub fn of(&self, host: HostRef) -> u32 {
        let found = self.hosts.iter().rev().find(|(have, _)| *have == host);
        found.map_or(0, |(_, count)| *count)
    }
}

impl HostStats for ActiveByHost {
    fn active(&self, host: HostRef) -> u32 {
        self.of(host)
    }

    fn cluster_active(&self, cluster: ClusterId) -> u32 {
        let hosts = self.hosts.iter();
        let own = hosts.filter(|(host, _)| host.cluster == cluster);
        own.map(|&(host, _)| self.of(host)).sum()
    }
}
