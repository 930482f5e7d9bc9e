//! A fixed number of cases of each target, and whether cases are worth running.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary as _, Unstructured};
use spillgate_config::envoy::{Format, read};
use spillgate_testkit::fuzz::{FuzzInput, FuzzTarget, TARGETS, bytes_of, run};

const CASES: u64 = 3_000;

#[test]
fn seeds_are_legal() {
    for name in ["yaml", "config_dump"] {
        for seed in FuzzTarget::named(name).seeds {
            let found = read(seed, Format::guess("", seed));
            assert!(found.is_ok(), "{name}: {found:?}");
        }
    }
    for target in &TARGETS {
        for seed in target.seeds {
            target.read(seed);
        }
    }
}

#[test]
fn yaml_holds() {
    run(FuzzTarget::named("yaml"), 1, 0..CASES, |_| {});
}

#[test]
fn proto_json_holds() {
    run(FuzzTarget::named("proto_json"), 1, 0..CASES, |_| {});
}

#[test]
fn clusters_hold() {
    run(FuzzTarget::named("clusters"), 1, 0..CASES, |_| {});
}

#[test]
fn config_dumps_hold() {
    run(FuzzTarget::named("config_dump"), 1, 0..CASES, |_| {});
}

#[test]
fn requests_hold() {
    run(FuzzTarget::named("requests"), 1, 0..CASES, |_| {});
}

#[test]
fn sessions_hold() {
    run(FuzzTarget::named("session"), 1, 0..CASES, |_| {});
}

/// Cases that all fail at the first character, or that all are the seed, would find nothing.
#[test]
fn cases_reach_deep_and_differ() {
    let target = FuzzTarget::named("proto_json");
    let mut texts = BTreeSet::new();
    let (mut well_formed, mut codes) = (0, BTreeSet::new());
    for number in 0..2_000 {
        let bytes = bytes_of(7, number);
        let Ok(case) = FuzzInput::arbitrary_take_rest(Unstructured::new(&bytes)) else {
            continue;
        };
        let text = case.text(target.seeds);
        match read(&text, Format::Json) {
            Ok(_) => well_formed += 1,
            Err(faults) => {
                let syntax = ["config/json-syntax", "config/truncated", "config/too-deep"];
                well_formed += usize::from(!syntax.contains(&faults[0].code));
                codes.extend(faults.iter().map(|fault| fault.code));
            }
        }
        texts.insert(text);
    }
    assert!(texts.len() > 1_000, "{} texts", texts.len());
    assert!(well_formed > 500, "{well_formed} were well formed");
    assert!(codes.len() > 12, "{codes:?}");
}
