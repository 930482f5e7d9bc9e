//! The host list of a priority that serves a request, with probabilities.

use alloc::vec::Vec;

use super::{ChosenPriority, ClusterPlan, PlannedSet};
use crate::{
    load::HostClass,
    snapshot::{HostSet, HostsSource, Zones},
};

/// How the host list of a priority is chosen (`ZoneAwareLoadBalancerBase::hostSourceToUse`).
pub(crate) enum SourceChoice<'a> {
    /// None: the priority fails its requests in panic mode.
    Refused,
    /// Always this list.
    Only(HostsSource),
    /// The list of a locality, by effective weight. At least one weight is above 0.
    ByWeight(&'a [f64]),
    /// Zone-aware routing is disabled because the local cluster is in panic mode.
    LocalPanic {
        /// The percentage of requests that zone-aware routing would apply to.
        enabled: u32,
        /// The list for those requests; `None` if they fail (`fail_traffic_on_panic`).
        instead: Option<HostsSource>,
    },
    /// Zone-aware routing.
    ByZone(ZoneSources<'a>),
}

/// Zone-aware routing of a priority.
pub(crate) struct ZoneSources<'a> {
    pub(crate) zones: &'a Zones,
    /// The number of localities.
    pub(crate) count: usize,
    priority: &'a HostSet,
    class: HostClass,
    /// Whether requests for a locality without hosts use all hosts of the class.
    last_resort: bool,
}

impl ClusterPlan<'_> {
    /// How the host list is chosen for a priority of a set.
    #[inline(always)]
    pub(crate) fn sources<'s>(
        &'s self,
        planned: PlannedSet<'s>,
        chosen: ChosenPriority,
    ) -> SourceChoice<'s> {
        let settings = || self.plain.settings_of(planned.choice);
        let class = HostsSource::Class(chosen.class);
        // Panic mode comes before localities: the list is that of all hosts, whatever their locality
        // (`hostSourceToUse`).
        if chosen.panic {
            return if settings().fails_traffic_on_panic() {
                SourceChoice::Refused
            } else {
                SourceChoice::Only(HostsSource::All)
            };
        }
        let Some(priority) = planned.set.priorities.get(chosen.number) else {
            return SourceChoice::Refused;
        };
        // A session key chooses among all localities, because schedules and draws of localities
        // differ between workers.
        let localities = priority.localities.as_ref();
        let Some(localities) = localities.filter(|_| self.facts.key.is_none()) else {
            return SourceChoice::Only(class);
        };
        if let Some(weights) = localities.weights(chosen.class) {
            return SourceChoice::ByWeight(weights);
        }
        let zones = localities.zones.as_ref();
        let Some(zones) = zones.filter(|zones| zones.routing.chooses()) else {
            return SourceChoice::Only(class);
        };
        // Checked only for requests that zone-aware routing applies to, hence the share `enabled`.
        if zones.local_panic {
            return SourceChoice::LocalPanic {
                enabled: zones.enabled,
                instead: Some(class).filter(|_| !settings().fails_traffic_on_panic()),
            };
        }
        SourceChoice::ByZone(ZoneSources {
            zones,
            count: localities.count(),
            priority,
            class: chosen.class,
            last_resort: settings().last_resort,
        })
    }
}

impl SourceChoice<'_> {
    /// The host lists with their shares of the requests for `class`. The shares sum to 1, except
    /// for failed requests.
    pub(crate) fn parts(&self, class: HostClass) -> Vec<(HostsSource, f64)> {
        let everybody = HostsSource::Class(class);
        let (enabled, routed) = match self {
            Self::Refused => return Vec::new(),
            Self::Only(source) => return [(*source, 1.0)].into(),
            Self::ByWeight(weights) => {
                let sum: f64 = weights.iter().sum();
                let parts = weights
                    .iter()
                    .map(|weight| weight / sum)
                    .enumerate()
                    .filter(|(_, part)| *part > 0.0);
                return parts
                    .map(|(index, part)| (HostsSource::Locality(class, index), part))
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
                    .enumerate()
                    .map(|(index, part)| (zones.near(index), part));
                (zones.zones.enabled, parts.collect::<Vec<_>>())
            }
        };
        // `featureEnabled` compares a draw modulo 100, so more than 100 is always.
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
    /// The host list of the locality that routing chose. Rounding can select a locality without
    /// hosts.
    pub(crate) fn near(&self, index: usize) -> HostsSource {
        let near = HostsSource::Locality(self.class, index);
        if self.last_resort && self.priority.list(near).is_empty() {
            HostsSource::Class(self.class)
        } else {
            near
        }
    }
}
