//! The lint findings of two imports that differ.

use spillgate_codec::import::ImportFault;
use spillgate_diff::{OneSided, one_sided};
use spillgate_scenario::EditedScenario;

use super::routes::envoy_import;

/// The findings of one side only, each as its rule and cause, as the imports had them; `None` if a side is no import of
/// Envoy's configuration, or does not have all of its findings.
#[must_use]
pub fn finding_changes(old: &EditedScenario, new: &EditedScenario) -> Option<OneSided<String>> {
    let of = |side: &EditedScenario| {
        let origin = envoy_import(side)?;
        let all = origin.faults.iter().filter_map(finding);
        (origin.more == 0).then(|| all.collect::<Vec<String>>())
    };
    let (before, after) = (of(old)?, of(new)?);
    let changes = one_sided(&before, &after, |one| one);
    Some(OneSided {
        new: changes.new.into_iter().cloned().collect(),
        gone: changes.gone.into_iter().cloned().collect(),
    })
}

/// The rule and the cause of a finding: its effect can have other figures, and its place can have moved. Only findings
/// have a fix.
fn finding(fault: &ImportFault) -> Option<String> {
    fault.fix.as_ref()?;
    let (cause, _) = fault.message.split_once("; ")?;
    Some(format!("{}: {cause}", fault.code))
}
