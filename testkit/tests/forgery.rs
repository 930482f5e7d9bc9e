//! Tokens that nobody sealed are refused, and the search for one that is not tries what it should.

use spillgate_testkit::fuzz::{Forged, Forger};

#[test]
fn no_forged_token_is_accepted() {
    let tried = 100_000;
    let forged = Forger::new(1).attempt(1, 0..tried);
    assert_eq!(forged, Forged { tried, accepted: 0 });
}
