//! Random requests and events.

use alloc::vec::Vec;

use spillgate_core::{
    affinity::{HostId, KeyRing, Life, Token},
    draw::Draw as _,
    model::{CoarseHealth, HealthStatus},
};

use super::World;
use crate::world::{
    Client, EventKind, GatewayBehavior, KeyChange, SCOPE, SentRequest, TokenSource, TrueHost,
    WorldEvent,
};

/// An hour, in milliseconds.
const HOUR: i64 = 3_600_000;

impl<B: GatewayBehavior> World<'_, B> {
    /// A random request; `None` if it needs a token that does not exist yet.
    pub(crate) fn random_request(&mut self, kind: EventKind, client: usize) -> Option<SentRequest> {
        let (owner, source) = match kind {
            EventKind::Forge => return self.forge(client),
            EventKind::Borrow => (self.below(self.clients.len()), TokenSource::OtherClient),
            _ => (client, TokenSource::Own),
        };
        let kept = self.clients.get(owner)?.token.as_ref();
        if source == TokenSource::OtherClient && (owner == client || kept.is_none()) {
            return None;
        }
        Some(SentRequest {
            client,
            source,
            text: kept.map(|kept| kept.text.clone().into_bytes()),
            facts: kept.map(|kept| kept.facts),
        })
    }

    fn forge(&mut self, client: usize) -> Option<SentRequest> {
        let source = match self.draw.draw() % 4 {
            0 => TokenSource::Altered,
            1 => TokenSource::OtherKey,
            2 => TokenSource::OtherScope,
            _ => TokenSource::RandomText,
        };
        let text = match source {
            TokenSource::Altered => self.altered()?,
            TokenSource::OtherKey => {
                let keys = self.keys.foreign()?;
                self.sealed_for(&keys, SCOPE, client)
            }
            TokenSource::OtherScope => {
                let keys = self.keys.ring.clone();
                self.sealed_for(&keys, "elsewhere.example", client)
            }
            _ => self.random_text(),
        };
        Some(SentRequest {
            client,
            source,
            text: Some(text),
            facts: None,
        })
    }

    /// A token of a random client, with one to three changed characters.
    fn altered(&mut self) -> Option<Vec<u8>> {
        let from = self.below(self.clients.len());
        let token_of = |client: &Client| Some(client.token.as_ref()?.text.clone().into_bytes());
        let token = self.clients.get(from).and_then(token_of)?;
        let mut text = token.clone();
        for _ in 0..=self.below(3) {
            let (at, letter) = (self.below(text.len()), self.letter());
            if let Some(place) = text.get_mut(at) {
                *place = letter;
            }
        }
        (text != token).then_some(text)
    }

    /// A sealed token for a random host and the criteria of a client.
    fn sealed_for(&mut self, keys: &KeyRing, scope: &str, client: usize) -> Vec<u8> {
        let layout = &self.scenario.layout;
        let host = (self.draw.draw() % layout.hosts.len().max(1) as u64) as usize;
        let key = keys.first();
        let name = layout.cluster_of(host);
        let clock = self.gateways.first().map_or(0, |g| g.clock(self.now));
        let id: HostId = key.host_id(name, layout.address(host));
        let life = Life { ttl: 0, max: 3_600 };
        let mut criteria = Vec::new();
        layout.criteria_of(client).canonical(&mut criteria);
        let token = Token {
            session: self.draw.draw(),
            host: id,
            cluster: key.cluster_id(name),
            scope: key.scope_id(scope),
            subset: key.subset_id(&criteria),
            issued: clock,
            expires: life.expiry(clock, clock),
            epoch: 0,
        };
        keys.seal(&token).as_str().into()
    }

    /// Random text with the length and the characters of a token.
    fn random_text(&mut self) -> Vec<u8> {
        const LENGTH: usize = 120;
        (0..LENGTH).map(|_| self.letter()).collect()
    }

    fn letter(&mut self) -> u8 {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let at = self.below(LETTERS.len());
        LETTERS.get(at).copied().unwrap_or(b'A')
    }

    /// A random event of a kind; `None` if it applies to no host.
    pub(crate) fn random_event(&mut self, kind: EventKind) -> Option<WorldEvent> {
        let gateway = self.below(self.gateways.len());
        Some(match kind {
            EventKind::Request | EventKind::Forge | EventKind::Borrow => return None,
            EventKind::Flap => {
                let host = self.one_of(|host| host.present && !host.is_draining())?;
                WorldEvent::Status([host].into(), self.status())
            }
            EventKind::Drain => {
                let host = self.one_of(|host| host.present && !host.is_draining())?;
                let longest = self.scenario.every.saturating_mul(40).max(1);
                WorldEvent::Drain([host].into(), 1 + self.draw.draw() % longest)
            }
            EventKind::Vanish => WorldEvent::Vanish([self.one_of(|host| host.present)?].into()),
            EventKind::Appear => WorldEvent::Appear([self.one_of(|host| !host.present)?].into()),
            EventKind::Priority => {
                let host = self.one_of(|host| host.present)?;
                let cluster = self.scenario.layout.hosts.get(host)?.cluster;
                let priorities = self
                    .scenario
                    .layout
                    .clusters
                    .get(cluster)?
                    .priorities()
                    .len();
                WorldEvent::Priority([host].into(), self.below(priorities))
            }
            EventKind::Metadata => {
                let host = self.one_of(|host| host.present)?;
                let model = self.one_of(|_| true)?;
                let metadata = self.true_hosts.hosts.get(model)?.metadata.clone();
                WorldEvent::Metadata([host].into(), metadata)
            }
            EventKind::Partial => {
                let layout = &self.scenario.layout;
                let of = layout.hosts.get(self.one_of(|host| host.present)?)?.cluster;
                let mut here = self.true_hosts.filter(|host| host.present);
                here.retain(|&at| layout.hosts.get(at).is_some_and(|host| host.cluster == of));
                here.retain(|_| self.draw.draw().is_multiple_of(2));
                WorldEvent::Partial(gateway, here)
            }
            EventKind::Failover => self.failover(),
            EventKind::Rotate => WorldEvent::Keys(KeyChange::Rotate),
            EventKind::Reload => WorldEvent::Reload(gateway),
            EventKind::Restart => WorldEvent::Restart(gateway),
            EventKind::Clock => {
                let jump = |now: i64| match now {
                    0 => HOUR,
                    HOUR => -HOUR,
                    _ => 0,
                };
                let ahead = self.gateways.get(gateway)?.ahead;
                WorldEvent::Clock(Some(gateway), jump(ahead))
            }
        })
    }

    /// All hosts of a cluster fail; if none is healthy, all become healthy.
    fn failover(&mut self) -> WorldEvent {
        let layout = &self.scenario.layout;
        let turn = (self.draw.draw() % layout.clusters.len().max(1) as u64) as usize;
        let configured_hosts = layout.hosts.iter().enumerate();
        let here = configured_hosts.filter(|(_, configured)| configured.cluster == turn);
        let hosts: Vec<usize> = here.map(|(at, _)| at).collect();
        let is_healthy = |host: &usize| {
            let host = self.true_hosts.hosts.get(*host);
            host.is_some_and(|h| h.present && h.health.coarse() == CoarseHealth::Healthy)
        };
        let status = if hosts.iter().any(is_healthy) {
            HealthStatus::Unhealthy
        } else {
            HealthStatus::Healthy
        };
        WorldEvent::Status(hosts, status)
    }

    /// A random host for which `holds` returns true.
    fn one_of(&mut self, holds: impl Fn(&TrueHost) -> bool) -> Option<usize> {
        let hosts = self.true_hosts.filter(holds);
        let at = self.below(hosts.len());
        hosts.get(at).copied()
    }

    /// A random status; healthy or unknown in six of ten cases.
    fn status(&mut self) -> HealthStatus {
        use HealthStatus::{Degraded, Healthy, Timeout, Unhealthy, Unknown};
        const STATUSES: [HealthStatus; 10] = [
            Healthy, Healthy, Healthy, Healthy, Healthy, Unknown, Unhealthy, Unhealthy, Degraded,
            Timeout,
        ];
        let at = self.below(STATUSES.len());
        STATUSES.get(at).copied().unwrap_or_default()
    }
}
