//! The commands with the same figures.

use spillgate_playground::state::link::Disclosure;

use super::{SimulatedClusters, TimelineInput};

/// The name under which the commands keep the clusters of the page.
const FILE: &str = "envoy.yaml";

/// The commands for a shell: `source` is the name of a documented scenario, or empty.
#[must_use]
pub fn command(
    source: &str,
    input: &TimelineInput,
    script: &str,
    seed: u64,
    page: &SimulatedClusters,
) -> String {
    if !source.is_empty() && input.is_unchanged() {
        return format!("spillgate simulate docs/scenarios/{source}.yaml --seed {seed}");
    }
    let mut text = String::new();
    let named = script.replacen("config: page", &format!("config: {FILE}"), 1);
    if named != script {
        text.push_str(&format!("spillgate link decode {} > {FILE}\n", page.link));
    }
    let mut end = "END".to_owned();
    while named.lines().any(|line| line == end) {
        end.push('_');
    }
    let gap = if named.ends_with('\n') { "" } else { "\n" };
    text.push_str(&format!(
        "spillgate simulate - --seed {seed} <<'{end}'\n{named}{gap}{end}"
    ));
    text
}

/// A sentence about the commands.
#[must_use]
pub fn about(script: &str, page: &SimulatedClusters, disclosure: Disclosure) -> String {
    let mut text = "The same run on the command line".to_owned();
    if script.contains("config: page") {
        text.push_str("; the link is the clusters of this page");
        text.push_str(match disclosure {
            Disclosure::Addresses => "",
            Disclosure::Names => " with generated addresses",
            Disclosure::Shape => " with generated addresses and names",
        });
        if !page.left_out.is_empty() {
            text.push_str(", without ");
            text.push_str(&page.left_out.join(", "));
        }
    }
    text.push(':');
    text
}
