//! A fixed number of inputs of each fuzz target, and whether the generated inputs test anything.

use std::collections::BTreeSet;

use spillgate_config::envoy::{Format, read};
use spillgate_config::mesh;
use spillgate_testkit::fuzz::{FuzzTarget, TARGETS, generated, run};

const INPUTS: u64 = 3_000;

#[test]
fn seeds_are_legal() {
    for name in ["yaml", "config_dump"] {
        for seed in (FuzzTarget::named(name).seeds)() {
            let seed = String::from_utf8(seed).unwrap();
            let found = read(&seed, Format::guess("", &seed));
            assert!(found.is_ok(), "{name}: {found:?}");
        }
    }
    for name in ["kuma", "istio"] {
        for seed in (FuzzTarget::named(name).seeds)() {
            let seed = String::from_utf8(seed).unwrap();
            let found = mesh::read(&seed, Format::Yaml, 0);
            assert!(found.is_ok(), "{name}: {found:?}");
        }
    }
    for target in &TARGETS {
        for seed in (target.seeds)() {
            target.run(&seed);
        }
    }
}

#[test]
fn inputs_that_once_failed_hold() {
    let directive = "%%\u{1f600}\u{1f600}\u{1f600}\u{1f600}\0\n".as_bytes();
    FuzzTarget::named("kuma").run(directive);
    FuzzTarget::named("yaml").run(directive);
    // Published times and intervals that no clock reaches.
    let published = [&[0; 19][..], &[46, 0, 0, 0, 0, 0], &[255; 64], &[0; 4]].concat();
    FuzzTarget::named("published_hosts").run(&published);
}

#[test]
fn yaml_holds() {
    run(FuzzTarget::named("yaml"), 1, 0..INPUTS, |_| {});
}

#[test]
fn proto_json_holds() {
    run(FuzzTarget::named("proto_json"), 1, 0..INPUTS, |_| {});
}

#[test]
fn config_dumps_hold() {
    run(FuzzTarget::named("config_dump"), 1, 0..INPUTS, |_| {});
}

#[test]
fn clusters_hold() {
    run(FuzzTarget::named("clusters"), 1, 0..INPUTS, |_| {});
}

#[test]
fn documents_of_kuma_hold() {
    run(FuzzTarget::named("kuma"), 1, 0..INPUTS, |_| {});
}

#[test]
fn documents_of_istio_hold() {
    run(FuzzTarget::named("istio"), 1, 0..INPUTS, |_| {});
}

#[test]
fn requests_hold() {
    run(FuzzTarget::named("requests"), 1, 0..INPUTS, |_| {});
}

#[test]
fn cookies_hold() {
    run(FuzzTarget::named("cookies"), 1, 0..INPUTS, |_| {});
}

#[test]
fn tokens_hold() {
    run(FuzzTarget::named("tokens"), 1, 0..INPUTS, |_| {});
}

#[test]
fn envelopes_hold() {
    run(FuzzTarget::named("envelopes"), 1, 0..INPUTS, |_| {});
}

#[test]
fn published_hosts_hold() {
    run(FuzzTarget::named("published_hosts"), 1, 0..INPUTS, |_| {});
}

#[test]
fn links_hold() {
    run(FuzzTarget::named("links"), 1, 0..INPUTS, |_| {});
}

/// Inputs that all fail at the first character, or all equal the seed, would find nothing.
#[test]
fn inputs_reach_deep_and_differ() {
    let target = FuzzTarget::named("proto_json");
    let seeds = (target.seeds)();
    let mut texts = BTreeSet::new();
    let (mut well_formed, mut codes) = (0, BTreeSet::new());
    for number in 0..2_000 {
        let input = generated(target.kind, &seeds, 7, number);
        let Ok(text) = String::from_utf8(input) else {
            continue;
        };
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
