//! Default weights of affinity tags.

use alloc::vec::Vec;

/// The largest number of affinity tags without weights: the default weights of 10 tags exceed
/// 2^32-1.
pub const MOST_UNWEIGHTED_TAGS: usize = 9;

/// The default weights of `tags` affinity tags: `9 * 10^(tags-1-i)` for tag `i` (`priority.go`).
/// Together with the weight 1 of the remaining endpoints they sum to `10^tags`. `None` for more than
/// [`MOST_UNWEIGHTED_TAGS`]: Kuma's result then depends on its processor.
///
/// # Examples
/// ```
/// use spillgate_mesh::kuma::default_weights;
///
/// assert_eq!(default_weights(3).unwrap(), [900, 90, 9]);
/// assert_eq!(default_weights(10), None);
/// ```
#[must_use]
pub fn default_weights(tags: usize) -> Option<Vec<u32>> {
    let powers = (0..u32::try_from(tags).ok()?).rev();
    powers
        .map(|power| 10_u32.checked_pow(power)?.checked_mul(9))
        .collect()
}
