//! The seed of a worker's random number generator.

use spillgate_core::draw::SplitMix64;

use crate::port::Plugin;

/// A random number generator, seeded once: a host call for each number would cost a microsecond.
///
/// If the environment has no random bytes, the clock is the seed. That suffices to spread load, but
/// not for secrets.
pub(crate) fn seeded(plugin: &impl Plugin) -> SplitMix64 {
    let mut seed = [0; 8];
    match plugin.random(&mut seed) {
        true => SplitMix64::new(u64::from_le_bytes(seed)),
        false => SplitMix64::new(plugin.now()),
    }
}
