//! The loads of a retry that avoids the priorities of earlier attempts.

use spillgate_core::load::{
    Availability, RetryLoad, TriedPriority, load_without, previous_priorities,
};

const AVAILABLE: Availability = Availability {
    healthy: 100,
    degraded: 0,
};

#[test]
fn a_retry_avoids_tried_priorities_while_another_one_is_available() {
    let expected = RetryLoad {
        healthy: vec![0, 100],
        degraded: vec![0, 0],
        excluded: vec![true, false],
        exclusions_reset: false,
    };
    assert_eq!(load_without(&[AVAILABLE; 2], &[true]), Some(expected));
}

#[test]
fn a_retry_forgets_tried_priorities_if_no_other_one_is_available() {
    let expected = RetryLoad {
        healthy: vec![100, 0],
        degraded: vec![0, 0],
        excluded: vec![false, false],
        exclusions_reset: true,
    };
    let availability = [AVAILABLE, Availability::default()];
    assert_eq!(load_without(&availability, &[true]), Some(expected));
    let none = [Availability::default(); 2];
    assert_eq!(load_without(&none, &[true]), None);
}

#[test]
fn every_second_attempt_excludes_the_priorities_that_were_tried_since() {
    let available = [AVAILABLE; 3];
    let healthy = |numbers: &[usize]| {
        let tried = numbers.iter().map(|&number| TriedPriority {
            number: Some(number),
            next: Some(&available),
        });
        previous_priorities(2, tried).map(|load| load.healthy)
    };
    assert_eq!(healthy(&[0]), None);
    assert_eq!(healthy(&[0, 0]), Some(vec![0, 100, 0]));
    assert_eq!(healthy(&[0, 0, 1]), Some(vec![0, 100, 0]));
    assert_eq!(healthy(&[0, 0, 1, 1]), Some(vec![0, 0, 100]));
}
