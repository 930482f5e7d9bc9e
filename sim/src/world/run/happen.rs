//! How something happens, and how gateways come to hear of it.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::{
    draw::Draw as _,
    model::{Health, HealthStatus},
};

use super::{World, time::Timer};
use crate::world::{Behavior, Delivery, Happening, KeyChange, Millis, Moment, Standing};

impl<B: Behavior> World<'_, B> {
    /// Makes something happen.
    pub(in crate::world) fn happen(&mut self, what: Happening) {
        self.events += 1;
        let now = self.now;
        match &what {
            Happening::Status(hosts, status) => {
                let health = Health::from_status(*status);
                // A host that drains goes, whatever else befalls it.
                self.change(hosts, |host| {
                    if !host.is_draining() {
                        host.health = health;
                    }
                });
            }
            Happening::Drain(hosts, within) => {
                let leaves = now + within;
                let drains: Vec<usize> = self
                    .ground
                    .those(|host| host.present && !host.is_draining())
                    .into_iter()
                    .filter(|host| hosts.contains(host))
                    .collect();
                self.change(&drains, |host| {
                    host.health = Health::from_status(HealthStatus::Draining);
                    host.leaves = Some(leaves);
                });
                let timers = drains.iter().map(|&host| (leaves, Timer::Leaves(host)));
                self.timers.extend(timers);
            }
            Happening::Vanish(hosts) => {
                self.timers
                    .retain(|(_, timer)| !matches!(timer, Timer::Leaves(h) if hosts.contains(h)));
                self.change(hosts, |host| host.vanish(now));
            }
            Happening::Appear(hosts) => self.change(hosts, |host| host.appear()),
            Happening::Priority(hosts, priority) => {
                self.change(hosts, |host| host.priority = *priority)
            }
            Happening::Metadata(hosts, metadata) => {
                self.change(hosts, |host| host.metadata = metadata.clone());
            }
            Happening::Keys(KeyChange::Rotate) => self.rotate(),
            Happening::Keys(change) => self.change_keys(*change),
            Happening::Reload(gateway) => {
                if let Some(gateway) = self.gateways.get_mut(*gateway) {
                    gateway.reload();
                }
            }
            Happening::Restart(gateway) => {
                if let Some(gateway) = self.gateways.get_mut(*gateway) {
                    gateway.restart(&self.scenario.layout, &self.ground);
                }
            }
            Happening::Clock(gateway, ahead) => self.set_clocks(*gateway, *ahead),
        }
        if let Some(watched) = &mut self.watched {
            watched.push((now, Moment::Happened(what)));
        }
    }

    /// Changes hosts and tells the gateways.
    fn change(&mut self, hosts: &[usize], change: impl FnMut(&mut Standing)) {
        let layout = &self.scenario.layout;
        for cluster in self.ground.change(layout, hosts, change) {
            let news = self.ground.news(layout, cluster);
            for at in 0..self.gateways.len() {
                let due = self.soon();
                if let Some(gateway) = self.gateways.get_mut(at) {
                    gateway.send(due, Delivery::Hosts(cluster, news.clone()));
                }
            }
        }
    }

    fn change_keys(&mut self, change: KeyChange) {
        if !self.keys.change(change) {
            return;
        }
        for at in 0..self.gateways.len() {
            let due = self.soon();
            let keys: Arc<_> = self.keys.ring.clone();
            if let Some(gateway) = self.gateways.get_mut(at) {
                gateway.send(due, Delivery::Keys(keys));
            }
        }
    }

    /// Adds a key now, and arranges the rest for when every gateway has it and when the last token
    /// of the others has ended by any clock.
    fn rotate(&mut self) {
        let under_way = |(_, timer): &(Millis, Timer)| !matches!(timer, Timer::Leaves(_));
        if self.timers.iter().any(under_way) {
            return;
        }
        let id = self.keys.next();
        self.change_keys(KeyChange::Add(id));
        let promoted = self.now + self.scenario.view_delay + 1;
        self.sealed = promoted + self.scenario.view_delay;
        self.timers.push((promoted, Timer::Promote(id)));
        self.timers.push((self.ended(), Timer::DropOthers));
    }

    /// When the last token of the keys before has ended, by any clock that a gateway ever had.
    pub(in crate::world) const fn ended(&self) -> Millis {
        /// Clocks are read in whole seconds.
        const SECOND: Millis = 1_000;
        let life = self.scenario.sessions.life.max.saturating_mul(SECOND);
        let apart = self.clocks.1.abs_diff(self.clocks.0);
        self.sealed.saturating_add(life).saturating_add(apart) + SECOND
    }

    fn set_clocks(&mut self, gateway: Option<usize>, ahead: i64) {
        self.clocks = (self.clocks.0.min(ahead), self.clocks.1.max(ahead));
        for (at, clock) in self.gateways.iter_mut().enumerate() {
            if gateway.is_none_or(|chosen| chosen == at) {
                clock.ahead = ahead;
            }
        }
    }

    /// A time by which a gateway hears of what happens now.
    fn soon(&mut self) -> Millis {
        self.now + self.draw.draw() % (self.scenario.view_delay + 1)
    }
}
