//! The cache of assignments, compared with assignments without a cache.

use spillgate_mesh::{
    Compat,
    kuma::{
        AssignmentCache, CachedPolicy, KumaDestinationKind, KumaLocalityRules, KumaProxy, KumaView,
        assignment,
    },
};

use crate::{
    random::{KumaCase, Random},
    shares::{kuma_endpoints, kuma_locality, kuma_proxy},
};

#[test]
fn cached_assignments_are_those_without_a_cache() {
    let mut hits = 0;
    for seed in 0..100 {
        let random = &mut Random::new(seed ^ 0xcace);
        let policies = [KumaCase::new(random), KumaCase::new(random)];
        let rules = policies.each_ref().map(|case| {
            let locality = kuma_locality(case);
            KumaLocalityRules::new(locality.as_ref()).unwrap()
        });
        let endpoints = kuma_endpoints(&policies[0]);
        let mut cache = AssignmentCache::new(&endpoints);
        for lookup in 0..100 {
            let proxy = kuma_proxy(&KumaCase::new(random));
            let view = KumaView {
                proxy: &proxy,
                destination: match lookup % 2 {
                    0 => KumaDestinationKind::ServiceTag,
                    _ => KumaDestinationKind::MeshMultiZoneService,
                },
            };
            let number = random.below(3);
            let compat = [Compat::Kuma, Compat::Madr][random.below(2)];
            let rules = rules.get(number);
            let policy = CachedPolicy { number, rules };
            let cached = cache.assignment(view, policy, compat);
            let expected = assignment(view, rules, &endpoints, compat);
            assert_eq!(*cached, expected, "seed {seed}, lookup {lookup}");
        }
        assert_eq!(cache.len() as u64 + cache.hits(), 100);
        hits += cache.hits();
    }
    assert!(hits > 1_000, "{hits}");
}

#[test]
fn irrelevant_tags_and_zones_share_an_entry() {
    let mut endpoints = kuma_endpoints(&KumaCase::new(&mut Random::new(7)));
    endpoints.truncate(1);
    endpoints[0].zone = "zone-1".into();
    endpoints[0].tags = [("node".to_owned(), "n1".to_owned())].into();
    let case = KumaCase {
        present: true,
        disabled: false,
        local_zone: true,
        cross_zone: false,
        tags: vec![("node".into(), None)],
        ..KumaCase::new(&mut Random::new(8))
    };
    let rules = KumaLocalityRules::new(kuma_locality(&case).as_ref()).unwrap();
    let mut cache = AssignmentCache::new(&endpoints);
    let mut look_up = |zone: &str, node: &str| {
        let mut proxy = KumaProxy::new(zone);
        proxy.add_tag("node", node);
        let view = KumaView {
            proxy: &proxy,
            destination: KumaDestinationKind::MeshMultiZoneService,
        };
        let policy = CachedPolicy {
            number: 0,
            rules: Some(&rules),
        };
        cache.assignment(view, policy, Compat::Kuma);
        cache.len()
    };
    assert_eq!(look_up("zone-1", "n1"), 1);
    // No endpoint is on these nodes.
    assert_eq!(look_up("zone-1", "n2"), 2);
    assert_eq!(look_up("zone-1", "n3"), 2);
    // No endpoint is in these zones.
    assert_eq!(look_up("zone-2", "n1"), 3);
    assert_eq!(look_up("zone-3", "n4"), 3);
}
