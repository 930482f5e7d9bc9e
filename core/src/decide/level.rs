//! Within a set: the priority, and which of its host lists serves.

use super::{
    ChosenLevel, State,
    load::tried_load,
    pick::{AskedSet, Pick},
    steps,
};
use crate::{
    draw::Draw,
    load::{HostClass, choose_priority},
    snapshot::{HostRef, Source},
    trace::Trace,
};

impl Pick<'_> {
    pub(super) fn level(
        &self,
        asked: AskedSet<'_>,
        key: u64,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> ChosenLevel {
        let (priority, class) = self.priority(asked, key, trace);
        let mut level = ChosenLevel {
            owner: self.owner,
            priority,
            class,
            panic: asked.set.load.panics(priority),
            source: None,
        };
        level.source = self.source(asked, level, state, draw);
        trace.step_if(|| steps::locality(self.plain, asked.set, &level));
        level
    }

    /// The priority, and which of its hosts its load is meant for.
    fn priority(
        &self,
        asked: AskedSet<'_>,
        key: u64,
        trace: &mut impl Trace,
    ) -> (usize, HostClass) {
        let load = &asked.set.load;
        let forced = self.forced.filter(|_| !self.uses_table);
        let step = |(priority, class), healthy: &[u32], degraded: &[u32]| {
            let level = ChosenLevel {
                owner: self.owner,
                priority,
                class,
                panic: load.panics(priority),
                source: None,
            };
            let settings = self.plain.settings_of(asked.choice);
            let loads = (healthy, degraded);
            steps::level(settings, asked.set, &level, key, loads, forced.is_some())
        };
        if !self.facts.tried.is_empty() && forced.is_none() && !self.uses_table {
            let own = |host: &HostRef| Some(host.priority).filter(|_| host.cluster == self.owner);
            if let Some(load) = tried_load(self.facts, &load.availability, &own) {
                let chosen = choose_priority(key, &load.healthy, &load.degraded);
                trace.step(|| step(chosen, &load.healthy, &load.degraded));
                return chosen;
            }
        }
        let chosen = forced.unwrap_or_else(|| choose_priority(key, &load.healthy, &load.degraded));
        trace.step(|| step(chosen, &load.healthy, &load.degraded));
        chosen
    }

    /// Which list of the priority serves (`ZoneAwareLoadBalancerBase::hostSourceToUse`).
    fn source(
        &self,
        asked: AskedSet<'_>,
        level: ChosenLevel,
        state: &mut State,
        draw: &mut impl Draw,
    ) -> Option<Source> {
        if level.panic {
            let settings = self.plain.settings_of(asked.choice);
            return Some(Source::All).filter(|_| !settings.fails_traffic_on_panic());
        }
        let class = Source::Class(level.class);
        let compiled = asked.set.levels.get(level.priority)?;
        // A key chooses among all hosts: turns and draws of localities are a worker's own.
        let localities = compiled.localities.as_ref();
        let Some(localities) = localities.filter(|_| self.facts.key.is_none()) else {
            return Some(class);
        };
        if let Some(weights) = localities.weights(level.class) {
            let turn = state.locality(self.owner, asked.choice, level.priority, level.class);
            // A state that was made for another snapshot: any locality with a weight.
            let place = turn.or_else(|| weights.iter().position(|&weight| weight > 0.0));
            return Some(place.map_or(class, |place| Source::Locality(level.class, place)));
        }
        let Some(zones) = &localities.zones else {
            return Some(class);
        };
        if !zones.routing.chooses() || !is_drawn(zones.enabled, draw) {
            return Some(class);
        }
        let settings = self.plain.settings_of(asked.choice);
        if zones.local_panic {
            return Some(class).filter(|_| !settings.fails_traffic_on_panic());
        }
        let place = zones.routing.choose(localities.count(), || draw.draw());
        let near = Source::Locality(level.class, place);
        // What rounding leaves may go to a zone without a host.
        let lost = settings.last_resort && compiled.list(near).is_empty();
        Some(if lost { class } else { near })
    }
}

/// Whether a draw falls within so many percent; certain ones draw nothing.
fn is_drawn(percent: u32, draw: &mut impl Draw) -> bool {
    match percent {
        0 => false,
        100.. => true,
        percent => draw.draw() % 100 < u64::from(percent),
    }
}
