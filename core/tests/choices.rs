//! Choices of single functions: fewest requests, weights, rings, hashes of several values.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use common::{model, partly, plain};
use spillgate_core::{
    hash::murmur2_64,
    load::{ZoneRouting, weighted_choice},
    model::{ClusterKind, MaglevConfig, Policy, RingHashConfig, Weight},
    pick::{
        MaglevTable, NormalizedWeights, Ring, biased_weight, bounded, choice_shares, of_all,
        of_choices, overload_factor,
    },
    route::{Connection, HashPolicy, HashSource, HeaderList, request_hash},
    snapshot::{Snapshot, TableKind},
};

#[test]
fn a_full_scan_finds_the_fewest_requests_and_draws_among_equals() {
    let of = |active: &[u32], draws: &[u64]| {
        let mut draws = draws.iter().copied();
        let found = of_all(active.len(), |at| active[at], || draws.next().unwrap());
        assert_eq!(draws.next(), None, "one draw for each tie");
        found
    };
    assert_eq!(of(&[4, 1, 3], &[]), Some(1));
    assert_eq!(of(&[3, 2, 1], &[]), Some(2));
    assert_eq!(of(&[1, 2, 1], &[1]), Some(0));
    assert_eq!(of(&[1, 2, 1], &[2]), Some(2));
    // The third of three equal hosts wins with every third number.
    assert_eq!(of(&[1, 1, 1], &[1, 3]), Some(2));
    assert_eq!(of(&[1, 1, 1], &[2, 4]), Some(1));
    assert_eq!(of(&[], &[]), None);
}

#[test]
fn shares_of_choices_favor_hosts_with_fewer_requests() {
    let near = |found: Vec<f64>, expected: &[f64]| {
        let mut pairs = found.iter().zip(expected);
        assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    };
    // Two draws of three hosts: 5 of 9 pairs have the idle host.
    near(
        choice_shares(&[2, 0, 2], 2),
        &[2.0 / 9.0, 5.0 / 9.0, 2.0 / 9.0],
    );
    near(
        choice_shares(&[3, 1, 2], 2),
        &[1.0 / 9.0, 5.0 / 9.0, 3.0 / 9.0],
    );
}

#[test]
fn active_requests_reduce_a_weight_by_a_power() {
    let weight = |active, bias| biased_weight(6.0, active, bias);
    assert_eq!([0.0, 1.0, 2.0].map(|bias| weight(1, bias)), [6.0, 3.0, 1.5]);
    assert_eq!(weight(0, 2.0), 6.0);
}

#[test]
fn of_hosts_that_are_equally_overloaded_the_chosen_one_stays() {
    for hash in 0..20 {
        let found = |overload: [f64; 3]| bounded(1, hash, 3, |at| overload[at], &mut Vec::new());
        assert_eq!(found([2.0, 2.0, 2.0]), 1);
        assert_eq!(found([2.0, 2.0, 1.5]), 2);
        assert_eq!(found([1.0, 1.5, 2.0]), 0, "not above 1");
        assert_eq!(found([0.5, 1.0, 0.5]), 1, "the chosen one is not above 1");
    }
    // The first host that is not above 1, whether another one has less.
    let found = |hash| bounded(1, hash, 3, |at| [1.0, 2.0, 0.5][at], &mut Vec::new());
    assert!((0..20).any(|hash| found(hash) == 0) && (0..20).any(|hash| found(hash) == 2));
    assert_eq!(overload_factor(3, 2), 1.5);
}

#[test]
fn of_drawn_hosts_a_later_one_wins_only_with_fewer_requests() {
    let of = |active: [u32; 3], draws: [u64; 2]| {
        let mut draws = draws.into_iter();
        of_choices(3, 2, |at| active[at], || draws.next().unwrap())
    };
    assert_eq!(of([3, 1, 2], [0, 1]), Some(1));
    assert_eq!(of([3, 1, 2], [1, 0]), Some(1));
    assert_eq!(of([2, 2, 2], [5, 0]), Some(2), "the first draw");
}

#[test]
fn zones_share_by_the_capacity_that_is_left() {
    let parts = |local_part, residual: [u64; 3]| {
        let residual = residual.to_vec();
        ZoneRouting::Residual {
            local_part,
            residual,
        }
        .parts(3)
    };
    assert_eq!(parts(5_000, [0, 25, 100]), [0.5, 0.125, 0.375]);
    assert_eq!(parts(0, [0, 1, 1]), [0.0, 1.0, 0.0]);
    let third = 1.0 / 3.0;
    assert_eq!(parts(0, [0, 0, 0]), [third; 3], "none is left");
    assert_eq!(ZoneRouting::Direct.parts(3), [1.0, 0.0, 0.0]);
}

#[test]
fn several_hash_policies_make_one_hash() {
    let policy = |name: &str| HashPolicy {
        source: HashSource::Header {
            name: name.into(),
            rewrite: None,
        },
        terminal: false,
    };
    let hash = |policies: &[HashPolicy]| {
        let headers = HeaderList(&[("x-a", "1"), ("x-b", "2")]);
        request_hash(policies, &headers, &Connection::default())
    };
    let [a, b] = ["x-a", "x-b"].map(policy);
    let [one, two] = [&a, &b].map(|policy| hash(std::slice::from_ref(policy)).unwrap());
    assert_eq!(hash(&[a, b]), Some(one.rotate_left(1) ^ two));
    assert_eq!(hash(&[policy("x-c")]), None);
}

#[test]
fn in_total_panic_the_first_priority_with_hosts_gets_what_rounding_leaves() {
    let hosts = |counts: [usize; 3]| {
        let priorities = counts.iter().enumerate();
        let priorities = priorities.map(|(number, &count)| partly(number, 0, count));
        let cluster = plain("c", Policy::RoundRobin, 50.0, priorities.collect());
        let snapshot = Snapshot::build(&model(vec![cluster]));
        let plain = snapshot.plain(snapshot.cluster_id("c").unwrap()).unwrap();
        plain.whole.load.healthy.to_vec()
    };
    assert_eq!(hosts([1, 1, 1]), [34, 33, 33]);
    assert_eq!(hosts([0, 1, 2]), [0, 34, 66]);
    assert_eq!(hosts([0, 0, 0]), [100, 0, 0]);
}

#[test]
fn a_weight_of_one_is_a_weight() {
    let choice = |weights: &[u32]| weighted_choice(7, weights.iter().copied());
    assert_eq!(choice(&[0, 1]), Some(1));
    assert_eq!(choice(&[1, 0]), Some(0));
    assert_eq!(choice(&[0, 0]), None);
}

/// The ring of hosts with these weights.
fn ring(weights: [u32; 3], config: RingHashConfig, check: impl FnOnce(&Ring)) {
    let mut priority = partly(0, 3, 3);
    for (endpoint, weight) in priority.endpoints.iter_mut().zip(weights) {
        endpoint.weight = Weight::new(weight).unwrap();
    }
    let policy = Policy::RingHash(config);
    let cluster = plain("c", policy, 50.0, vec![priority]);
    assert!(matches!(cluster.kind, ClusterKind::Plain(_)));
    let snapshot = Snapshot::build(&model(vec![cluster]));
    let plain = snapshot.plain(snapshot.cluster_id("c").unwrap()).unwrap();
    let table = plain.whole.priorities[0].table.clone().unwrap();
    match &table.kind {
        TableKind::Ring(ring) => check(ring),
        _ => panic!("a ring"),
    }
}

#[test]
fn each_host_has_entries_by_its_weight_and_the_lightest_a_whole_number() {
    let count = |ring: &Ring, host: usize| {
        let entries = ring.entries().iter();
        entries.filter(|entry| entry.host == host).count()
    };
    ring([1, 2, 5], RingHashConfig::default(), |ring| {
        // 1,024 / 8 = 128.
        assert_eq!([0, 1, 2].map(|host| count(ring, host)), [128, 256, 640]);
        assert_eq!(ring.size(), 1_024);
        let bounds = (ring.min_hashes_per_host(), ring.max_hashes_per_host());
        assert_eq!(bounds, (128, 640));
    });
    ring([1, 1, 1], RingHashConfig::default(), |ring| {
        // A third of 1,024 is rounded up.
        assert_eq!([0, 1, 2].map(|host| count(ring, host)), [342; 3]);
        assert_eq!(ring.size(), 1_026);
    });
}

#[test]
fn slots_of_a_maglev_table_are_counted_for_the_host_with_the_fewest_and_the_most() {
    let bounds = |weights: &[u32]| {
        let weights = weights.iter().enumerate();
        let weights = NormalizedWeights::flat(weights.map(|(host, &weight)| (host, weight)));
        let keys = ["10.0.0.1:80", "10.0.0.2:80"];
        let table = MaglevTable::build(MaglevConfig::new(11).unwrap(), &weights, |at| keys[at]);
        (table.min_entries_per_host(), table.max_entries_per_host())
    };
    assert_eq!(bounds(&[1, 1]), (5, 6));
    // The lighter host takes a slot in the rounds 1, 3 and 6 of 8.
    assert_eq!(bounds(&[1, 3]), (3, 8));
    // Envoy builds no table for one host.
    assert_eq!(bounds(&[1]), (1, 1));
    assert_eq!(bounds(&[]), (0, 0));
}

#[test]
fn a_hash_leads_to_the_entry_at_or_after_it() {
    ring([1, 1, 1], RingHashConfig::default(), |ring| {
        let entries = ring.entries();
        for (at, entry) in entries.iter().enumerate() {
            assert_eq!(ring.entry_at(entry.hash), Some(at));
            assert_eq!(ring.lookup(entry.hash, 0), Some(entry.host));
            let next = (at + 1) % entries.len();
            assert_eq!(ring.entry_at(entry.hash + 1), Some(next));
        }
    });
}

/// Values of `std::_Hash_bytes`.
#[test]
fn murmur_hashes_are_those_of_the_standard_library() {
    for (text, hash) in [
        ("", 0x553e_9390_1e46_2a6e),
        ("a", 0x454d_dee4_88c1_ed6b),
        ("10.0.0.1:80", 0xbfbc_45c9_f426_9b08),
        ("12345678", 0x8c5b_90a3_3a04_dca5),
        ("0123456789abcdef0123456", 0x3796_9094_3d6c_ad99),
    ] {
        assert_eq!(murmur2_64(text.as_bytes()), hash, "{text}");
    }
}

#[test]
fn the_order_of_header_values_does_not_change_their_hash() {
    let policies = [HashPolicy {
        source: HashSource::Header {
            name: "x-user".into(),
            rewrite: None,
        },
        terminal: false,
    }];
    let hash = |values: [&str; 3]| {
        let headers = values.map(|value| ("x-user", value));
        let headers = HeaderList(&headers);
        request_hash(&policies, &headers, &Connection::default()).unwrap()
    };
    let sorted = hash(["a", "b", "c"]);
    assert_eq!(hash(["c", "a", "b"]), sorted);
    assert_eq!(hash(["b", "c", "a"]), sorted);
    assert_ne!(hash(["a", "b", "b"]), sorted);
    // Each value is hashed with the hash so far as its seed.
    let seeded = |seed, text: &str| spillgate_core::hash::xxh64(text.as_bytes(), seed);
    assert_eq!(sorted, seeded(seeded(seeded(0, "a"), "b"), "c"));
}
