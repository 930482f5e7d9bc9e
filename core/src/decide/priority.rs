//! Within a set: the priority, and which of its host lists serves.

use super::{ChosenLevel, State, pick::Pick, steps};
use crate::{
    draw::Draw,
    plan::{AskedSet, HostSources},
    snapshot::Source,
    trace::Trace,
};

impl Pick<'_> {
    pub(super) fn priority(
        &self,
        asked: AskedSet<'_>,
        key: u64,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> ChosenLevel {
        let (priority, class) = self.plan.with_loads(asked, |loads| {
            let (priority, class) = loads.choose(key);
            trace.step(|| {
                let settings = self.plan.plain.settings_of(asked.choice);
                let level = self.plan.level(asked, priority, class);
                let forced = loads.forced.is_some();
                let loads = (loads.healthy, loads.degraded);
                steps::level(settings, asked.set, &level, key, loads, forced)
            });
            (priority, class)
        });
        let level = self.plan.level(asked, priority, class);
        let level = ChosenLevel {
            source: self.source(asked, level, state, draw),
            ..level
        };
        trace.step_if(|| steps::locality(self.plan.plain, asked.set, &level));
        level
    }

    /// Draws one of the host lists that may serve.
    fn source(
        &self,
        asked: AskedSet<'_>,
        level: ChosenLevel,
        state: &mut State,
        draw: &mut impl Draw,
    ) -> Option<Source> {
        let class = Source::Class(level.class);
        match self.plan.sources(asked, level) {
            HostSources::Refused => None,
            HostSources::Only(source) => Some(source),
            HostSources::ByWeight(weights) => {
                let turn = state.locality(level.owner, asked.choice, level.priority, level.class);
                // A state that was made for another snapshot: any locality with a weight.
                let place = turn.or_else(|| weights.iter().position(|&weight| weight > 0.0));
                Some(place.map_or(class, |place| Source::Locality(level.class, place)))
            }
            HostSources::LocalPanic { enabled, instead } => match is_drawn(enabled, draw) {
                true => instead,
                false => Some(class),
            },
            HostSources::ByZone(zones) => {
                if !is_drawn(zones.zones.enabled, draw) {
                    return Some(class);
                }
                let place = zones.zones.routing.choose(zones.count, || draw.draw());
                Some(zones.near(place))
            }
        }
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
