//! The order in which Envoy visits the hosts of a cluster in a sweep. It depends on memory addresses and stays the
//! same while no host is added: the log shows a part of it.

use std::collections::BTreeSet;

use super::batch::TrialRecord;
use super::event_log::LoggedOutlier;

/// More orders are not tried.
const MOST_ORDERS: usize = 720;

/// The orders that the log allows: each has the index of the host at each place. The first one is likely enough if
/// no limit of ejections matters.
pub(super) fn orders(record: &TrialRecord) -> Vec<Vec<usize>> {
    let hosts = record.addresses.len();
    let mut found = Vec::new();
    // Ends of ejections by health checks can have another order.
    for ends in [true, false] {
        if found.is_empty() {
            let before = seen_orders(record, ends);
            extend(&mut Vec::new(), hosts, &before, &mut found);
        }
    }
    if found.is_empty() {
        found.push((0..hosts).collect());
    }
    found
}

/// Pairs of hosts, the first of which is visited before the second.
fn seen_orders(record: &TrialRecord, ends: bool) -> BTreeSet<(usize, usize)> {
    let mut before = BTreeSet::new();
    let index = |entry: &LoggedOutlier| {
        let mut addresses = record.addresses.iter();
        addresses.position(|address| *address == entry.host)
    };
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
    if found.len() >= MOST_ORDERS {
        return;
    }
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
    use super::*;

    #[test]
    fn orders_keep_the_pairs() {
        let mut found = Vec::new();
        extend(&mut Vec::new(), 3, &BTreeSet::from([(2, 0)]), &mut found);
        assert_eq!(found, [vec![1, 2, 0], vec![2, 0, 1], vec![2, 1, 0]]);
    }
}
