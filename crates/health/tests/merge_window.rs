//! When workers get a change.

use std::time::Duration;

use spillgate_health::merge_window::{MergedUpdates, PriorityChange, UpdateDelivery};

use crate::common::{ms, s};

const STATE: PriorityChange = PriorityChange::State;

#[test]
fn the_first_change_is_sent_at_once_and_the_next_ones_together() {
    let mut updates = MergedUpdates::new(MergedUpdates::DEFAULT_WINDOW);
    assert_eq!(updates.on_change(s(5), STATE), UpdateDelivery::Now);
    let due = s(6) + ms(300);
    assert_eq!(
        updates.on_change(s(5) + ms(300), STATE),
        UpdateDelivery::At(due)
    );
    assert_eq!(
        updates.on_change(s(5) + ms(900), STATE),
        UpdateDelivery::At(due)
    );
    assert!(!updates.on_due(s(6)));
    assert!(updates.on_due(due));
    assert_eq!(updates.due(), None);
    // The window starts again with what was sent.
    assert_eq!(
        updates.on_change(due + ms(1), STATE),
        UpdateDelivery::At(due + ms(1_001))
    );
}

#[test]
fn a_change_exactly_a_window_later_waits() {
    let mut updates = MergedUpdates::new(s(1));
    updates.on_change(s(5), STATE);
    assert_eq!(updates.on_change(s(6), STATE), UpdateDelivery::At(s(7)));
    let mut updates = MergedUpdates::new(s(1));
    updates.on_change(s(5), STATE);
    assert_eq!(updates.on_change(s(6) + ms(1), STATE), UpdateDelivery::Now);
}

#[test]
fn added_and_removed_hosts_take_pending_changes_along() {
    let mut updates = MergedUpdates::new(s(1));
    updates.on_change(s(5), STATE);
    updates.on_change(s(5) + ms(100), STATE);
    let change = updates.on_change(s(5) + ms(200), PriorityChange::Hosts);
    assert_eq!(change, UpdateDelivery::Now);
    assert_eq!(updates.due(), None);
}

#[test]
fn a_window_of_zero_sends_each_change() {
    let mut updates = MergedUpdates::new(Duration::ZERO);
    assert_eq!(updates.on_change(s(5), STATE), UpdateDelivery::Now);
    assert_eq!(updates.on_change(s(5), STATE), UpdateDelivery::Now);
}
