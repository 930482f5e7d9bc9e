//! Where a worker's random draws begin.

use crate::abi::calls;
use crate::host;
use spillgate_core::draw::SplitMix64;

/// A stream of draws, seeded once: a call to the host for each draw would cost a microsecond.
///
/// Where the host gives no random bytes the clock stands in, which is good enough to spread load
/// and for nothing else.
pub(crate) fn seeded_draws() -> SplitMix64 {
    let mut seed = [0; 8];
    if calls::random(&mut seed) {
        SplitMix64::new(u64::from_le_bytes(seed))
    } else {
        SplitMix64::new(host::nanoseconds().unwrap_or(0))
    }
}
