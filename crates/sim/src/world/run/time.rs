//! Advances the time, with the scripted events and timers that are due.

use alloc::vec::Vec;

use super::World;
use crate::world::{GatewayBehavior, KeyChange, Millis, Phase, WorldEvent};

/// An event that is scheduled for later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timer {
    /// A draining host vanishes.
    Vanish(usize),
    /// A key of a rotation is promoted.
    Promote(u8),
    /// The other keys of a rotation are dropped.
    DropOthers,
}

impl<B: GatewayBehavior> World<'_, B> {
    /// Advances the time to `until`.
    pub(crate) fn pass_until(&mut self, until: Millis) {
        loop {
            let timers = self.timers.iter().enumerate();
            let timer = timers.min_by_key(|(_, (due, _))| *due);
            let timer = timer.map(|(at, (due, timer))| (*due, at, *timer));
            let script = self.scenario.script.get(self.scripted);
            match (timer, script) {
                (_, Some(next)) if next.at <= until && timer.is_none_or(|t| next.at <= t.0) => {
                    self.now = self.now.max(next.at);
                    self.scripted += 1;
                    self.phases.push(Phase {
                        name: next.name.clone(),
                        from: next.at,
                        ..Phase::default()
                    });
                    self.receive();
                    self.apply(next.event.clone());
                }
                (Some((due, at, timer)), _) if due <= until => {
                    self.now = self.now.max(due);
                    self.timers.remove(at);
                    self.receive();
                    self.fire(timer);
                }
                _ => break,
            }
        }
        self.now = until;
        self.receive();
    }

    fn receive(&mut self) {
        for (at, gateway) in self.gateways.iter_mut().enumerate() {
            gateway.receive(self.now, |known, other| {
                self.behavior.accepts_update(at, known, other)
            });
        }
    }

    fn fire(&mut self, timer: Timer) {
        match timer {
            Timer::Vanish(host) => self.apply(WorldEvent::Vanish(Vec::from([host]))),
            Timer::Promote(id) => self.apply(WorldEvent::Keys(KeyChange::Promote(id))),
            Timer::DropOthers if self.now < self.old_tokens_end() => {
                // A clock has jumped since the timer was set.
                self.timers.push((self.old_tokens_end(), timer));
            }
            Timer::DropOthers => {
                for id in self.keys.others() {
                    self.apply(WorldEvent::Keys(KeyChange::Drop(id)));
                }
            }
        }
    }
}
