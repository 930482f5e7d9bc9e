//! Forged tokens are refused, and the search for an accepted one tries every kind.

use spillgate_testkit::fuzz::{Forged, Forger};

#[test]
fn no_forged_token_is_accepted() {
    let tried = 100_000;
    let forged = Forger::new(1).attempt(1, 0..tried);
    assert_eq!(forged, Forged { tried, accepted: 0 });
}
