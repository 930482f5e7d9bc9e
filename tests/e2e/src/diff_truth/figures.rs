//! Predicted shares and moved keys of clusters that change.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use spillgate_answers::pick::PickOutput;
use spillgate_core::model::Locality;
use spillgate_diff::{KeysDiff, RequestsDiff, ShareDiff};
use spillgate_explain::report::locality_title;

use super::address::address;
use super::check::{PairCheck, PredictedFraction, Seen, TestKind};
use super::pair::{ConfigPair, PairAnswer, RowUse};
use super::probe::are_untouched;
use super::two_samples::two_samples_p;

/// The hosts of the requests with one key each, before and after; `None` for requests without a host.
struct Sample<'s> {
    rows: Vec<usize>,
    old: Vec<Option<&'s str>>,
    new: Vec<Option<&'s str>>,
}

/// The sampled 65,536 hashes have fractions with an error of their own: five standard deviations.
const HASHES: f64 = 65_536.0;
const DEVIATIONS: f64 = 5.0;

/// Each predicted share and fraction must be that of the requests.
pub(super) fn check(pair: &ConfigPair, seen: &Seen<'_>, found: &mut PairCheck) {
    if !are_untouched(&pair.old) {
        return;
    }
    for probe in 0..pair.probes() {
        let Some((cluster, predicted)) = pair.predicted(probe) else {
            continue;
        };
        let sample = Sample::of(pair, seen, probe);
        let case = format!("cluster {} {{{}}}", cluster.name, predicted.criteria);
        hosts(&sample, predicted, &case, found);
        let own = format!("~{}", cluster.name);
        let message =
            |side: &'_ [Value]| side.iter().find(|of| of["name"] == own.as_str()).cloned();
        let (old, new) = (message(&pair.old.clusters), message(&pair.new.clusters));
        let (Some(old), Some(new)) = (old, new) else {
            continue;
        };
        if let (Some(before), Some(after)) = (Places::of(&old), Places::of(&new)) {
            let sides = [(&sample.old, &before), (&sample.new, &after)];
            for (kind, shares) in [
                (Place::Priority, &predicted.priorities),
                (Place::Locality, &predicted.localities),
            ] {
                let named = sides.map(|(picks, places)| {
                    let names = picks.iter().map(|pick| places.name(*pick, kind));
                    names.collect::<Vec<&str>>()
                });
                of_names(&named, shares, &case, found);
            }
        }
        // Dropped requests have no host, whatever their key.
        let drops = [&old, &new]
            .into_iter()
            .any(|of| of.to_string().contains("drop_overloads"));
        if let Some(keys) = predicted.keys.filter(|_| !drops) {
            moved(&sample, seen, keys, &new, &case, found);
        }
    }
}

impl<'s> Sample<'s> {
    fn of(pair: &ConfigPair, seen: &Seen<'s>, probe: usize) -> Self {
        let rows = pair.rows.iter().enumerate();
        let rows: Vec<usize> = rows
            .filter(|(_, usage)| **usage == RowUse::Probe(probe))
            .map(|(row, _)| row)
            .collect();
        let picks = |observations: &'s [Vec<crate::differential::Observed>]| {
            let first = rows.iter().map(|row| observations[*row].first());
            first
                .map(|observed| observed?.endpoint.as_deref())
                .collect()
        };
        Self {
            old: picks(seen.old),
            new: picks(seen.new),
            rows,
        }
    }
}

/// The shares of hosts, and of requests without one. Hosts that are not named have equal shares.
fn hosts(sample: &Sample<'_>, predicted: &RequestsDiff, case: &str, found: &mut PairCheck) {
    let names = [&sample.old, &sample.new].map(|picks| {
        let names = picks.iter().map(|pick| pick.unwrap_or_default());
        names.collect::<Vec<&str>>()
    });
    let mut shares = predicted.hosts.clone();
    shares.push(predicted.no_host.clone());
    of_names(&names, &shares, case, found);
    let listed: BTreeSet<&str> = shares.iter().map(|share| share.name.as_str()).collect();
    let mut others: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    names[0]
        .iter()
        .for_each(|name| others.entry(name).or_default().0 += 1);
    names[1]
        .iter()
        .for_each(|name| others.entry(name).or_default().1 += 1);
    others.retain(|name, _| !listed.contains(name));
    if others.len() > 1 {
        let counts: Vec<(u64, u64)> = others.values().copied().collect();
        let what = format!("{case}: equal shares of the other hosts, {others:?}");
        found.test(TestKind::Equal, two_samples_p(&counts), what);
    }
}

/// The predicted shares of names before and after; all others together have the rest.
fn of_names(names: &[Vec<&str>; 2], shares: &[ShareDiff], case: &str, found: &mut PairCheck) {
    type Side = fn(&ShareDiff) -> f64;
    let sides: [(&str, Side); 2] = [
        ("before", |share| share.before),
        ("after", |share| share.after),
    ];
    for ((side, of), names) in sides.into_iter().zip(names) {
        let all = names.len() as u64;
        let mut compare = |name: &str, fraction: f64, count: u64| {
            let predicted = PredictedFraction {
                kind: TestKind::Share,
                what: format!("{case}, {name} {side}"),
                fraction,
                error: 0.0,
            };
            found.compare(predicted, count, all);
        };
        let (mut others, mut rest) = (all, 1.0);
        for share in shares {
            let count = names.iter().filter(|name| **name == share.name).count() as u64;
            let fraction = of(share) / 100.0;
            others -= count;
            rest -= fraction;
            compare(&format!("{:?}", share.name), fraction, count);
        }
        compare("others", rest, others);
    }
}

/// The fractions of keys that move, and that move without need.
fn moved(
    sample: &Sample<'_>,
    seen: &Seen<'_>,
    keys: KeysDiff,
    after: &Value,
    case: &str,
    found: &mut PairCheck,
) {
    let is_counted = |row: usize| {
        let is_determined = |answer: &PairAnswer| {
            matches!(answer.old, PickOutput::Determined { .. }) && answer.is_certain()
        };
        keys.exact || seen.answers[row].as_ref().is_some_and(is_determined)
    };
    let healthy = healthy(after);
    let (mut all, mut moved, mut avoidable) = (0, 0, 0);
    for ((row, old), new) in sample.rows.iter().zip(&sample.old).zip(&sample.new) {
        if !is_counted(*row) {
            continue;
        }
        all += 1;
        if let Some(host) = old.filter(|_| old != new) {
            moved += 1;
            avoidable += u64::from(healthy.contains(host));
        }
    }
    let mut compare = |what: &str, percent: f64, count: u64| {
        let fraction = percent / 100.0;
        let error = if keys.exact {
            0.0
        } else {
            let deviation = (fraction * (1.0 - fraction) / HASHES).max(0.0).sqrt();
            DEVIATIONS * (deviation + 1.0 / HASHES)
        };
        let predicted = PredictedFraction {
            kind: TestKind::MovedKeys,
            what: format!("{case}, keys that {what}"),
            fraction,
            error,
        };
        found.compare(predicted, count, all);
    };
    compare("move", keys.moved, moved);
    // The hosts of an aggregate are those of its members.
    if after.get("load_assignment").is_some() {
        compare("move without need", keys.avoidable, avoidable);
    }
}

/// The addresses of the healthy hosts of a cluster.
fn healthy(cluster: &Value) -> BTreeSet<String> {
    let groups = cluster
        .pointer("/load_assignment/endpoints")
        .and_then(Value::as_array);
    let hosts = groups
        .into_iter()
        .flatten()
        .filter_map(|group| group["lb_endpoints"].as_array());
    let healthy = hosts.flatten().filter(|host| {
        let status = host["health_status"].as_str();
        status.is_none_or(|status| ["HEALTHY", "UNKNOWN"].contains(&status))
    });
    healthy.filter_map(address).collect()
}

/// What the name of a place is about.
#[derive(Clone, Copy)]
enum Place {
    Priority,
    Locality,
}

/// The priorities and localities of the hosts of a cluster.
struct Places(BTreeMap<String, [String; 2]>);

impl Places {
    /// `None` for a cluster without hosts of its own, and for one with a host in two places.
    fn of(cluster: &Value) -> Option<Self> {
        let mut places = BTreeMap::new();
        for group in cluster.pointer("/load_assignment/endpoints")?.as_array()? {
            let priority = format!("P{}", group["priority"].as_u64().unwrap_or(0));
            let part = |field: &str| {
                let name = group["locality"][field].as_str();
                name.unwrap_or_default().to_owned()
            };
            let locality = Locality {
                region: part("region"),
                zone: part("zone"),
                sub_zone: part("sub_zone"),
            };
            let name = if locality == Locality::default() {
                String::new()
            } else {
                locality_title(&locality)
            };
            let place = [priority, name];
            for host in group["lb_endpoints"].as_array()? {
                let known = places.insert(address(host)?, place.clone());
                if known.is_some_and(|known| known != place) {
                    return None;
                }
            }
        }
        Some(Self(places))
    }

    fn name(&self, host: Option<&str>, kind: Place) -> &str {
        let place = host.and_then(|host| self.0.get(host));
        place.map_or("", |place| &place[kind as usize])
    }
}
