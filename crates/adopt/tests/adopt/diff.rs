//! A diff has both texts.

use proptest::prelude::*;
use spillgate_adopt::unified_diff;

/// The text that a diff makes of another one, from the lines with these marks.
fn patched(text: &str, diff: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut result, mut at) = (String::new(), 0);
    for line in diff.split_inclusive('\n').skip(2) {
        let (mark, own) = line.split_at(1);
        match mark {
            "@" => {
                let first: usize = own.split(['-', ',']).nth(1).unwrap().parse().unwrap();
                result.push_str(&lines[at..first - 1].concat());
                at = first - 1;
            }
            " " => {
                assert_eq!(lines[at], own);
                result.push_str(own);
                at += 1;
            }
            "-" => {
                assert_eq!(lines[at], own);
                at += 1;
            }
            _ => result.push_str(own),
        }
    }
    result.push_str(&lines[at..].concat());
    result
}

proptest! {
    #[test]
    fn a_diff_makes_the_new_text_of_the_old_one(
        old in prop::collection::vec("[abc]\n", 1..30),
        new in prop::collection::vec("[abc]\n", 1..30),
    ) {
        let (old, new) = (old.concat(), new.concat());
        let diff = unified_diff("f", &old, &new);
        if old == new {
            prop_assert_eq!(diff, "");
        } else {
            prop_assert_eq!(patched(&old, &diff), new);
        }
    }
}
