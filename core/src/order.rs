//! Sorting for what is built once: one sort for all types, because every other one would be
//! compiled again for the filter and the page.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// The places `0..len` in the order that `compare` gives them; equal ones stay as they are.
#[must_use]
pub fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

/// The items in the order that `compare` gives them; equal ones stay as they are.
#[must_use]
pub fn sorted<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let places = order(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    if places.iter().enumerate().all(|(at, &place)| at == place) {
        return items;
    }
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let take = |place: usize| items.get_mut(place).and_then(Option::take);
    places.into_iter().filter_map(take).collect()
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn equal_items_keep_their_order() {
        let items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        let found = sorted(items, |a, b| a.0.cmp(&b.0));
        assert_eq!(found, [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }
}
