//! The arithmetic of a step: its numbers are true, and lead to the decision.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeMap;

use spillgate_core::{
    decide::{BalancerState, Decision, HostStats, Request, decide},
    draw::SplitMix64,
    load::{HostClass, choose_priority},
    model::{
        Cluster, Endpoint, LocalInfo, Locality, LocalityLb, Model, PlainCluster, Priority,
        ZoneAware,
    },
    route::{HashPolicy, HashSource, HeaderList},
    snapshot::{HostRef, Snapshot, TableKind},
    subset::SetChoice,
    trace::{NumberedSteps, Step, StepData},
};
use spillgate_explain::{arithmetic, host_address};
use spillgate_testkit::{
    amount, every_case,
    models::{Dice, Extent, model},
};

/// Random models, in short and in full form.
const MODELS: [u64; 2] = [1_500, 200_000];
/// Decisions for each cluster of a model.
const EACH: u64 = 6;

/// Words of each kind of sentence.
const KINDS: [&str; 17] = [
    "below",
    "bound of",
    "degraded hosts",
    "entry",
    "fewest of",
    "force_local_zone",
    "hash modulo 100",
    "highest score",
    "no number decides",
    "of the callers",
    "random number modulo 100",
    "residual capacity",
    "round-robin counter",
    "routing_enabled",
    "slot in the table",
    "turn of the schedule",
    "active requests: ",
];

/// Some hosts have active requests.
struct Busy;

impl HostStats for Busy {
    fn active(&self, host: HostRef) -> u32 {
        (host.host * 7 + host.priority) as u32 % 5
    }
}

#[test]
fn every_number_of_a_sentence_is_that_of_the_decision() {
    let [short, full] = MODELS;
    let seen = std::sync::Mutex::new(BTreeMap::new());
    every_case(amount(short, full), |number| {
        let mut dice = Dice::of(19, number);
        let model = match number % 3 {
            0 => zones(&mut dice),
            _ => model(&mut dice, Extent::few(5)),
        };
        let snapshot = Snapshot::build(&model);
        let mut kinds = BTreeMap::new();
        for (cluster, _) in snapshot.clusters() {
            decided(&snapshot, cluster, &mut dice, &mut kinds);
        }
        let mut seen = seen.lock().unwrap();
        for (kind, count) in kinds {
            *seen.entry(kind).or_insert(0) += count;
        }
        1
    });
    let seen = seen.into_inner().unwrap();
    for kind in KINDS {
        assert!(
            seen.get(kind).is_some_and(|&count| count > 0),
            "{kind}: {seen:?}"
        );
    }
}

/// A cluster and its callers in three zones, with zone-aware routing.
fn zones(dice: &mut Dice) -> Model {
    let zone = |number: usize| Locality {
        zone: ["a", "b", "c"][number].into(),
        ..Locality::default()
    };
    let hosts = |dice: &mut Dice, net: u8| {
        let mut priority = Priority::default();
        for number in 0..dice.between(2, 12) {
            let locality = priority.locality_index(zone(dice.below(3)));
            priority.endpoints.push(Endpoint {
                locality,
                ..Endpoint::new(format!("10.{net}.0.{number}:80"))
            });
        }
        priority
    };
    let shop = PlainCluster {
        locality_lb: LocalityLb::ZoneAware(ZoneAware {
            routing_enabled: dice.one(&[0, 50, 100, 100]),
            min_cluster_size: dice.one(&[1, 6]),
            force_local_zone: dice.one(&[None, None, Some(1)]),
            ..ZoneAware::DEFAULT
        }),
        priorities: vec![hosts(dice, 0)],
        ..PlainCluster::default()
    };
    let callers = PlainCluster {
        priorities: vec![hosts(dice, 1)],
        ..PlainCluster::default()
    };
    let clusters = vec![
        Cluster::plain("shop", shop),
        Cluster::plain("callers", callers),
    ];
    Model::new(clusters).unwrap().with_local(LocalInfo {
        locality: Some(zone(0)),
        cluster: Some("callers".into()),
    })
}

/// Decides requests for a cluster and checks each sentence.
fn decided(
    snapshot: &Snapshot,
    cluster: spillgate_core::snapshot::ClusterId,
    dice: &mut Dice,
    kinds: &mut BTreeMap<&'static str, u64>,
) {
    let criteria = dice.metadata(Extent::few(5));
    let mut draw = SplitMix64::new(dice.bits());
    let mut state = BalancerState::new(snapshot, &mut draw);
    let policies = [HashPolicy {
        source: HashSource::Header {
            name: "x-user".into(),
            rewrite: None,
        },
        terminal: false,
    }];
    for _ in 0..EACH {
        let user = dice.bits().to_string();
        let headers = [("x-user", user.as_str())];
        let headers = HeaderList(if dice.chance(70) { &headers[..] } else { &[] });
        let request = Request {
            criteria: &criteria,
            hosts: &Busy,
            hash_policies: &policies,
            ..Request::new(cluster, &headers)
        };
        let mut steps: Vec<Step> = Vec::new();
        let mut trace = NumberedSteps(&mut steps);
        let decision = decide(snapshot, &mut state, &request, &mut draw, &mut trace);
        // Of several subsets, the last one served.
        let last = |step: &Step| {
            let later = steps.iter().rev().find(|other| other.kind() == step.kind());
            later.is_some_and(|later| core::ptr::eq(later, step))
        };
        for step in steps.iter().filter(|step| last(step)) {
            let Some(text) = arithmetic(snapshot, &step.data) else {
                continue;
            };
            bounds_hold(&text);
            match &step.data {
                StepData::Priority(_) => priority_follows(snapshot, &decision, &text),
                StepData::Host(_) => host_follows(snapshot, &decision, &text),
                StepData::Locality(choice) => {
                    let expected = choice.locality.as_ref().map(ToString::to_string);
                    let expected = expected.unwrap_or("the hosts of all localities".into());
                    assert!(text.ends_with(&format!("so {expected}")), "{text}");
                }
                _ => {}
            }
            for kind in KINDS {
                *kinds.entry(kind).or_insert(0) += u64::from(text.contains(kind));
            }
        }
    }
}

/// Each part of `... = NUMBER, not below A, below B` is true.
fn bounds_hold(text: &str) {
    for part in text.split("; ") {
        let Some((head, rest)) = part.split_once(" = ") else {
            continue;
        };
        let number = leading(rest);
        if let Some(modulus) = head.split("modulo ").nth(1) {
            assert!(number < leading(modulus), "{text}");
        }
        for bound in rest.split(", ") {
            if let Some(bound) = bound.strip_prefix("not below ") {
                assert!(number >= leading(bound), "{text}");
            } else if let Some(bound) = bound.strip_prefix("below ") {
                assert!(number < leading(bound), "{text}");
            }
        }
    }
}

fn leading(text: &str) -> u64 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("{text}"))
}

/// The number after these words.
fn after(text: &str, words: &str) -> Option<u64> {
    Some(leading(text.split_once(words)?.1))
}

fn priority_follows(snapshot: &Snapshot, decision: &Decision, text: &str) {
    // A composite cluster without a host has no decision of its last member.
    let Some(chosen) = decision.priority else {
        return;
    };
    let plain = snapshot.plain(chosen.owner).unwrap();
    let load = &plain.set(choice(decision)).unwrap().load;
    let named = leading(text.rsplit_once('P').unwrap().1) as usize;
    assert_eq!(named, chosen.number, "{text}");
    assert_eq!(
        text.contains("degraded hosts"),
        chosen.class == HostClass::Degraded,
        "{text}"
    );
    let Some(roll) = after(text, "modulo 100 = ") else {
        let loads = [&load.healthy, &load.degraded];
        let whole = loads.iter().any(|loads| loads[named] == 100);
        assert!(whole, "{text}: {load:?}");
        return;
    };
    let again = choose_priority(roll, &load.healthy, &load.degraded);
    assert_eq!(again, (chosen.number, chosen.class), "{text}");
    if text.starts_with("hash") {
        assert_eq!(roll, decision.hash % 100, "{text}");
    }
}

fn host_follows(snapshot: &Snapshot, decision: &Decision, text: &str) {
    let chosen = decision.priority.unwrap();
    let host = decision.host_ref().unwrap();
    assert!(text.ends_with(host_address(snapshot, host)), "{text}");
    let plain = snapshot.plain(chosen.owner).unwrap();
    let set = plain.set(choice(decision)).unwrap();
    let list = chosen
        .source
        .map(|source| plain.list(choice(decision), chosen.number, source));
    if let Some(number) = after(text, "so host ") {
        let list = list.unwrap();
        assert_eq!(after(text, "modulo "), Some(list.len() as u64), "{text}");
        assert_eq!(list.get(number as usize - 1), Some(host.host), "{text}");
    }
    let is_bounded = text.contains("bound of");
    let table = set.priorities[chosen.number].table.as_ref();
    match table.map(|table| &table.kind) {
        Some(TableKind::Ring(ring)) => {
            let at = after(text, "is entry ").unwrap() as usize - 1;
            let entry = ring.entries()[at];
            assert_eq!(after(text, ", at "), Some(entry.hash), "{text}");
            assert_eq!(ring.entry_at(decision.hash), Some(at), "{text}");
            assert!(is_bounded || entry.host == host.host, "{text}");
        }
        Some(TableKind::Maglev(table)) => {
            let slots = table.slots();
            let slot = after(text, " = ").unwrap();
            assert_eq!(slot, decision.hash % slots.len() as u64, "{text}");
            assert!(
                is_bounded || slots[slot as usize] as usize == host.host,
                "{text}"
            );
        }
        Some(TableKind::Rendezvous(_)) | None => {}
    }
    if text.contains("active requests: ") {
        let counts = text.split(" has ").skip(1).map(leading);
        assert!(counts.min() >= Some(u64::from(Busy.active(host))), "{text}");
    }
    if is_bounded {
        let (active, bound) = (after(text, "whose "), after(text, "bound of "));
        assert!(active > bound, "{text}");
    }
}

fn choice(decision: &Decision) -> SetChoice {
    decision
        .subset
        .map_or(SetChoice::Whole, |subset| subset.choice)
}
