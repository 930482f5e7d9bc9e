//! Several policies for one proxy and destination.

use std::collections::BTreeMap;

use spillgate_mesh::kuma::{
    KumaAffinityTag, KumaConf, KumaCrossZone, KumaDestination, KumaDestinationKind, KumaFailover,
    KumaHashPolicy, KumaInbound, KumaLoadBalancer, KumaLocalZone, KumaLocalityAwareness,
    KumaMaglev, KumaMerge, KumaMeta, KumaNumber, KumaPolicy, KumaProxy, KumaProxyKind,
    KumaRingHash, KumaTargetRef, KumaTo, effective_conf, effective_route_conf,
};

pub(crate) fn target(kind: &str, name: &str) -> KumaTargetRef {
    KumaTargetRef {
        kind: kind.into(),
        name: (!name.is_empty()).then(|| name.into()),
        ..KumaTargetRef::default()
    }
}

pub(crate) fn meta(name: &str, labels: &[(&str, &str)]) -> KumaMeta {
    let labels = labels
        .iter()
        .map(|&(key, value)| (key.into(), value.into()));
    KumaMeta {
        name: name.into(),
        labels: labels.collect(),
        ..KumaMeta::default()
    }
}

/// A configuration that only names a load balancer, so that a test sees which one wins.
fn balancer(kind: &str) -> KumaConf {
    KumaConf {
        load_balancer: Some(KumaLoadBalancer {
            kind: kind.into(),
            ..KumaLoadBalancer::default()
        }),
        ..KumaConf::default()
    }
}

/// A policy with one entry.
fn policy(meta: KumaMeta, top: KumaTargetRef, to: KumaTargetRef, conf: KumaConf) -> KumaPolicy {
    KumaPolicy {
        meta,
        target_ref: Some(top),
        to: vec![KumaTo {
            target_ref: to,
            conf,
        }],
    }
}

/// A policy whose load balancer has its own name.
fn named(name: &str, labels: &[(&str, &str)], top: KumaTargetRef, to: KumaTargetRef) -> KumaPolicy {
    policy(meta(name, labels), top, to, balancer(name))
}

fn proxy() -> KumaProxy {
    let mut proxy = KumaProxy::new("zone-1");
    proxy.meta = meta("web-1", &[("app", "web")]);
    let tags = [("kuma.io/service", "web"), ("version", "v1")]
        .map(|(key, value)| (key.into(), value.into()));
    proxy.add_inbound(KumaInbound {
        name: Some("http".into()),
        port: 8080,
        tags: tags.into(),
    });
    proxy
}

fn destination(kind: KumaDestinationKind, name: &str) -> KumaDestination {
    KumaDestination {
        kind,
        meta: meta(name, &[]),
        ..KumaDestination::default()
    }
}

fn backend() -> KumaDestination {
    destination(KumaDestinationKind::ServiceTag, "backend")
}

/// The load balancer of the merged configuration.
#[track_caller]
fn winner(policies: &[KumaPolicy], destination: &KumaDestination) -> String {
    let found = effective_conf(policies, &proxy(), destination).expect("a policy applies");
    found.conf.load_balancer.unwrap().kind
}

#[test]
fn the_more_specific_target_wins() {
    let kinds = [
        target("Mesh", ""),
        KumaTargetRef {
            labels: Some([("app".to_owned(), "web".to_owned())].into()),
            ..target("Dataplane", "")
        },
        KumaTargetRef {
            tags: [("version".to_owned(), "v1".to_owned())].into(),
            ..target("MeshSubset", "")
        },
        target("MeshService", "web"),
        KumaTargetRef {
            tags: [("version".to_owned(), "v1".to_owned())].into(),
            ..target("MeshServiceSubset", "web")
        },
    ];
    for (weaker, stronger) in kinds.iter().zip(kinds.iter().skip(1)) {
        // The name and the order of the documents favor the weaker one.
        let policies = [
            named("z", &[], stronger.clone(), target("Mesh", "")),
            named("a", &[], weaker.clone(), target("Mesh", "")),
        ];
        assert_eq!(winner(&policies, &backend()), "z", "{}", stronger.kind);
    }
}

#[test]
fn origin_role_and_name_decide_among_equals() {
    let all = || (target("Mesh", ""), target("Mesh", ""));
    let of = |name: &str, labels: &[(&str, &str)]| named(name, labels, all().0, all().1);
    let zone = ("kuma.io/origin", "zone");
    let global = ("kuma.io/origin", "global");
    let producer = ("kuma.io/policy-role", "producer");
    for (weaker, stronger) in [
        (of("b", &[]), of("a", &[])),
        (of("a", &[global]), of("b", &[])),
        (of("a", &[]), of("b", &[zone])),
        (of("a", &[zone]), of("b", &[zone, producer])),
        // The display name counts, not the name.
        (of("a", &[("kuma.io/display-name", "z")]), of("b", &[])),
    ] {
        let expected = stronger.meta.name.clone();
        assert_eq!(winner(&[stronger, weaker], &backend()), expected);
    }
}

#[test]
fn policies_select_proxies() {
    let to = || target("Mesh", "");
    let labels = |labels: &[(&str, &str)]| -> Option<BTreeMap<String, String>> {
        let labels = labels
            .iter()
            .map(|&(key, value)| (key.into(), value.into()));
        Some(labels.collect())
    };
    let other_zone = [("kuma.io/origin", "zone"), ("kuma.io/zone", "zone-2")];
    let selected = |meta: KumaMeta, top: KumaTargetRef| {
        policy(meta, top, to(), KumaConf::default()).selects(&proxy())
    };
    let plain = || meta("p", &[]);
    let dataplane = |labels| KumaTargetRef {
        labels,
        ..target("Dataplane", "")
    };
    for (expected, found) in [
        (true, selected(plain(), dataplane(None))),
        (true, selected(plain(), target("Dataplane", "web-1"))),
        (false, selected(plain(), target("Dataplane", "web-2"))),
        (
            true,
            selected(plain(), dataplane(labels(&[("app", "web")]))),
        ),
        (
            false,
            selected(plain(), dataplane(labels(&[("app", "api")]))),
        ),
        (true, selected(plain(), target("MeshService", "web"))),
        (false, selected(plain(), target("MeshService", "api"))),
        (false, selected(meta("p", &other_zone), target("Mesh", ""))),
        (
            false,
            selected(
                meta("p", &[("kuma.io/effect", "shadow")]),
                target("Mesh", ""),
            ),
        ),
        (false, selected(plain(), target("MeshGateway", "edge"))),
    ] {
        assert_eq!(found, expected);
    }
    let mut in_other_mesh = plain();
    in_other_mesh.mesh = "other".into();
    assert!(!selected(in_other_mesh, target("Mesh", "")));
    for (section, expected) in [("http", true), ("8080", true), ("admin", false)] {
        let top = KumaTargetRef {
            section_name: Some(section.into()),
            ..target("Dataplane", "")
        };
        assert_eq!(selected(plain(), top), expected, "{section}");
    }
    let gateways = KumaTargetRef {
        proxy_types: vec!["Gateway".into()],
        ..target("Mesh", "")
    };
    assert!(!selected(plain(), gateways));
}

#[test]
fn the_zone_egress_only_uses_policies_of_the_mesh() {
    let egress = KumaProxy {
        kind: KumaProxyKind::ZoneEgress,
        ..KumaProxy::new("zone-1")
    };
    let of = |top: &str| {
        policy(
            meta("p", &[]),
            target(top, ""),
            target("Mesh", ""),
            balancer("x"),
        )
    };
    assert!(of("Mesh").selects(&egress));
    assert!(!of("Dataplane").selects(&egress));
}

#[test]
fn namespaced_policies_stay_in_their_namespace() {
    let mut proxy = proxy();
    proxy.meta.namespace = Some("shop".into());
    let mut consumer = policy(
        meta("p", &[]),
        target("Mesh", ""),
        KumaTargetRef {
            labels: Some([("a".to_owned(), "b".to_owned())].into()),
            ..target("MeshService", "")
        },
        balancer("x"),
    );
    consumer.meta.namespace = Some("shop".into());
    assert!(consumer.selects(&proxy));
    consumer.meta.namespace = Some("bank".into());
    assert!(!consumer.selects(&proxy));
    // A producer configures the clients of its own service in every namespace.
    let mut producer = consumer;
    producer.to[0].target_ref = target("MeshService", "backend");
    assert!(producer.selects(&proxy));
}

#[test]
fn for_resources_the_destination_counts_before_the_name() {
    let service = destination(KumaDestinationKind::MeshMultiZoneService, "backend");
    let to = target("MeshMultiZoneService", "backend");
    let policies = [
        named("a", &[], target("Mesh", ""), target("Mesh", "")),
        named("b", &[], target("Mesh", ""), to),
    ];
    assert_eq!(winner(&policies, &service), "b");
    // For `kuma.io/service`, the name counts first.
    let policies = [
        named("a", &[], target("Mesh", ""), target("Mesh", "")),
        named(
            "b",
            &[],
            target("Mesh", ""),
            target("MeshService", "backend"),
        ),
    ];
    assert_eq!(winner(&policies, &backend()), "a");
}

#[test]
fn destinations_are_selected_by_name_label_and_section() {
    let mut service = destination(KumaDestinationKind::MeshService, "backend");
    service.meta.namespace = Some("shop".into());
    service.section_name = Some("8080".into());
    service.port = 8080;
    let applies = |to: KumaTargetRef| {
        let policies = [policy(
            meta("p", &[]),
            target("Mesh", ""),
            to,
            balancer("x"),
        )];
        effective_conf(&policies, &proxy(), &service).is_some()
    };
    let section = |name: &str| KumaTargetRef {
        section_name: Some(name.into()),
        ..target("MeshService", "backend")
    };
    let labels = |namespace: &str| KumaTargetRef {
        labels: Some([("k8s.kuma.io/namespace".to_owned(), namespace.to_owned())].into()),
        ..target("MeshService", "")
    };
    let cross_mesh = KumaTargetRef {
        mesh: Some("other".into()),
        ..target("MeshService", "backend")
    };
    for (to, expected) in [
        (target("MeshService", "backend"), true),
        (target("MeshService", "other"), false),
        (target("MeshMultiZoneService", "backend"), false),
        (target("MeshService", "backend_shop_svc_8080"), true),
        (target("MeshService", "backend_shop_svc_9090"), false),
        (target("MeshService", "backend_bank_svc_8080"), false),
        (section("8080"), true),
        (section("9090"), false),
        (labels("shop"), true),
        (labels("bank"), false),
        (target("MeshService", ""), false),
        (cross_mesh, false),
    ] {
        assert_eq!(applies(to.clone()), expected, "{to:?}");
    }
}

#[test]
fn fields_merge_and_lists_are_replaced() {
    let tag = |key: &str| KumaAffinityTag {
        key: key.into(),
        weight: None,
    };
    let weak = KumaConf {
        locality_awareness: Some(KumaLocalityAwareness {
            disabled: Some(true),
            local_zone: Some(KumaLocalZone {
                affinity_tags: Some(vec![tag("a"), tag("b")]),
            }),
            cross_zone: Some(KumaCrossZone {
                failover: Some(vec![KumaFailover::default(); 2]),
                failover_threshold: Some(KumaNumber::Integer(70)),
            }),
        }),
        load_balancer: Some(KumaLoadBalancer {
            kind: "RingHash".into(),
            ring_hash: Some(KumaRingHash {
                min_ring_size: Some(16),
                hash_policies: Some(vec![KumaHashPolicy::default()]),
                ..KumaRingHash::default()
            }),
            ..KumaLoadBalancer::default()
        }),
        hash_policies: None,
    };
    let strong = KumaConf {
        locality_awareness: Some(KumaLocalityAwareness {
            disabled: None,
            local_zone: Some(KumaLocalZone {
                affinity_tags: Some(vec![tag("c")]),
            }),
            cross_zone: Some(KumaCrossZone {
                failover: None,
                failover_threshold: Some(KumaNumber::Text("10".into())),
            }),
        }),
        load_balancer: Some(KumaLoadBalancer {
            kind: "Maglev".into(),
            maglev: Some(KumaMaglev::default()),
            ..KumaLoadBalancer::default()
        }),
        hash_policies: Some(Vec::new()),
    };
    let mut merged = weak.clone();
    assert_eq!(merged.hash_policies_in_use().len(), 1);
    merged.merge(&strong);
    let locality = merged.locality_awareness.as_ref().unwrap();
    assert_eq!(locality.disabled, Some(true));
    assert_eq!(
        locality.local_zone.as_ref().unwrap().affinity_tags,
        Some(vec![tag("c")])
    );
    let cross = locality.cross_zone.as_ref().unwrap();
    assert_eq!(cross.failover.as_ref().unwrap().len(), 2);
    assert_eq!(
        cross.failover_threshold,
        Some(KumaNumber::Text("10".into()))
    );
    let balancer = merged.load_balancer.as_ref().unwrap();
    assert_eq!(
        (balancer.kind.as_str(), balancer.ring_hash.is_some()),
        ("Maglev", true)
    );
    assert!(merged.hash_policies_in_use().is_empty());
    // An empty configuration changes nothing.
    let mut unchanged = weak.clone();
    unchanged.merge(&KumaConf::default());
    assert_eq!(unchanged, weak);
}

#[test]
fn origins_are_listed_from_weak_to_strong() {
    let policies = [
        named(
            "b",
            &[],
            target("MeshService", "web"),
            target("MeshService", "backend"),
        ),
        named("c", &[], target("Mesh", ""), target("MeshService", "other")),
        named("a", &[], target("Mesh", ""), target("Mesh", "")),
    ];
    let found = effective_conf(&policies, &proxy(), &backend()).unwrap();
    let origins: Vec<usize> = found.origins.iter().map(|origin| origin.policy).collect();
    assert_eq!(origins, [2, 0]);
    let none = effective_conf(&policies[1..2], &proxy(), &backend());
    assert_eq!(none, None);
}

#[test]
fn a_route_has_its_own_configuration_if_a_policy_names_it() {
    let route = meta("checkout", &[("team", "shop")]);
    let by_label = KumaTargetRef {
        labels: Some([("team".to_owned(), "shop".to_owned())].into()),
        ..target("MeshHTTPRoute", "")
    };
    let mesh = named("a", &[], target("Mesh", ""), target("Mesh", ""));
    let of_route = named("b", &[], target("Mesh", ""), by_label);
    let other = named(
        "c",
        &[],
        target("Mesh", ""),
        target("MeshHTTPRoute", "other"),
    );
    let found =
        effective_route_conf(&[mesh.clone(), of_route, other.clone()], &proxy(), &route).unwrap();
    assert_eq!(found.conf.load_balancer.unwrap().kind, "b");
    assert_eq!(found.origins.len(), 2);
    assert_eq!(effective_route_conf(&[mesh, other], &proxy(), &route), None);
}

/// A configuration of another kind of policy.
#[derive(Debug, Clone, Default, PartialEq)]
struct Timeouts {
    connect: Option<u32>,
    request: Option<u32>,
}

impl KumaMerge for Timeouts {
    fn merge(&mut self, over: &Self) {
        self.connect = over.connect.or(self.connect);
        self.request = over.request.or(self.request);
    }
}

#[test]
fn policies_of_other_kinds_select_and_merge_in_the_same_way() {
    let policy = |name: &str, to: KumaTargetRef, connect, request| KumaPolicy {
        meta: KumaMeta {
            name: name.into(),
            ..KumaMeta::default()
        },
        target_ref: None,
        to: vec![KumaTo {
            target_ref: to,
            conf: Timeouts { connect, request },
        }],
    };
    let policies = [
        policy("a", target("MeshService", "web"), None, Some(3)),
        policy("b", target("Mesh", ""), Some(1), Some(2)),
        policy("c", target("MeshService", "other"), Some(9), Some(9)),
    ];
    let destination = KumaDestination {
        meta: KumaMeta {
            name: "web".into(),
            ..KumaMeta::default()
        },
        ..KumaDestination::default()
    };
    let found = effective_conf(&policies, &KumaProxy::new("z"), &destination).unwrap();
    let expected = Timeouts {
        connect: Some(1),
        request: Some(3),
    };
    assert_eq!((found.conf, found.origins.len()), (expected, 2));
}
