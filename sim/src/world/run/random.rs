//! What a step is that was drawn.

use alloc::vec::Vec;

use spillgate_core::{
    affinity::{HostId, KeyRing, Life, Token},
    draw::Draw as _,
    model::{CoarseHealth, HealthStatus},
};

use super::World;
use crate::world::{
    Behavior, Brings, Client, EventKind, Happening, KeyChange, SCOPE, Sent, Standing,
};

/// An hour, in milliseconds.
const HOUR: i64 = 3_600_000;

impl<B: Behavior> World<'_, B> {
    /// What a request brings; `None` where there is nothing to begin with.
    pub(in crate::world) fn bring(&mut self, kind: EventKind, client: usize) -> Option<Sent> {
        match kind {
            EventKind::Forge => self.forge(client),
            EventKind::Borrow => {
                let owner = self.below(self.clients.len());
                let owner = self.clients.get(owner).filter(|_| owner != client)?;
                let kept = owner.jar.as_ref()?;
                Some(Sent::kept(client, Brings::Borrowed, Some(kept)))
            }
            _ => {
                let own = self.clients.get(client)?;
                Some(Sent::kept(client, Brings::Own, own.jar.as_ref()))
            }
        }
    }

    fn forge(&mut self, client: usize) -> Option<Sent> {
        let what = match self.draw.draw() % 4 {
            0 => Brings::Garbled,
            1 => Brings::Foreign,
            2 => Brings::OtherScope,
            _ => Brings::Noise,
        };
        let text = match what {
            Brings::Garbled => self.garbled()?,
            Brings::Foreign => {
                let keys = self.keys.foreign()?;
                self.sealed_for(&keys, SCOPE, client)
            }
            Brings::OtherScope => {
                let keys = self.keys.ring.clone();
                self.sealed_for(&keys, "elsewhere.example", client)
            }
            _ => self.noise(),
        };
        Some(Sent::made_up(client, what, text))
    }

    /// Somebody's token with one to three characters changed.
    fn garbled(&mut self) -> Option<Vec<u8>> {
        let from = self.below(self.clients.len());
        let true_one = |client: &Client| Some(client.jar.as_ref()?.text.clone().into_bytes());
        let token = self.clients.get(from).and_then(true_one)?;
        let mut text = token.clone();
        for _ in 0..=self.below(3) {
            let (at, letter) = (self.below(text.len()), self.letter());
            if let Some(place) = text.get_mut(at) {
                *place = letter;
            }
        }
        (text != token).then_some(text)
    }

    /// A token for a host that there is and a client's criteria, well sealed.
    fn sealed_for(&mut self, keys: &KeyRing, scope: &str, client: usize) -> Vec<u8> {
        let layout = &self.scenario.layout;
        let host = (self.draw.draw() % layout.sites.len().max(1) as u64) as usize;
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

    /// As long as a token, in its letters.
    fn noise(&mut self) -> Vec<u8> {
        const LENGTH: usize = 120;
        (0..LENGTH).map(|_| self.letter()).collect()
    }

    fn letter(&mut self) -> u8 {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let at = self.below(LETTERS.len());
        LETTERS.get(at).copied().unwrap_or(b'A')
    }

    /// What happens; `None` where there is nothing that it could happen to.
    pub(in crate::world) fn think_of(&mut self, kind: EventKind) -> Option<Happening> {
        let gateway = self.below(self.gateways.len());
        Some(match kind {
            EventKind::Request | EventKind::Forge | EventKind::Borrow => return None,
            EventKind::Flap => {
                let host = self.one_of(|host| host.present && !host.is_draining())?;
                Happening::Status([host].into(), self.status())
            }
            EventKind::Drain => {
                let host = self.one_of(|host| host.present && !host.is_draining())?;
                let longest = self.scenario.every.saturating_mul(40).max(1);
                Happening::Drain([host].into(), 1 + self.draw.draw() % longest)
            }
            EventKind::Vanish => Happening::Vanish([self.one_of(|host| host.present)?].into()),
            EventKind::Appear => Happening::Appear([self.one_of(|host| !host.present)?].into()),
            EventKind::Priority => {
                let host = self.one_of(|host| host.present)?;
                let cluster = self.scenario.layout.sites.get(host)?.cluster;
                let priorities = self.scenario.layout.bare.get(cluster)?.priorities().len();
                Happening::Priority([host].into(), self.below(priorities))
            }
            EventKind::Metadata => {
                let host = self.one_of(|host| host.present)?;
                let model = self.one_of(|_| true)?;
                let metadata = self.ground.hosts.get(model)?.metadata.clone();
                Happening::Metadata([host].into(), metadata)
            }
            EventKind::Failover => self.failover(),
            EventKind::Rotate => Happening::Keys(KeyChange::Rotate),
            EventKind::Reload => Happening::Reload(gateway),
            EventKind::Restart => Happening::Restart(gateway),
            EventKind::Clock => {
                let jump = |now: i64| match now {
                    0 => HOUR,
                    HOUR => -HOUR,
                    _ => 0,
                };
                let ahead = self.gateways.get(gateway)?.ahead;
                Happening::Clock(Some(gateway), jump(ahead))
            }
        })
    }

    /// All hosts of a cluster fail; where none of them is well, all are again.
    fn failover(&mut self) -> Happening {
        let layout = &self.scenario.layout;
        let turn = (self.draw.draw() % layout.bare.len().max(1) as u64) as usize;
        let sites = layout.sites.iter().enumerate();
        let here = sites.filter(|(_, site)| site.cluster == turn);
        let hosts: Vec<usize> = here.map(|(at, _)| at).collect();
        let is_well = |host: &usize| {
            let host = self.ground.hosts.get(*host);
            host.is_some_and(|h| h.present && h.health.coarse() == CoarseHealth::Healthy)
        };
        let status = match hosts.iter().any(is_well) {
            true => HealthStatus::Unhealthy,
            false => HealthStatus::Healthy,
        };
        Happening::Status(hosts, status)
    }

    fn one_of(&mut self, holds: impl Fn(&Standing) -> bool) -> Option<usize> {
        let those = self.ground.those(holds);
        let at = self.below(those.len());
        those.get(at).copied()
    }

    /// Well three times of five.
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
