//! The choice of a priority in a set, and of the host list that serves.

use super::{
    BalancerState, ChosenPriority, numbers::of_locality, pick::Pick, recorded::RecordedDraws, steps,
};
use crate::{
    draw::Draw,
    plan::{PlannedSet, SourceChoice},
    snapshot::{HostsSource, Localities},
    trace::{LocalityNumbers, Trace},
};

impl Pick<'_> {
    pub(super) fn priority<T: Trace>(
        &self,
        planned: PlannedSet<'_>,
        key: u64,
        state: &mut BalancerState,
        draw: &mut RecordedDraws<'_, impl Draw, T>,
        trace: &mut T,
    ) -> ChosenPriority {
        let (number, class) = self.plan.with_loads(planned, |loads| {
            let (number, class) = loads.choose(key);
            trace.step(|| {
                let settings = self.plan.plain.settings_of(planned.choice);
                let priority = self.plan.priority(planned, number, class);
                let number = (key, self.number_source());
                steps::priority(settings, planned.set, &priority, number, loads)
            });
            (number, class)
        });
        let priority = self.plan.priority(planned, number, class);
        let priority = ChosenPriority {
            source: self.source(planned, priority, state, draw),
            ..priority
        };
        trace.step_if(|| {
            let numbers = |localities: &Localities| {
                if T::NUMBERED {
                    of_locality(localities, &priority, draw.numbers())
                } else {
                    LocalityNumbers::None
                }
            };
            let from = self.number_source();
            steps::locality(self.plan.plain, planned.set, &priority, from, numbers)
        });
        priority
    }

    /// Chooses one of the host lists that may serve.
    fn source(
        &self,
        planned: PlannedSet<'_>,
        priority: ChosenPriority,
        state: &mut BalancerState,
        draw: &mut impl Draw,
    ) -> Option<HostsSource> {
        let class = HostsSource::Class(priority.class);
        match self.plan.sources(planned, priority) {
            SourceChoice::Refused => None,
            SourceChoice::Only(source) => Some(source),
            SourceChoice::ByWeight(weights) => {
                let turn = state.locality(
                    priority.owner,
                    planned.choice,
                    priority.number,
                    priority.class,
                );
                // A state for another snapshot: every locality with a weight is a valid choice.
                let index = turn.or_else(|| weights.iter().position(|&weight| weight > 0.0));
                Some(index.map_or(class, |index| HostsSource::Locality(priority.class, index)))
            }
            SourceChoice::LocalPanic { enabled, instead } => {
                if applies(enabled, draw) {
                    instead
                } else {
                    Some(class)
                }
            }
            SourceChoice::ByZone(zones) => {
                if !applies(zones.zones.enabled, draw) {
                    return Some(class);
                }
                // Up to two draws, in the order of `tryChooseLocalLocalityHosts`.
                let index = zones.zones.routing.choose(zones.count, || draw.draw());
                Some(zones.near(index))
            }
        }
    }
}

/// Whether a draw falls within a percentage. 0 and 100 percent need no draw.
fn applies(percent: u32, draw: &mut impl Draw) -> bool {
    match percent {
        0 => false,
        100.. => true,
        percent => draw.draw() % 100 < u64::from(percent),
    }
}
