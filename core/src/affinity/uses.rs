//! How often each token is used, so that one token cannot cause more load than allowed.

use alloc::vec::Vec;

use super::TokenKey;

/// The maximum number of uses of one token in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UseLimit {
    /// The maximum number of uses; at least 1.
    pub requests: u32,
    /// The length of the window in seconds; at least 1.
    pub window: u64,
}

/// Counts the uses of authentic tokens, for one worker.
///
/// The table has a fixed size. Each token has a set of four places, which a secret hash selects. If
/// all four are taken, the token replaces the least used one; a token above its limit keeps its
/// place until its window ends. So a flood of other tokens cannot reset the count of a token above
/// its limit, and no token is ever charged for the uses of another one. A token without a place is
/// not limited.
///
/// # Examples
/// ```
/// use spillgate_core::affinity::{TokenUses, UseLimit};
///
/// let limit = UseLimit { requests: 2, window: 10 };
/// let mut uses = TokenUses::default();
/// let of_one: Vec<bool> = (0..3).map(|_| uses.exceeds(7, limit, 100)).collect();
/// assert_eq!(of_one, [false, false, true]);
/// assert!(!uses.exceeds(8, limit, 100), "another token");
/// assert!(!uses.exceeds(7, limit, 110), "the next window");
/// ```
#[derive(Debug, Clone, Default)]
pub struct TokenUses {
    /// Empty until the first use.
    sets: Vec<[Entry; WAYS]>,
}

/// The number of sets; a power of two.
const SETS: usize = 2_048;
/// The number of places in a set.
const WAYS: usize = 4;

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    token: u64,
    /// The start of the window, in seconds.
    since: u64,
    /// The number of uses in the window; 0 for a free place.
    count: u32,
}

impl Entry {
    /// The number of uses in a window that has not ended.
    const fn uses(&self, limit: UseLimit, now: u64) -> u32 {
        // A clock that jumps back ends the window.
        match now.checked_sub(self.since) {
            Some(elapsed) if elapsed < limit.window => self.count,
            _ => 0,
        }
    }
}

impl TokenUses {
    /// Counts a use at `now`, in seconds. Returns whether the token has more uses than allowed.
    /// `token` is its id for counting ([`TokenKey::use_id`]).
    pub fn exceeds(&mut self, token: u64, limit: UseLimit, now: u64) -> bool {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Default::default);
        }
        let Some(set) = self.sets.get_mut(token as usize % SETS) else {
            return false;
        };
        let known = |entry: &Entry| entry.count > 0 && entry.token == token;
        if let Some(entry) = set.iter_mut().find(|entry| known(entry)) {
            match entry.uses(limit, now) {
                0 => (entry.since, entry.count) = (now, 1),
                count => entry.count = count.saturating_add(1),
            }
            return entry.count > limit.requests;
        }
        let least = set
            .iter_mut()
            .min_by_key(|entry| (entry.uses(limit, now), entry.since));
        if let Some(entry) = least
            // A token above its limit keeps its place: otherwise many tokens together could lift the limit
            // of one.
            && entry.uses(limit, now) <= limit.requests
        {
            *entry = Entry {
                token,
                since: now,
                count: 1,
            };
        }
        false
    }
}

impl TokenKey {
    /// The id under which the uses of a sealed token are counted. Clients cannot predict it, so
    /// they cannot choose tokens that share a place in [`TokenUses`].
    #[must_use]
    pub fn use_id(&self, text: &[u8]) -> u64 {
        // Truncates: any half of a keyed hash is a keyed hash.
        self.hashed(b't', &[text]) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: UseLimit = UseLimit {
        requests: 10,
        window: 60,
    };

    /// Tokens of one set.
    fn of_one_set(number: u64) -> u64 {
        5 + number * SETS as u64
    }

    #[test]
    fn a_token_is_limited_until_its_window_ends() {
        let mut uses = TokenUses::default();
        let over = |uses: &mut TokenUses, now| {
            (0..15)
                .map(|_| uses.exceeds(1, LIMIT, now))
                .filter(|over| *over)
                .count()
        };
        assert_eq!(over(&mut uses, 1_000), 5);
        assert_eq!(over(&mut uses, 1_059), 15);
        assert_eq!(over(&mut uses, 1_060), 5, "the next window");
        assert_eq!(over(&mut uses, 500), 5, "a clock that jumps back");
    }

    #[test]
    fn other_tokens_do_not_reset_a_token_above_its_limit() {
        let mut uses = TokenUses::default();
        for _ in 0..=LIMIT.requests {
            uses.exceeds(of_one_set(0), LIMIT, 0);
        }
        for other in 1..100_000 {
            assert!(!uses.exceeds(of_one_set(other), LIMIT, 1), "{other}");
        }
        assert!(uses.exceeds(of_one_set(0), LIMIT, 2));
    }

    #[test]
    fn a_token_is_never_charged_for_another_one() {
        let mut uses = TokenUses::default();
        for token in 0..WAYS as u64 {
            for _ in 0..100 {
                uses.exceeds(of_one_set(token), LIMIT, 0);
            }
        }
        // All places belong to tokens above the limit: this one is not counted.
        let other = of_one_set(WAYS as u64);
        assert!((0..100).all(|_| !uses.exceeds(other, LIMIT, 1)));
        assert!((0..WAYS as u64).all(|token| uses.exceeds(of_one_set(token), LIMIT, 2)));
        let count =
            |uses: &mut TokenUses| (0..100).filter(|_| uses.exceeds(other, LIMIT, 61)).count();
        assert_eq!(count(&mut uses), 90, "a place is free in the next window");
    }

    #[test]
    fn busy_tokens_are_counted_among_many_quiet_ones() {
        let mut uses = TokenUses::default();
        let mut over = 0;
        for round in 0..1_000 {
            for quiet in 0..20 {
                assert!(!uses.exceeds(of_one_set(1_000 + round * 20 + quiet), LIMIT, 0));
            }
            for _ in 0..8 {
                over += u32::from(uses.exceeds(of_one_set(1), LIMIT, 0));
            }
        }
        assert_eq!(over, 8_000 - LIMIT.requests);
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut uses = TokenUses::default();
        for token in 0..100_000_u64 {
            uses.exceeds(token.wrapping_mul(0x9e37_79b9_7f4a_7c15), LIMIT, 0);
        }
        assert_eq!(uses.sets.capacity(), SETS);
        assert_eq!(size_of::<[Entry; WAYS]>() * SETS, 196_608);
    }
}
