//! The command with the same report.

use spillgate_explain::shell_word;
use spillgate_scenario::{
    EditedScenario,
    link::{Disclosure, MAXIMUM_LINK_BYTES, SharedPair, write},
};

use crate::state::{ComparedSide, unchanged_import};

/// A command line with the sentence about it; `None` if its links would be too long.
///
/// For two unchanged imports it names files, so that it has the whole report.
#[must_use]
pub fn command(
    old: &ComparedSide,
    new: &EditedScenario,
    disclosure: Disclosure,
) -> Option<(String, String)> {
    let imports = (unchanged_import(&old.scenario), unchanged_import(new));
    if let (Some(before), Some(after)) = imports
        && before.texts != after.texts
        && before.texts.clusters.trim().is_empty()
        && after.texts.clusters.trim().is_empty()
    {
        let about = "old.yaml and new.yaml are the imports. The command has the whole report:";
        return Some((about.into(), "spillgate diff old.yaml new.yaml".into()));
    }
    let shared = SharedPair::new(&old.scenario, new, disclosure);
    let links = [write(&shared.old), write(&shared.new.scenario)];
    if links.iter().any(|link| link.len() > MAXIMUM_LINK_BYTES) {
        return None;
    }
    let left_out = old.left_out(new);
    let without = if left_out.is_empty() {
        String::new()
    } else {
        format!(", without {}", left_out.join(", "))
    };
    let words = links.map(|link| shell_word(&format!("#{link}")));
    let line = format!("spillgate diff {}", words.join(" "));
    Some((format!("The links are both sides{without}:"), line))
}
