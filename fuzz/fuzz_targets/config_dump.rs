//! The target `config_dump` under libFuzzer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spillgate_testkit::fuzz::FuzzTarget;

fuzz_target!(|bytes: &[u8]| FuzzTarget::named("config_dump").run(bytes));
