//! The common part of libFuzzer's programs.

use libfuzzer_sys::fuzzer_mutate;
use spillgate_core::draw::{Draw as _, SplitMix64};
use spillgate_testkit::fuzz::FuzzTarget;

#[doc(hidden)]
pub use libfuzzer_sys;
#[doc(hidden)]
pub use spillgate_testkit::fuzz;

/// Defines the program of the fuzz target with a name.
#[macro_export]
macro_rules! program {
    ($name:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(|input: &[u8]| {
            $crate::fuzz::FuzzTarget::named($name).run(input);
        });
        $crate::libfuzzer_sys::fuzz_mutator!(|input: &mut [u8],
                                              size: usize,
                                              max_size: usize,
                                              seed: u32| {
            $crate::change($name, input, size, max_size, seed)
        });
    };
}

/// Changes an input in place: half of the time token by token, else by libFuzzer's own means.
/// Returns its new size.
#[doc(hidden)]
pub fn change(name: &str, input: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut draw = SplitMix64::new(seed.into());
    if draw.draw() % 2 == 0 {
        return fuzzer_mutate(input, size, max_size);
    }
    let changed = FuzzTarget::named(name)
        .kind
        .changed(&input[..size], &mut draw);
    let size = changed.len().min(max_size);
    input[..size].copy_from_slice(&changed[..size]);
    size
}
