//! Properties that compare two related states instead of a state with its expected result.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod loads;
mod order;
mod subset;

use spillgate_core::model::Metadata;
use spillgate_testkit::models::{Dice, Extent};

/// Up to ten hosts in each priority.
const EXTENT: Extent = Extent::few(5);

/// Cases of each property in short form.
const SHORT: u64 = 20_000;

/// Criteria for a few keys that hosts and selectors use too.
fn criteria(dice: &mut Dice) -> Metadata {
    dice.metadata(EXTENT)
}
