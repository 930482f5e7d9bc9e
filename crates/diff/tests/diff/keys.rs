//! Moved keys from hash tables, compared with keys one by one.

use spillgate_core::{
    inspect::hashes_moved,
    model::{Cluster, Metadata, Model},
    snapshot::Snapshot,
};
use spillgate_diff::keys_diff;
use spillgate_testkit::models::{Dice, Extent, plain};

use crate::change::{CHANGES, changed};

/// Random hashes per pair.
const HASHES: u64 = 20_000;

#[test]
fn percentages_of_tables_are_those_of_many_keys() {
    let mut exact = 0;
    for number in 0..2_000 {
        let mut dice = Dice::of(382, number);
        let mut shop = plain(&mut dice, 2, Extent::few(3));
        shop.subsets = None;
        shop.hash_policies.clear();
        shop.drop_overload = Default::default();
        if !shop.policy.hashes() {
            continue;
        }
        let old = Model::new(vec![Cluster::plain("shop", shop)]).unwrap();
        let kind = CHANGES[dice.below(CHANGES.len())];
        let Some(new) = changed(&old, kind, &mut dice) else {
            continue;
        };
        let (before, after) = (Snapshot::build(&old), Snapshot::build(&new));
        let id = |snapshot: &Snapshot| snapshot.cluster_id("shop").unwrap();
        let sides = ((&before, id(&before)), (&after, id(&after)));
        let Some(found) = keys_diff(sides.0, sides.1, &Metadata::EMPTY) else {
            continue;
        };
        if !found.exact {
            continue;
        }
        let hashes = std::iter::repeat_with(|| dice.bits()).take(HASHES as usize);
        let counted = hashes_moved(&before, &after, "shop", &Metadata::EMPTY, hashes);
        // Keys without a host before are not counted there.
        let percent = |count: u64| count as f64 * 100.0 / HASHES as f64;
        // Five standard deviations of a fraction of 20,000 keys are below 1.8 percentage points.
        let near = |exact: f64, counted: f64| (exact - counted).abs() < 1.8;
        let case = format!("pair {number}, {kind}: {found:?} {counted:?}");
        assert!(near(found.moved, percent(counted.moved)), "{case}");
        assert!(near(found.avoidable, percent(counted.avoidable)), "{case}");
        exact += usize::from(found.moved > 0.0 && found.moved < 100.0);
    }
    assert!(exact >= 40, "{exact}");
}
