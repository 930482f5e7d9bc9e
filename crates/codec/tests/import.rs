//! A written answer is read unchanged.

use std::sync::Arc;

use proptest::prelude::*;
use spillgate_codec::import::{
    ClusterPlaces, FaultSeverity, HostPlace, ImportAnswer, ImportFault, ImportField,
    MAXIMUM_FAULTS, TextPosition,
};
use spillgate_core::model::{Cluster, ClusterKind, HealthFlags, OverrideStatuses};
use spillgate_testkit::models::{Dice, Extent, model};

/// The part of a model in an answer: all fields except those for requests.
fn sent(seed: u64, size: usize) -> Vec<Arc<Cluster>> {
    let mut clusters = model(&mut Dice::new(seed), Extent::all(size)).into_clusters();
    for cluster in &mut clusters {
        if let ClusterKind::Plain(plain) = &mut cluster.kind {
            plain.hash_policies.clear();
            plain.override_hosts.clear();
            plain.override_statuses = OverrideStatuses::DEFAULT;
            // Known only to a running Envoy, not in a configuration.
            let hosts = plain.priorities.iter_mut().flat_map(|l| &mut l.endpoints);
            for (number, host) in hosts.enumerate() {
                host.reported_weight = (number % 3 == 0).then_some(number as u32);
                host.health.flags = HealthFlags {
                    failed_active_hc: seed.is_multiple_of(2),
                    pending_active_hc: number % 2 == 0,
                    excluded_via_immediate_hc_fail: number % 5 == 0,
                    ..HealthFlags::default()
                };
            }
        }
    }
    clusters.into_iter().map(Arc::new).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn clusters_arrive_as_they_were(seed: u64, size in 1..5_usize) {
        let answer = ImportAnswer { clusters: Some(sent(seed, size)), ..ImportAnswer::default() };
        let arrived = ImportAnswer::from_bytes(&answer.to_bytes());
        prop_assert_eq!(arrived, Some(answer));
    }

    #[test]
    fn a_cut_answer_is_refused(seed: u64, cut: prop::sample::Index) {
        let answer = ImportAnswer { clusters: Some(sent(seed, 2)), ..ImportAnswer::default() };
        let bytes = answer.to_bytes();
        prop_assert_eq!(ImportAnswer::from_bytes(&bytes[..cut.index(bytes.len())]), None);
    }

    #[test]
    fn other_bytes_do_no_harm(seed: u64, changes: Vec<(prop::sample::Index, u8)>) {
        let answer = ImportAnswer { clusters: Some(sent(seed, 1)), ..ImportAnswer::default() };
        let mut bytes = answer.to_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = ImportAnswer::from_bytes(&bytes);
    }
}

#[test]
fn places_and_findings_are_read_unchanged() {
    let at = |line, column| TextPosition { line, column };
    let answer = ImportAnswer {
        clusters: None,
        limits: vec![],
        unknown_hosts: vec![2],
        verdicts: vec![None, Some(8)],
        places: vec![ClusterPlaces {
            panic_threshold: Some(at(1, 2)),
            overprovisioning_factor: None,
            members: Some(at(u32::MAX, 1)),
            cluster: Some(at(9, 1)),
            subset_selectors: vec![at(10, 1), at(11, 1)],
            localities: vec![vec![], vec![at(12, 3)]],
            priorities: vec![
                vec![],
                vec![HostPlace {
                    endpoint: at(3, 4),
                    health_status: Some(at(5, 6)),
                }],
            ],
            ..ClusterPlaces::default()
        }],
        root: Some(3),
        view: vec![("screen".into(), "trace".into())],
        faults: vec![ImportFault {
            severity: FaultSeverity::Info,
            field: ImportField::Clusters,
            code: "a".into(),
            path: "b".into(),
            position: Some(at(7, 8)),
            message: "\u{1f600}".into(),
            found: Some(String::new()),
            expected: None,
            suggestion: Some("d".into()),
            fix: Some("e".into()),
        }],
        more: 7,
    };
    assert_eq!(ImportAnswer::from_bytes(&answer.to_bytes()), Some(answer));
    assert_eq!(ImportAnswer::from_bytes(&[]), None);
}

#[test]
fn of_too_many_findings_the_most_severe_ones_are_kept_in_text_order() {
    let fault = |line: usize, severity| ImportFault {
        severity,
        field: ImportField::Config,
        code: String::new(),
        path: String::new(),
        position: Some(TextPosition {
            line: u32::try_from(line).unwrap(),
            column: 1,
        }),
        message: String::new(),
        found: None,
        expected: None,
        suggestion: None,
        fix: None,
    };
    let severity = |line: usize| match line % 100 {
        0 => FaultSeverity::Error,
        1..20 => FaultSeverity::Warning,
        _ => FaultSeverity::Info,
    };
    let faults = |count| (0..count).map(|line| fault(line, severity(line))).collect();
    let all = ImportAnswer::default().with_faults(faults(MAXIMUM_FAULTS));
    assert_eq!((all.faults.len(), all.more), (MAXIMUM_FAULTS, 0));

    let many: Vec<ImportFault> = faults(10 * MAXIMUM_FAULTS);
    let errors = many
        .iter()
        .filter(|f| f.severity == FaultSeverity::Error)
        .count();
    let answer = ImportAnswer::default().with_faults(many);
    assert_eq!(answer.more, 9 * MAXIMUM_FAULTS);
    assert_eq!(answer.faults.len(), MAXIMUM_FAULTS);
    assert!(answer.faults.is_sorted_by_key(|fault| fault.position));
    let count = |severity| {
        answer
            .faults
            .iter()
            .filter(|f| f.severity == severity)
            .count()
    };
    assert_eq!(count(FaultSeverity::Error), errors, "all errors");
    assert_eq!(count(FaultSeverity::Info), 0);
}
