//! From legal rules, a proxy and endpoints to priority groups (`NewEndpoints` in
//! `locality_aware.go`, `claConfigurer` in `plugin.go`).

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use spillgate_core::model::Locality;

use super::{
    DEFAULT_KUMA_FACTOR, KumaDestinationKind, KumaEndpoint, KumaLocalityRules, KumaProxy,
    KumaProxyKind, KumaRow, egress,
    groups::{LocalGroup, ZoneGroup, local_groups, zone_groups},
    reading::Reading,
    rules::TakenZones,
};
use crate::{Compat, DropReason, DroppedEndpoint, LocalityGroup, MeshAssignment};

/// A proxy and the kind of a destination: the point of view of an assignment.
#[derive(Debug, Clone, Copy)]
pub struct KumaView<'a> {
    /// The proxy.
    pub proxy: &'a KumaProxy,
    /// The kind of the destination. Only `kuma.io/service` destinations use the zone egress.
    pub destination: KumaDestinationKind,
}

/// What a proxy receives for one destination. `rules` is `None` if no policy applies: all zones then
/// have priority 0, as in Kuma 2.x.
///
/// # Examples
/// ```
/// use spillgate_mesh::Compat;
/// use spillgate_mesh::kuma::*;
///
/// // Prefer the local zone, then zone-2.
/// let failover = KumaFailover {
///     from_zones: None,
///     to: KumaFailoverTo {
///         kind: "Only".into(),
///         zones: Some(vec!["zone-2".into()]),
///     },
/// };
/// let locality = KumaLocalityAwareness {
///     cross_zone: Some(KumaCrossZone {
///         failover: Some(vec![failover]),
///         failover_threshold: None,
///     }),
///     ..KumaLocalityAwareness::default()
/// };
/// let rules = KumaLocalityRules::new(Some(&locality)).unwrap();
/// let endpoints = [
///     KumaEndpoint::new("10.1.0.1:80", "zone-1"),
///     KumaEndpoint::new("10.2.0.1:80", "zone-2"),
///     KumaEndpoint::new("10.3.0.1:80", "zone-3"),
/// ];
/// let proxy = KumaProxy::new("zone-1");
/// let view = KumaView {
///     proxy: &proxy,
///     destination: KumaDestinationKind::MeshMultiZoneService,
/// };
/// let found = assignment(view, Some(&rules), &endpoints, Compat::Kuma);
/// assert_eq!(found.groups[1].priority, 1);
/// assert_eq!(found.dropped[0].endpoint, 2);
/// assert_eq!(found.overprovisioning_factor, Some(200));
/// ```
#[must_use]
pub fn assignment(
    view: KumaView<'_>,
    rules: Option<&KumaLocalityRules>,
    endpoints: &[KumaEndpoint],
    compat: Compat,
) -> MeshAssignment {
    assign(view, rules, Selected::all(endpoints), Reading::All(compat))
}

/// Some endpoints of a list.
#[derive(Clone, Copy)]
pub(super) struct Selected<'a> {
    pub(super) endpoints: &'a [KumaEndpoint],
    /// The positions of the selected ones; `None` means all.
    pub(super) positions: Option<&'a [usize]>,
}

impl<'a> Selected<'a> {
    pub(super) const fn all(endpoints: &'a [KumaEndpoint]) -> Self {
        Self {
            endpoints,
            positions: None,
        }
    }

    fn iter(self) -> impl Iterator<Item = (usize, &'a KumaEndpoint)> {
        let all = match self.positions {
            Some(_) => &[],
            None => self.endpoints,
        };
        let some = self
            .positions
            .unwrap_or_default()
            .iter()
            .filter_map(|&at| Some((at, self.endpoints.get(at)?)));
        all.iter().enumerate().chain(some)
    }
}

pub(super) fn assign(
    view: KumaView<'_>,
    rules: Option<&KumaLocalityRules>,
    endpoints: Selected<'_>,
    reading: Reading,
) -> MeshAssignment {
    let zone = view.proxy.zone.as_str();
    let Some(rules) = rules else {
        return by_zone(endpoints, |_| 0);
    };
    if rules.disabled && reading.follows_record(KumaRow::Disabled) {
        return by_zone(endpoints, |_| 0);
    }
    let empty = rules.present && !rules.disabled && reading.follows_record(KumaRow::EmptyObject);
    if !rules.local_zone && !rules.cross_zone && !empty {
        // Endpoints without a zone have no locality, which keeps priority 0.
        let other = u32::from(!rules.disabled);
        return by_zone(endpoints, |of| {
            if of == zone || of.is_empty() {
                0
            } else {
                other
            }
        });
    }
    let placement = Placement::new(view, rules, reading);
    let mut groups = Groups::default();
    let mut dropped = Vec::new();
    for (endpoint, of) in endpoints.iter() {
        match placement.place(of) {
            Ok(place) => groups.add(place, endpoint),
            Err(reason) => dropped.push(DroppedEndpoint { endpoint, reason }),
        }
    }
    let factor = rules.threshold.map(|threshold| {
        if reading.follows_record(KumaRow::Threshold) {
            threshold.intended_factor()
        } else {
            threshold.kuma_factor()
        }
    });
    MeshAssignment {
        groups: groups.sorted(endpoints.endpoints),
        dropped,
        overprovisioning_factor: Some(factor.unwrap_or(DEFAULT_KUMA_FACTOR)),
        locality_weighted: rules.is_weighted(),
        zone_aware: None,
        panic_threshold: None,
    }
}

/// One group for each zone, without weights and without a factor.
fn by_zone(endpoints: Selected<'_>, priority: impl Fn(&str) -> u32) -> MeshAssignment {
    let mut groups = Groups::default();
    for (endpoint, of) in endpoints.iter() {
        let place = Place {
            zone: &of.zone,
            local: None,
            priority: priority(&of.zone),
            weight: None,
        };
        groups.add(place, endpoint);
    }
    MeshAssignment {
        groups: groups.sorted(endpoints.endpoints),
        ..MeshAssignment::default()
    }
}

/// The groups that an endpoint can join.
struct Placement<'a> {
    zone: &'a str,
    local: Vec<LocalGroup>,
    zones: Vec<ZoneGroup<'a>>,
    /// The egress locality, if other zones are reached through the zone egress.
    egress: Option<String>,
    reading: Reading,
}

/// The group that an endpoint joins.
struct Place<'a> {
    zone: &'a str,
    local: Option<&'a LocalGroup>,
    priority: u32,
    weight: Option<u32>,
}

// === impl Placement ===

impl<'a> Placement<'a> {
    fn new(view: KumaView<'a>, rules: &'a KumaLocalityRules, reading: Reading) -> Self {
        let zone = view.proxy.zone.as_str();
        let zones = zone_groups(rules, zone, reading);
        Self {
            zone,
            local: local_groups(rules, view.proxy, reading),
            egress: through_egress(view).then(|| egress::of_groups(&zones).zone),
            zones,
            reading,
        }
    }

    /// The group of an endpoint, or why the proxy does not receive it.
    fn place<'b>(&'b self, endpoint: &'b KumaEndpoint) -> Result<Place<'b>, DropReason> {
        let zone = endpoint.zone.as_str();
        if zone == self.zone {
            let local = self.local.iter().find(|group| joins(endpoint, group));
            return Ok(Place {
                zone,
                local,
                priority: 0,
                weight: Some(local.map_or(1, |group| group.weight)),
            });
        }
        if let Some(egress) = &self.egress {
            return self.through_egress(egress, zone);
        }
        for group in &self.zones {
            if group.takes.takes(zone) {
                return Ok(Place {
                    zone,
                    local: None,
                    priority: group.priority,
                    weight: None,
                });
            }
            if *group.takes == TakenZones::None
                && self.reading.follows_record(KumaRow::NoneEndsList)
            {
                return Err(DropReason::EndedByNone {
                    zone: zone.into(),
                    rule: group.rule,
                });
            }
        }
        Err(DropReason::NoRuleTakesZone { zone: zone.into() })
    }

    fn through_egress<'b>(&self, egress: &'b str, zone: &str) -> Result<Place<'b>, DropReason> {
        let local_only = self
            .zones
            .iter()
            .all(|group| *group.takes == TakenZones::None);
        if local_only && self.reading.follows_record(KumaRow::EgressWithoutCrossZone) {
            return Err(DropReason::EgressWithoutCrossZone { zone: zone.into() });
        }
        Ok(Place {
            zone: egress,
            local: None,
            priority: 1,
            weight: None,
        })
    }
}

/// Whether an endpoint has the tag of a group, or its label if it has no such tag.
fn joins(endpoint: &KumaEndpoint, group: &LocalGroup) -> bool {
    let tag = endpoint.tags.get(&group.key);
    tag.or_else(|| endpoint.labels.get(&group.key)) == Some(&group.value)
}

/// Whether the proxy reaches other zones of the destination through the zone egress.
pub(super) fn through_egress(view: KumaView<'_>) -> bool {
    view.proxy.egress_enabled
        && view.destination == KumaDestinationKind::ServiceTag
        && view.proxy.kind != KumaProxyKind::ZoneEgress
}

/// Groups by zone, sub-zone and priority, in the order of their first endpoints.
#[derive(Default)]
struct Groups<'a> {
    groups: Vec<LocalityGroup>,
    /// The index of each group.
    known: BTreeMap<(&'a str, &'a str, u32), usize>,
}

// === impl Groups ===

impl<'a> Groups<'a> {
    fn add(&mut self, place: Place<'a>, endpoint: usize) {
        let Place {
            zone,
            local,
            priority,
            weight,
        } = place;
        let sub_zone = local.map_or("", |group| group.sub_zone.as_str());
        let next = self.groups.len();
        let index = *self.known.entry((zone, sub_zone, priority)).or_insert(next);
        if index == next {
            self.groups.push(LocalityGroup {
                priority,
                locality: Locality {
                    region: String::new(),
                    zone: zone.into(),
                    sub_zone: sub_zone.into(),
                },
                weight,
                endpoints: Vec::new(),
            });
        }
        if let Some(group) = self.groups.get_mut(index) {
            group.endpoints.push(endpoint);
        }
    }

    /// The groups by zone and sub-zone as one text, the endpoints by address and port
    /// (`endpoints.go`).
    fn sorted(self, endpoints: &[KumaEndpoint]) -> Vec<LocalityGroup> {
        let mut groups = self.groups;
        for group in &mut groups {
            group
                .endpoints
                .sort_by_cached_key(|&at| endpoints.get(at).map(|of| of.host.order()));
        }
        groups.sort_by_cached_key(|group| {
            format!("{}{}", group.locality.zone, group.locality.sub_zone)
        });
        groups
    }
}
