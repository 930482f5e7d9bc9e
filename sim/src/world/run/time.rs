//! How time passes: what was written down or arranged happens when it is due.

use alloc::vec::Vec;

use super::World;
use crate::world::{Behavior, Happening, KeyChange, Millis, Phase};

/// What was arranged to happen later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) enum Timer {
    Leaves(usize),
    Promote(u8),
    DropOthers,
}

impl<B: Behavior> World<'_, B> {
    /// Lets time pass, with what was arranged for it.
    pub(in crate::world) fn pass_until(&mut self, until: Millis) {
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
                    self.happen(next.what.clone());
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
                self.behavior.takes(at, known, other)
            });
        }
    }

    fn fire(&mut self, timer: Timer) {
        match timer {
            Timer::Leaves(host) => self.happen(Happening::Vanish(Vec::from([host]))),
            Timer::Promote(id) => self.happen(Happening::Keys(KeyChange::Promote(id))),
            Timer::DropOthers if self.now < self.ended() => {
                // A clock has jumped meanwhile.
                self.timers.push((self.ended(), timer));
            }
            Timer::DropOthers => {
                for id in self.keys.others() {
                    self.happen(Happening::Keys(KeyChange::Drop(id)));
                }
            }
        }
    }
}
