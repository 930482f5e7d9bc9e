//! Applies an event, and sends the updates to the gateways.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::{
    draw::Draw as _,
    model::{Health, HealthStatus},
};

use super::{World, time::Timer};
use crate::world::{Delivery, GatewayBehavior, KeyChange, LogEntry, Millis, TrueHost, WorldEvent};

impl<B: GatewayBehavior> World<'_, B> {
    /// Applies an event.
    pub(crate) fn apply(&mut self, event: WorldEvent) {
        self.events += 1;
        let now = self.now;
        match &event {
            WorldEvent::Status(hosts, status) => {
                let health = Health::from_status(*status);
                // A draining host keeps draining until it vanishes.
                self.change(hosts, |host| {
                    if !host.is_draining() {
                        host.health = health;
                    }
                });
            }
            WorldEvent::Drain(hosts, within) => {
                let vanishes = now + within;
                let drains: Vec<usize> = self
                    .true_hosts
                    .filter(|host| host.present && !host.is_draining())
                    .into_iter()
                    .filter(|host| hosts.contains(host))
                    .collect();
                self.change(&drains, |host| {
                    host.health = Health::from_status(HealthStatus::Draining);
                    host.vanishes_at = Some(vanishes);
                });
                let timers = drains.iter().map(|&host| (vanishes, Timer::Vanish(host)));
                self.timers.extend(timers);
            }
            WorldEvent::Vanish(hosts) => {
                self.timers
                    .retain(|(_, timer)| !matches!(timer, Timer::Vanish(h) if hosts.contains(h)));
                self.change(hosts, |host| host.vanish(now));
            }
            WorldEvent::Appear(hosts) => self.change(hosts, |host| host.appear()),
            WorldEvent::Priority(hosts, priority) => {
                self.change(hosts, |host| host.priority = *priority)
            }
            WorldEvent::Metadata(hosts, metadata) => {
                self.change(hosts, |host| host.metadata = metadata.clone());
            }
            WorldEvent::Partial(gateway, missing) => self.update_partly(*gateway, missing),
            WorldEvent::Keys(KeyChange::Rotate) => self.rotate(),
            WorldEvent::Keys(change) => self.change_keys(*change),
            WorldEvent::Reload(gateway) => {
                if let Some(gateway) = self.gateways.get_mut(*gateway) {
                    gateway.reload();
                }
            }
            WorldEvent::Restart(gateway) => {
                if let Some(gateway) = self.gateways.get_mut(*gateway) {
                    gateway.restart(&self.scenario.layout, &self.true_hosts);
                }
            }
            WorldEvent::Epoch(gateway, epoch) => {
                for (at, each) in self.gateways.iter_mut().enumerate() {
                    if gateway.is_none_or(|chosen| chosen == at) {
                        each.require_epoch(*epoch);
                    }
                }
            }
            WorldEvent::Clock(gateway, ahead) => self.set_clocks(*gateway, *ahead),
        }
        if let Some(log) = &mut self.log {
            log.push((now, LogEntry::Event(event)));
        }
    }

    /// Changes hosts, and sends the updates to the gateways.
    fn change(&mut self, hosts: &[usize], change: impl FnMut(&mut TrueHost)) {
        let layout = &self.scenario.layout;
        let clusters = self.true_hosts.change(layout, hosts, change);
        if let Some(log) = &mut self.log {
            let changed = hosts.iter().filter_map(|&host| {
                let state = self.true_hosts.hosts.get(host)?.shown();
                Some((self.now, LogEntry::Host(host, state)))
            });
            log.extend(changed);
        }
        for cluster in clusters {
            let update = self.true_hosts.update(layout, cluster);
            self.deliver(&Delivery::Hosts(cluster, update));
        }
    }

    /// Sends a gateway an update without some hosts of a cluster, now, and then the complete update
    /// to every gateway.
    fn update_partly(&mut self, gateway: usize, missing: &[usize]) {
        let layout = &self.scenario.layout;
        for cluster in self.true_hosts.change(layout, missing, |_| {}) {
            let mut partial = self.true_hosts.complete(layout, cluster);
            partial.hosts.retain(|host| !missing.contains(&host.host));
            if let Some(gateway) = self.gateways.get_mut(gateway) {
                gateway.deliver(self.now, Delivery::Hosts(cluster, Arc::new(partial)));
            }
        }
        self.change(missing, |_| {});
    }

    fn change_keys(&mut self, change: KeyChange) {
        if self.keys.change(change) {
            self.deliver(&Delivery::Keys(self.keys.ring.clone()));
        }
    }

    /// Sends an update to every gateway, each with its own delay.
    fn deliver(&mut self, delivery: &Delivery) {
        for gateway in &mut self.gateways {
            let delay = self.draw.draw() % (self.scenario.view_delay + 1);
            gateway.deliver(self.now + delay, delivery.clone());
        }
    }

    /// Adds a key now. Schedules its promotion for when every gateway has it, and the drop of the
    /// other keys for when their last token has expired by every clock.
    fn rotate(&mut self) {
        let is_rotation = |(_, timer): &(Millis, Timer)| !matches!(timer, Timer::Vanish(_));
        if self.timers.iter().any(is_rotation) {
            return;
        }
        let id = self.keys.next();
        self.change_keys(KeyChange::Add(id));
        let promoted = self.now + self.scenario.view_delay + 1;
        self.last_old_seal = promoted + self.scenario.view_delay;
        self.timers.push((promoted, Timer::Promote(id)));
        self.timers.push((self.old_tokens_end(), Timer::DropOthers));
    }

    /// When the last token of the previous keys has expired, by every clock that a gateway ever
    /// had.
    pub(crate) const fn old_tokens_end(&self) -> Millis {
        /// Tokens count whole seconds.
        const SECOND: Millis = 1_000;
        let life = self.scenario.sessions.life.max.saturating_mul(SECOND);
        let apart = self.clocks.1.abs_diff(self.clocks.0);
        self.last_old_seal
            .saturating_add(life)
            .saturating_add(apart)
            + SECOND
    }

    fn set_clocks(&mut self, gateway: Option<usize>, ahead: i64) {
        self.clocks = (self.clocks.0.min(ahead), self.clocks.1.max(ahead));
        for (at, clock) in self.gateways.iter_mut().enumerate() {
            if gateway.is_none_or(|chosen| chosen == at) {
                clock.ahead = ahead;
            }
        }
    }
}
