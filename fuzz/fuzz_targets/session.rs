//! The target `session` under libFuzzer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spillgate_testkit::fuzz::Target;

fuzz_target!(|bytes: &[u8]| Target::named("session").run(bytes));
