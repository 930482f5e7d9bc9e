//! Configurations with one added fault: the expected rule reports it, or the reader refuses it.

use std::collections::BTreeMap;

use spillgate_config::envoy::{Format, ReadOptions, read_for_lint};
use spillgate_lint::lint;
use spillgate_testkit::{figure, models::Dice};

use crate::{
    common::rules,
    faults::{FAULTS, READER},
    sensible::sensible,
};

/// Configurations with a fault.
const FAULTY: usize = 210;
/// The smallest share of detected faults, in percent.
const DETECTED: usize = 97;

#[test]
fn added_faults_are_detected() {
    let (mut detected, mut missed) = (0, Vec::new());
    let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    // Every kind of fault as often as every other.
    let kinds = FAULTS.iter().cycle().take(FAULTY).enumerate();
    for (number, fault) in kinds {
        let mut seed = 10_000 * (number as u64 + 1);
        let config = loop {
            let mut config = sensible(seed);
            if (fault.add)(&mut config, &mut Dice::new(seed)).is_some() {
                break config;
            }
            seed += 1;
            assert!(seed % 10_000 < 9_000, "no place for {}", fault.rule);
        };
        let text = serde_json::to_string_pretty(&config).unwrap();
        let found = match read_for_lint(&text, Format::Json, &ReadOptions::default()) {
            Ok(config) => rules(&lint(&config)).contains(&fault.rule),
            Err(_) => true,
        };
        if found {
            detected += 1;
            *by_rule.entry(fault.rule).or_default() += 1;
        } else {
            missed.push((fault.rule, seed))
        }
    }
    assert!(detected * 100 >= FAULTY * DETECTED, "{missed:?}");
    assert!(
        by_rule.contains_key(READER) && by_rule.len() >= 25,
        "{by_rule:?}"
    );
    figure(format_args!(
        "{detected} of {FAULTY} added faults detected, of {} kinds",
        by_rule.len()
    ));
}

/// Without a fault, the same configurations have no finding above `info`, so what is detected is
/// the fault.
#[test]
fn a_fault_is_the_only_finding_of_its_rule() {
    for (number, fault) in FAULTS.iter().enumerate() {
        let config = sensible(10_000 * (number as u64 + 1));
        let text = serde_json::to_string_pretty(&config).unwrap();
        let config = read_for_lint(&text, Format::Json, &ReadOptions::default()).unwrap();
        assert!(
            !rules(&lint(&config)).contains(&fault.rule),
            "{}",
            fault.rule
        );
    }
}
