//! The seed of a worker's random draws.

use spillgate_core::draw::SplitMix64;

use crate::port::Plugin;

/// A stream of draws, seeded once: a host call for each draw would cost a microsecond.
///
/// Without random bytes the clock is the seed. That is good enough to spread load and for nothing
/// else.
pub(crate) fn seeded(plugin: &impl Plugin) -> SplitMix64 {
    let mut seed = [0; 8];
    match plugin.random(&mut seed) {
        true => SplitMix64::new(u64::from_le_bytes(seed)),
        false => SplitMix64::new(plugin.now()),
    }
}
