//! The order in which Envoy visits the hosts of a cluster in a sweep. It depends on memory addresses and stays the
//! same while no host is added: the log shows a part of it.

use std::collections::BTreeSet;

use spillgate_health::outlier::{EjectionAction, OutlierEvent};

use super::event_log::LoggedOutlier;
use super::trial_record::TrialRecord;

/// The orders that the log allows: each has the host at each place. The first one is likely enough if no limit of
/// ejections matters.
pub(super) fn orders(record: &TrialRecord) -> Vec<Vec<usize>> {
    let hosts = record.addresses.len();
    let mut found = Vec::new();
    extend(&mut Vec::new(), hosts, &seen_orders(record), &mut found);
    found
}

/// Whether two orders must have the same effect in a sweep, of which one order caused these events: other hosts have no
/// part in it.
pub(super) fn are_alike(one: &[usize], other: &[usize], events: &[OutlierEvent]) -> bool {
    let ejects = |event: &OutlierEvent| {
        matches!(
            event.action,
            EjectionAction::Eject { .. } | EjectionAction::NotEnforced(_)
        )
    };
    // If the limit allows no ejection at all, the order of its findings has no effect.
    let all = events.iter().any(ejects);
    let matters = events.iter().filter(|event| {
        let is_overflow = matches!(event.action, EjectionAction::Overflow(_));
        all || !is_overflow
    });
    let has_part = |host: &&usize| matters.clone().any(|event| event.host == **host);
    matters.clone().nth(1).is_none()
        || one
            .iter()
            .filter(has_part)
            .eq(other.iter().filter(has_part))
}

/// Pairs of hosts, the first of which is visited before the second.
fn seen_orders(record: &TrialRecord) -> BTreeSet<(usize, usize)> {
    let mut before = BTreeSet::new();
    let index = |entry: &LoggedOutlier| {
        let mut addresses = record.addresses.iter();
        addresses.position(|address| *address == entry.host)
    };
    // Health checks end ejections in an order of their own.
    let ends = record.trial.checks.is_empty();
    for pair in record.outliers.windows(2) {
        let [first, second] = pair else { continue };
        // Entries of the same rule in the same sweep.
        let rule = |entry: &LoggedOutlier| {
            if entry.action == "UNEJECT" {
                return ends.then(|| entry.action.clone());
            }
            entry.is_of_sweep().then(|| entry.kind.clone())
        };
        let near = second.at.saturating_sub(first.at).as_millis() <= 2;
        if let (true, Some(one), Some(other)) = (near, rule(first), rule(second))
            && one == other
            && let (Some(first), Some(second)) = (index(first), index(second))
            && first != second
        {
            before.insert((first, second));
        }
    }
    before
}

/// All orders of the remaining hosts that keep the pairs.
fn extend(
    order: &mut Vec<usize>,
    hosts: usize,
    before: &BTreeSet<(usize, usize)>,
    found: &mut Vec<Vec<usize>>,
) {
    if order.len() == hosts {
        found.push(order.clone());
        return;
    }
    for host in 0..hosts {
        let is_free = |first: usize| order.contains(&first);
        let mut earlier = before.iter().filter(|(_, second)| *second == host);
        if !order.contains(&host) && earlier.all(|(first, _)| is_free(*first)) {
            order.push(host);
            extend(order, hosts, before, found);
            order.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use spillgate_health::outlier::OutlierEjectionType::FailurePercentage;

    use super::*;

    #[test]
    fn orders_keep_the_pairs() {
        let mut found = Vec::new();
        extend(&mut Vec::new(), 3, &BTreeSet::from([(2, 0)]), &mut found);
        assert_eq!(found, [vec![1, 2, 0], vec![2, 0, 1], vec![2, 1, 0]]);
    }

    #[test]
    fn only_hosts_with_a_part_in_a_sweep_make_a_difference() {
        let event = |host, action| OutlierEvent { host, action };
        let over = |host| event(host, EjectionAction::Overflow(FailurePercentage));
        let found = |host| event(host, EjectionAction::NotEnforced(FailurePercentage));
        let (one, other) = ([0, 1, 2], [1, 0, 2]);
        assert!(are_alike(&one, &other, &[found(0), found(2)]));
        assert!(are_alike(&one, &other, &[over(0), over(1)]));
        assert!(!are_alike(&one, &other, &[found(0), over(1)]));
    }
}
