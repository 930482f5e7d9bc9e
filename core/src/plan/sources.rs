//! Which host list of a priority serves a request, and with which probability.

use alloc::vec::Vec;

use super::{AskedSet, ChosenPriority, ClusterPlan};
use crate::{
    load::HostClass,
    snapshot::{HostSet, Source, Zones},
};

/// How the host list of a priority is found (`ZoneAwareLoadBalancerBase::hostSourceToUse`).
pub(crate) enum HostSources<'a> {
    /// None serves: the priority is in panic mode and refuses its requests.
    Refused,
    /// This one.
    Only(Source),
    /// That of a locality, by effective weight; at least one is above 0.
    ByWeight(&'a [f64]),
    /// Zone-aware routing is switched off because the local cluster is in panic mode.
    LocalPanic {
        /// Percent of the requests that it would apply to.
        enabled: u32,
        /// What serves those; without it they are refused.
        instead: Option<Source>,
    },
    /// Zone-aware routing.
    ByZone(ZoneSources<'a>),
}

/// Zone-aware routing of a priority.
pub(crate) struct ZoneSources<'a> {
    pub(crate) zones: &'a Zones,
    /// How many localities there are.
    pub(crate) count: usize,
    priority: &'a HostSet,
    class: HostClass,
    /// Whether requests for a locality without hosts go to the whole class.
    last_resort: bool,
}

impl ClusterPlan<'_> {
    /// The host lists that serve at a priority of a set.
    #[inline(always)]
    pub(crate) fn sources<'s>(
        &'s self,
        asked: AskedSet<'s>,
        chosen: ChosenPriority,
    ) -> HostSources<'s> {
        let settings = || self.plain.settings_of(asked.choice);
        let class = Source::Class(chosen.class);
        if chosen.panic {
            return match settings().fails_traffic_on_panic() {
                true => HostSources::Refused,
                false => HostSources::Only(Source::All),
            };
        }
        let Some(priority) = asked.set.priorities.get(chosen.number) else {
            return HostSources::Refused;
        };
        // A session key chooses among all: turns and draws of localities differ between workers.
        let localities = priority.localities.as_ref();
        let Some(localities) = localities.filter(|_| self.facts.key.is_none()) else {
            return HostSources::Only(class);
        };
        if let Some(weights) = localities.weights(chosen.class) {
            return HostSources::ByWeight(weights);
        }
        let zones = localities.zones.as_ref();
        let Some(zones) = zones.filter(|zones| zones.routing.chooses()) else {
            return HostSources::Only(class);
        };
        if zones.local_panic {
            return HostSources::LocalPanic {
                enabled: zones.enabled,
                instead: Some(class).filter(|_| !settings().fails_traffic_on_panic()),
            };
        }
        HostSources::ByZone(ZoneSources {
            zones,
            count: localities.count(),
            priority,
            class: chosen.class,
            last_resort: settings().last_resort,
        })
    }
}

impl HostSources<'_> {
    /// Each host list with its part of the requests for `class`. The parts sum up to 1, but for
    /// refused requests.
    pub(crate) fn parts(&self, class: HostClass) -> Vec<(Source, f64)> {
        let everybody = Source::Class(class);
        let (enabled, routed) = match self {
            Self::Refused => return Vec::new(),
            Self::Only(source) => return [(*source, 1.0)].into(),
            Self::ByWeight(weights) => {
                let sum: f64 = weights.iter().sum();
                let parts = weights.iter().map(|weight| weight / sum).enumerate();
                let parts = parts.filter(|(_, part)| *part > 0.0);
                return parts
                    .map(|(place, part)| (Source::Locality(class, place), part))
                    .collect();
            }
            Self::LocalPanic { enabled, instead } => (
                *enabled,
                instead.map(|source| (source, 1.0)).into_iter().collect(),
            ),
            Self::ByZone(zones) => {
                let parts = zones
                    .zones
                    .routing
                    .parts(zones.count)
                    .into_iter()
                    .enumerate();
                let parts = parts.map(|(place, part)| (zones.near(place), part));
                (zones.zones.enabled, parts.collect::<Vec<_>>())
            }
        };
        let enabled = f64::from(enabled.min(100)) / 100.0;
        let rest = Some((everybody, 1.0 - enabled)).filter(|_| enabled < 1.0);
        let routed = routed
            .into_iter()
            .map(|(source, part)| (source, part * enabled));
        rest.into_iter()
            .chain(routed.filter(|(_, part)| *part > 0.0))
            .collect()
    }
}

impl ZoneSources<'_> {
    /// The host list for a locality that routing chose. What rounding leaves may go to one without
    /// a host.
    pub(crate) fn near(&self, place: usize) -> Source {
        let near = Source::Locality(self.class, place);
        match self.last_resort && self.priority.list(near).is_empty() {
            true => Source::Class(self.class),
            false => near,
        }
    }
}
