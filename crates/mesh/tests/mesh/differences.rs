//! Every row in which the released code and the decision record differ.

use spillgate_mesh::{
    Compat, DropReason, MeshAssignment,
    kuma::{
        KumaAffinityTag, KumaCrossZone, KumaDestinationKind, KumaEndpoint, KumaFailover,
        KumaFailoverTo, KumaLocalZone, KumaLocalityAwareness, KumaLocalityRules, KumaNumber,
        KumaProxy, KumaRow, KumaView, assignment, kuma_differences,
    },
};

fn tags(tags: &[(&str, Option<i64>)]) -> KumaLocalityAwareness {
    let tags = tags.iter().map(|&(key, weight)| KumaAffinityTag {
        key: key.into(),
        weight,
    });
    KumaLocalityAwareness {
        local_zone: Some(KumaLocalZone {
            affinity_tags: Some(tags.collect()),
        }),
        ..KumaLocalityAwareness::default()
    }
}

fn failover(rules: &[(&[&str], &str, &[&str])]) -> KumaLocalityAwareness {
    let names = |names: &[&str]| names.iter().map(|&name| name.into()).collect();
    let rules = rules.iter().map(|(from, kind, zones)| KumaFailover {
        from_zones: (!from.is_empty()).then(|| names(from)),
        to: KumaFailoverTo {
            kind: (*kind).into(),
            zones: Some(names(zones)),
        },
    });
    KumaLocalityAwareness {
        cross_zone: Some(KumaCrossZone {
            failover: Some(rules.collect()),
            failover_threshold: None,
        }),
        ..KumaLocalityAwareness::default()
    }
}

/// One endpoint in each of four zones, then two in the local one.
fn endpoints() -> Vec<KumaEndpoint> {
    let zones = ["zone-1", "zone-2", "zone-3", "zone-4", "zone-1", "zone-1"];
    let endpoints = zones.iter().enumerate();
    endpoints
        .map(|(at, zone)| KumaEndpoint::new(format!("10.0.0.{at}:80"), *zone))
        .collect()
}

/// Priority, zone, sub-zone and weight of each group.
fn groups(assignment: &MeshAssignment) -> Vec<(u32, &str, &str, Option<u32>)> {
    let groups = assignment.groups.iter();
    groups
        .map(|group| {
            let locality = &group.locality;
            (
                group.priority,
                &*locality.zone,
                &*locality.sub_zone,
                group.weight,
            )
        })
        .collect()
}

struct Case {
    proxy: KumaProxy,
    locality: KumaLocalityAwareness,
    endpoints: Vec<KumaEndpoint>,
    destination: KumaDestinationKind,
}

impl Case {
    fn new(locality: KumaLocalityAwareness) -> Self {
        Self {
            proxy: KumaProxy::new("zone-1"),
            locality,
            endpoints: endpoints(),
            destination: KumaDestinationKind::ServiceTag,
        }
    }

    /// The assignments of both readings, which must differ in exactly this row.
    #[track_caller]
    fn only(&self, row: KumaRow) -> (MeshAssignment, MeshAssignment) {
        let rules = KumaLocalityRules::new(Some(&self.locality)).unwrap();
        let view = KumaView {
            proxy: &self.proxy,
            destination: self.destination,
        };
        let found = kuma_differences(view, Some(&rules), &self.endpoints);
        let rows: Vec<KumaRow> = found.iter().map(|difference| difference.row).collect();
        assert_eq!(rows, [row]);
        let of = |compat| assignment(view, Some(&rules), &self.endpoints, compat);
        let (kuma, madr) = (of(Compat::Kuma), of(Compat::Madr));
        assert_eq!((&found[0].kuma, &found[0].madr), (&kuma, &madr));
        (kuma, madr)
    }
}

#[test]
fn row_1_an_empty_object() {
    let case = Case::new(KumaLocalityAwareness::default());
    let (kuma, madr) = case.only(KumaRow::EmptyObject);
    assert_eq!(kuma.overprovisioning_factor, None);
    assert_eq!(
        groups(&kuma),
        [
            (0, "zone-1", "", None),
            (1, "zone-2", "", None),
            (1, "zone-3", "", None),
            (1, "zone-4", "", None),
        ]
    );
    assert_eq!(groups(&madr), [(0, "zone-1", "", Some(1))]);
    assert_eq!(madr.dropped.len(), 3);
}

#[test]
fn row_2_the_threshold() {
    let mut locality = failover(&[(&[], "Any", &[])]);
    locality.cross_zone.as_mut().unwrap().failover_threshold = Some(KumaNumber::Integer(70));
    let (kuma, madr) = Case::new(locality).only(KumaRow::Threshold);
    assert_eq!(kuma.overprovisioning_factor, Some(100));
    assert_eq!(madr.overprovisioning_factor, Some(143));
}

#[test]
fn row_3_none() {
    let locality = failover(&[
        (&[], "Only", &["zone-2"]),
        (&[], "None", &[]),
        (&[], "Any", &[]),
    ]);
    let (kuma, madr) = Case::new(locality).only(KumaRow::NoneEndsList);
    assert_eq!(
        groups(&kuma)[1..],
        [
            (1, "zone-2", "", None),
            (3, "zone-3", "", None),
            (3, "zone-4", "", None)
        ]
    );
    assert_eq!(groups(&madr)[1..], [(1, "zone-2", "", None)]);
    let ended = |zone: &str| DropReason::EndedByNone {
        zone: zone.into(),
        rule: 1,
    };
    let reasons: Vec<_> = madr.dropped.iter().map(|of| of.reason.clone()).collect();
    assert_eq!(reasons, [ended("zone-3"), ended("zone-4")]);
}

#[test]
fn row_4_several_tags() {
    let mut case = Case::new(tags(&[("az", Some(10)), ("node", Some(90))]));
    for (key, value) in [("az", "a"), ("node", "n")] {
        case.proxy.add_tag(key, value);
        case.endpoints[0].tags.insert(key.into(), value.into());
    }
    case.endpoints[4].tags.insert("az".into(), "a".into());
    let (kuma, madr) = case.only(KumaRow::TagOrder);
    assert_eq!(
        groups(&kuma),
        [(0, "zone-1", "", Some(1)), (0, "zone-1", "az=a", Some(10))]
    );
    assert_eq!(
        groups(&madr),
        [
            (0, "zone-1", "", Some(1)),
            (0, "zone-1", "az=a", Some(10)),
            (0, "zone-1", "node=n", Some(90)),
        ]
    );
    // Default weights fall with the order, so that the first tag also has the highest weight.
    case.locality = tags(&[("az", None), ("node", None)]);
    let rules = KumaLocalityRules::new(Some(&case.locality)).unwrap();
    let view = KumaView {
        proxy: &case.proxy,
        destination: case.destination,
    };
    assert!(kuma_differences(view, Some(&rules), &case.endpoints).is_empty());
}

#[test]
fn row_6_an_excluded_zone() {
    let locality = failover(&[(&[], "AnyExcept", &["zone-1", "zone-4"])]);
    let (kuma, madr) = Case::new(locality).only(KumaRow::ExcludedZone);
    assert_eq!(
        groups(&kuma)[1..],
        [(1, "zone-2", "", None), (1, "zone-3", "", None)]
    );
    assert!(groups(&madr)[1..].is_empty());
}

#[test]
fn row_7_gaps() {
    let locality = failover(&[
        (&["zone-9"], "Any", &[]),
        (&[], "Only", &["zone-2"]),
        (&["zone-9"], "Any", &[]),
        (&[], "Only", &["zone-3"]),
    ]);
    let (kuma, madr) = Case::new(locality).only(KumaRow::PriorityGaps);
    assert_eq!(
        groups(&kuma)[1..],
        [(2, "zone-2", "", None), (4, "zone-3", "", None)]
    );
    assert_eq!(
        groups(&madr)[1..],
        [(1, "zone-2", "", None), (2, "zone-3", "", None)]
    );
}

#[test]
fn row_9_disabled() {
    let mut locality = failover(&[(&[], "Only", &["zone-2"])]);
    locality.disabled = Some(true);
    let (kuma, madr) = Case::new(locality).only(KumaRow::Disabled);
    assert_eq!(kuma.dropped.len(), 2);
    assert_eq!(madr.overprovisioning_factor, None);
    let priorities: Vec<u32> = madr.groups.iter().map(|group| group.priority).collect();
    assert_eq!(priorities, [0; 4]);
}

#[test]
fn row_11_egress_without_cross_zone() {
    let mut case = Case::new(tags(&[]));
    case.proxy.egress_enabled = true;
    let (kuma, madr) = case.only(KumaRow::EgressWithoutCrossZone);
    assert_eq!(
        groups(&kuma),
        [(1, "egress_47DEQpj8", "", None), (0, "zone-1", "", Some(1))]
    );
    assert_eq!(groups(&madr), [(0, "zone-1", "", Some(1))]);
    // With rules, both keep the egress; other destinations never use it.
    case.locality = failover(&[(&[], "Only", &["zone-2"])]);
    let rules = KumaLocalityRules::new(Some(&case.locality)).unwrap();
    for (destination, zone) in [
        (KumaDestinationKind::ServiceTag, "egress_JXegjD3U"),
        (KumaDestinationKind::MeshMultiZoneService, "zone-2"),
    ] {
        let view = KumaView {
            proxy: &case.proxy,
            destination,
        };
        let found = assignment(view, Some(&rules), &case.endpoints, Compat::Kuma);
        assert!(groups(&found).contains(&(1, zone, "", None)), "{found:?}");
    }
}

#[test]
fn row_13_labels() {
    let mut case = Case::new(tags(&[("az", None)]));
    case.proxy.meta.labels.insert("az".into(), "a".into());
    case.endpoints[0].tags.insert("az".into(), "a".into());
    // The label of an endpoint counts like a tag.
    case.endpoints[4].labels.insert("az".into(), "a".into());
    let (kuma, madr) = case.only(KumaRow::LabelFallback);
    assert_eq!(
        groups(&kuma),
        [(0, "zone-1", "", Some(1)), (0, "zone-1", "az=a", Some(9))]
    );
    assert_eq!(groups(&madr), [(0, "zone-1", "", Some(1))]);
    assert!(madr.locality_weighted);
}

#[test]
fn without_a_policy_all_zones_have_priority_0() {
    let proxy = KumaProxy::new("zone-1");
    let view = KumaView {
        proxy: &proxy,
        destination: KumaDestinationKind::ServiceTag,
    };
    let found = assignment(view, None, &endpoints(), Compat::Kuma);
    assert!(found.groups.iter().all(|group| group.priority == 0));
    assert!(kuma_differences(view, None, &endpoints()).is_empty());
}
