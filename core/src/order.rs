//! Stable sorting: one small sort function for all types, because each instance of the standard one
//! would add four kilobytes to the filter and to every module of the playground.

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
    let mut merged = Vec::with_capacity(len);
    let mut width = 1;
    while width < len {
        for pair in indices.chunks(2 * width) {
            merge(pair, width, compare, &mut merged);
        }
        core::mem::swap(&mut indices, &mut merged);
        merged.clear();
        width *= 2;
    }
    indices
}

/// Appends two sorted parts in order: the first `width` indices and the others.
fn merge(
    pair: &[usize],
    width: usize,
    compare: &dyn Fn(usize, usize) -> Ordering,
    merged: &mut Vec<usize>,
) {
    let (mut left, mut right) = pair.split_at(width.min(pair.len()));
    // Sorted input takes one comparison for each pair.
    if let (Some(&last), Some(&first)) = (left.last(), right.first())
        && compare(last, first) != Ordering::Greater
    {
        merged.extend_from_slice(pair);
        return;
    }
    while let ([a, after_a @ ..], [b, after_b @ ..]) = (left, right) {
        if compare(*a, *b) == Ordering::Greater {
            merged.push(*b);
            right = after_b;
        } else {
            merged.push(*a);
            left = after_a;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
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

    #[test]
    fn the_order_is_that_of_the_standard_sort() {
        for len in 0..70_usize {
            for seed in 1..40 {
                let keys: Vec<u64> = (0..len)
                    .map(|at| crate::hash::mix(at as u64 * seed) % (1 + seed))
                    .collect();
                let mut expected: Vec<usize> = (0..len).collect();
                expected.sort_by_key(|&at| keys[at]);
                let found = order(len, &|a, b| keys[a].cmp(&keys[b]));
                assert_eq!(found, expected, "{len} items, seed {seed}");
            }
        }
    }
}
