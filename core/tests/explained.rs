//! Explained figures: each expression of a tree has the value of its figure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;
mod generated;

use common::{aggregate, model, partly, plain, priority};
use generated::EXTENT;
use spillgate_core::{
    model::{
        HealthStatus::{Degraded, Healthy, Unhealthy},
        Policy, Priority, RingHashConfig,
    },
    shares::Share,
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
    trace::{PriorityRef, RetryExclusion},
    why::{
        Expr, Formula, Quantity, Subject, Why, explain_member_share, why_host, why_linearized_in,
        why_priority, why_priority_in,
    },
};
use spillgate_testkit::models::{Dice, pair};

/// The value of an expression; `None` if a part has no number.
fn value(expr: &Expr) -> Option<f64> {
    let values = |of: &[Expr]| of.iter().map(value).collect::<Option<Vec<f64>>>();
    Some(match expr {
        Expr::Number(number) | Expr::Term(number, _) => *number as f64,
        Expr::Symbol(_) => return None,
        Expr::Min(of) => values(of)?.into_iter().fold(f64::INFINITY, f64::min),
        Expr::Floor(of) => value(of)?.floor(),
        Expr::Sum(of) => values(of)?.iter().sum(),
        Expr::Product(of) => values(of)?.iter().product(),
        Expr::Ratio(of, by) => match value(by)? {
            0.0 => 0.0,
            by => value(of)? / by,
        },
        _ => return None,
    })
}

/// Checks each expression below a figure.
fn check(why: &Why, case: &str) {
    let found = match why.value {
        Quantity::Percent(percent) => percent,
        Quantity::Number(number) => number as f64,
        Quantity::Of { .. } | Quantity::Flag(_) => f64::NAN,
    };
    if let Formula::Value { expr, .. } = &why.formula
        && let Some(expected) = value(expr)
    {
        assert_eq!(found, expected, "{case}: {why:?}");
    }
    if let (Formula::HealthyAndDegradedLoad { healthy, degraded }, Quantity::Percent(percent)) =
        (&why.formula, why.value)
    {
        assert_eq!(f64::from(healthy + degraded), percent, "{case}: {why:?}");
    }
    for cause in &why.causes {
        check(cause, case);
    }
}

#[test]
fn each_expression_has_the_value_of_its_figure() {
    for seed in 0..300 {
        let dice = &mut Dice::new(seed);
        let snapshot = Snapshot::build(&pair(dice, 0, EXTENT));
        let excluded = (0..4).map(|_| dice.chance(30)).collect();
        let retry = RetryExclusion {
            excluded,
            reset: false,
        };
        for (cluster, found) in snapshot.clusters() {
            for at in 0..4 {
                for retry in [None, Some(&retry)] {
                    let case = format!("seed {seed} {} {at} {retry:?}", found.name);
                    let why = match &found.kind {
                        ClusterSnapshotKind::Plain(_) => {
                            why_priority_in(&snapshot, cluster, at, retry)
                        }
                        _ => why_linearized_in(&snapshot, cluster, at, retry),
                    };
                    if let Some(why) = why {
                        check(&why, &case);
                    }
                }
            }
            for share in snapshot.distribution(cluster, None).shares {
                let why = why_host(&snapshot, cluster, &share).unwrap();
                check(&why, &format!("seed {seed} {} {share:?}", found.name));
            }
        }
    }
}

/// The causes of a figure of this kind.
fn subjects(why: &Why) -> Vec<Subject> {
    why.causes.iter().map(|cause| cause.subject).collect()
}

fn shop(priorities: Vec<Priority>) -> (Snapshot, ClusterId) {
    let snapshot = Snapshot::build(&model(vec![plain(
        "shop",
        Policy::RoundRobin,
        50.0,
        priorities,
    )]));
    let cluster = snapshot.cluster_id("shop").unwrap();
    (snapshot, cluster)
}

#[test]
fn degraded_hosts_take_part_in_a_load_if_there_are_any() {
    let (snapshot, cluster) = shop(vec![
        priority(0, &[Healthy, Unhealthy]),
        priority(1, &[Healthy, Degraded]),
        priority(2, &[Unhealthy, Degraded]),
    ]);
    let formula = |at| why_priority(&snapshot, cluster, at).unwrap().formula;
    assert_eq!(formula(0), Formula::HealthyLoad);
    let of = |healthy, degraded| Formula::HealthyAndDegradedLoad { healthy, degraded };
    // The degraded hosts of P1 get nothing, but it has some.
    assert_eq!((formula(1), formula(2)), (of(30, 0), of(0, 0)));
    let total = why_priority(&snapshot, cluster, 1).unwrap().causes[0]
        .causes
        .iter()
        .find(|why| matches!(why.subject, Subject::TotalAvailability(_)))
        .unwrap()
        .formula
        .clone();
    let number = Expr::Number;
    let sum = [70, 70, 70, 0, 70].map(number).into();
    let expr = Expr::Min(vec![number(100), Expr::Sum(sum)]);
    // Priorities without degraded hosts have one number.
    assert_eq!(total, Formula::Value { expr, when: None });
}

#[test]
fn a_retry_explains_the_priorities_that_it_avoids() {
    let (snapshot, cluster) = shop(vec![partly(0, 1, 2), partly(1, 1, 2), partly(2, 2, 2)]);
    let retry = RetryExclusion {
        excluded: vec![true, false, false],
        reset: false,
    };
    let why = why_priority_in(&snapshot, cluster, 1, Some(&retry)).unwrap();
    assert_eq!(why.value, Quantity::Percent(70.0));
    let earlier = &why.causes[0].causes[1];
    assert_eq!(
        (earlier.value, &earlier.formula),
        (Quantity::Percent(0.0), &Formula::Excluded)
    );
    let last = why_priority_in(&snapshot, cluster, 2, Some(&retry)).unwrap();
    let formulas = last.causes[0].causes[1..3].iter();
    let formulas: Vec<_> = formulas.map(|why| &why.formula).collect();
    assert_eq!(formulas, [&Formula::Excluded, &Formula::Given]);
}

#[test]
fn a_share_in_an_aggregate_is_explained_by_the_loads_of_its_member() {
    let member = |name, number, policy| {
        plain(
            name,
            policy,
            50.0,
            vec![partly(number, 1, 2), partly(number + 1, 2, 2)],
        )
    };
    let ring = Policy::RingHash(RingHashConfig::default());
    for (policy, loads) in [(Policy::RoundRobin, vec![1]), (ring, vec![0, 1])] {
        let snapshot = Snapshot::build(&model(vec![
            member("a", 0, Policy::RoundRobin),
            member("b", 2, policy),
            aggregate("both", 50.0, &["a", "b"]),
        ]));
        let id = |name| snapshot.cluster_id(name).unwrap();
        let share = Share {
            owner: id("b"),
            priority: 1,
            host: 0,
            share: 50.0,
        };
        let why = why_host(&snapshot, id("both"), &share).unwrap();
        let found = subjects(&why)
            .into_iter()
            .filter_map(|subject| match subject {
                Subject::LinearizedLoad { priority, .. } => Some(priority),
                _ => None,
            });
        let of_b = |priority| PriorityRef {
            cluster: id("b"),
            priority,
        };
        let expected: Vec<_> = loads.into_iter().map(of_b).collect();
        assert_eq!(found.collect::<Vec<_>>(), expected, "{policy:?}");
        let why = explain_member_share(&snapshot, id("both"), id("a")).unwrap();
        // P0 has half of its hosts, P1 takes the others.
        assert_eq!(why.value, Quantity::Percent(100.0));
        assert_eq!(why.causes.len(), 2);
    }
}
