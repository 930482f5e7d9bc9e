//! Stable sorting: one sort function for all types, because each instance of the standard one would
//! add code to the filter and the web page.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// The indices `0..len` in the order of `compare`. Equal elements keep their order.
///
/// # Examples
/// ```
/// use spillgate_core::order::order;
///
/// let weights = [20, 30, 10];
/// assert_eq!(order(3, &|a, b| weights[a].cmp(&weights[b])), [2, 0, 1]);
/// ```
#[must_use]
pub fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..len).collect();
    indices.sort_by(|&a, &b| compare(a, b));
    indices
}

/// The items in the order of `compare`. Equal items keep their order.
#[must_use]
pub fn sorted<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let indices = order(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    if indices.iter().enumerate().all(|(at, &index)| at == index) {
        return items;
    }
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let take = |index: usize| items.get_mut(index).and_then(Option::take);
    indices.into_iter().filter_map(take).collect()
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
