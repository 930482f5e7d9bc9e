//! The loads of a retry that avoids the priorities of earlier attempts.

use spillgate_core::load::{Availability, RetryLoad, load_without};

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
