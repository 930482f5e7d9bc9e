//! The commands with the same figures.

use spillgate_scenario::link::Disclosure;

use super::{SimulatedClusters, TimelineInput};
use spillgate_explain::shell_word;

/// The name under which the commands keep the clusters of the playground.
const FILE: &str = "envoy.yaml";

/// The line of a scenario file that names the clusters of the playground.
const PAGE: &str = "config: page";

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
        let file = shell_word(&format!("docs/scenarios/{source}.yaml"));
        return format!("spillgate simulate {file} --seed {seed}");
    }
    // One line: a terminal runs the lines of what is pasted at once.
    let mut text = String::new();
    let script = if script.contains(PAGE) {
        page.disclosed_script(input)
    } else {
        script.to_owned()
    };
    let named = script.replacen(PAGE, &format!("config: {FILE}"), 1);
    if named != script {
        text.push_str(&format!("spillgate link decode {} > {FILE} && ", page.link));
    }
    text.push_str("printf '%s\\n'");
    for line in named.lines() {
        text.push(' ');
        text.push_str(&shell_word(line));
    }
    text.push_str(&format!(" | spillgate simulate - --seed {seed}"));
    text
}

/// A sentence about the commands.
#[must_use]
pub fn about(script: &str, page: &SimulatedClusters, disclosure: Disclosure) -> String {
    let mut text = "The same run on the command line".to_owned();
    if script.contains(PAGE) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use spillgate_scenario::preset;

    #[test]
    fn a_command_with_any_script_is_one_line_without_control_characters() {
        let scenario = preset("documented").unwrap();
        let mut page = SimulatedClusters::new(&scenario, Disclosure::Addresses);
        page.link = "1g.x".into();
        let script = "config: page\nEND\r\u{1b}[2J\u{202e}\rrm -rf it's\n";
        let input = TimelineInput::default().with_script(&page.script, script);
        let line = command("", &input, script, 1, &page);
        assert!(
            !line.contains(spillgate_core::visible::is_hidden),
            "{line:?}"
        );
        assert_eq!(
            line,
            "spillgate link decode 1g.x > envoy.yaml && printf '%s\\n' 'config: envoy.yaml' \
             $'END\\015\\033[2J\\342\\200\\256\\015rm -rf it\\'s' | spillgate simulate - --seed 1"
        );
    }
}
