//! Within a set: the priority, and which of its host lists serves.

use super::{BalancerState, ChosenPriority, pick::Pick, steps};
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
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> ChosenPriority {
        let (number, class) = self.plan.with_loads(asked, |loads| {
            let (number, class) = loads.choose(key);
            trace.step(|| {
                let settings = self.plan.plain.settings_of(asked.choice);
                let priority = self.plan.priority(asked, number, class);
                let forced = loads.forced.is_some();
                let loads = (loads.healthy, loads.degraded);
                steps::priority(settings, asked.set, &priority, key, loads, forced)
            });
            (number, class)
        });
        let priority = self.plan.priority(asked, number, class);
        let priority = ChosenPriority {
            source: self.source(asked, priority, state, draw),
            ..priority
        };
        trace.step_if(|| steps::locality(self.plan.plain, asked.set, &priority));
        priority
    }

    /// Draws one of the host lists that may serve.
    fn source(
        &self,
        asked: AskedSet<'_>,
        priority: ChosenPriority,
        state: &mut BalancerState,
        draw: &mut impl Draw,
    ) -> Option<Source> {
        let class = Source::Class(priority.class);
        match self.plan.sources(asked, priority) {
            HostSources::Refused => None,
            HostSources::Only(source) => Some(source),
            HostSources::ByWeight(weights) => {
                let turn = state.locality(
                    priority.owner,
                    asked.choice,
                    priority.number,
                    priority.class,
                );
                // A state that was made for another snapshot: any locality with a weight.
                let place = turn.or_else(|| weights.iter().position(|&weight| weight > 0.0));
                Some(place.map_or(class, |place| Source::Locality(priority.class, place)))
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
