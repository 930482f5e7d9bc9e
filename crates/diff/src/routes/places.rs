//! Where the routes of a list are in another list.

use std::collections::{BTreeMap, VecDeque};

use spillgate_core::route::Route;

use super::example::condition;

/// How the routes of two lists correspond.
pub(crate) struct Places {
    /// The place of each old route in the new list; `None` for a route that it does not have.
    pub(crate) of_old: Vec<Option<usize>>,
    /// The old routes, by their places, that are in the new list in the same order: as many as possible.
    kept: Vec<usize>,
}

impl Places {
    pub(crate) fn new(before: &[Route], after: &[Route]) -> Self {
        // Equal routes have equal conditions.
        let mut free: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        for (place, route) in after.iter().enumerate() {
            let same = free.entry(condition(&route.matcher)).or_default();
            same.push_back(place);
        }
        let mut place_of = |route: &Route| {
            let same = free.get_mut(&condition(&route.matcher))?;
            let at = same
                .iter()
                .position(|place| after.get(*place) == Some(route))?;
            same.remove(at)
        };
        let of_old: Vec<Option<usize>> = before.iter().map(&mut place_of).collect();
        Self {
            kept: increasing(&of_old),
            of_old,
        }
    }

    /// The routes of both sides that the other side does not have, or has in another order.
    pub(crate) fn moved<'r>(&self, before: &'r [Route], after: &'r [Route]) -> Vec<&'r Route> {
        let mut kept = vec![false; before.len()];
        let mut kept_after = vec![false; after.len()];
        for old in &self.kept {
            let new = self.of_old.get(*old).copied().flatten();
            for (kept, at) in [(&mut kept, Some(*old)), (&mut kept_after, new)] {
                if let Some(kept) = at.and_then(|at| kept.get_mut(at)) {
                    *kept = true;
                }
            }
        }
        let old = before.iter().zip(kept);
        let new = after.iter().zip(kept_after);
        let others = old.chain(new).filter(|(_, kept)| !kept);
        others.map(|(route, _)| route).collect()
    }

    /// Whether all routes are in the same order.
    pub(crate) fn are_in_order(&self) -> bool {
        self.kept.len() == self.of_old.len()
    }
}

/// The elements of a longest increasing subsequence, by their places (patience sorting).
fn increasing(numbers: &[Option<usize>]) -> Vec<usize> {
    // For each length, the place where the subsequence with the smallest end ends, and this end.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let Some(number) = *number else { continue };
        let length = ends.partition_point(|(_, end)| *end < number);
        let previous = length.checked_sub(1).and_then(|last| ends.get(last));
        if let Some(before) = before.get_mut(at) {
            *before = previous.map(|(place, _)| *place);
        }
        match ends.get_mut(length) {
            Some(end) => *end = (at, number),
            None => ends.push((at, number)),
        }
    }
    let last = ends.last().map(|(place, _)| *place);
    let mut found: Vec<usize> =
        std::iter::successors(last, |at| before.get(*at).copied().flatten()).collect();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::increasing;

    /// The length of a longest increasing subsequence, by trying all.
    fn longest(numbers: &[Option<usize>], above: Option<usize>) -> usize {
        let Some((first, rest)) = numbers.split_first() else {
            return 0;
        };
        let without = longest(rest, above);
        match first {
            Some(number) if above.is_none_or(|above| *number > above) => {
                without.max(1 + longest(rest, Some(*number)))
            }
            _ => without,
        }
    }

    proptest! {
        #[test]
        fn no_increasing_subsequence_is_longer(
            numbers in prop::collection::vec(prop::option::of(0_usize..12), 0..12),
        ) {
            let found = increasing(&numbers);
            let values: Vec<usize> = found.iter().filter_map(|at| numbers[*at]).collect();
            prop_assert_eq!(values.len(), found.len());
            prop_assert!(values.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(found.len(), longest(&numbers, None));
        }
    }
}
