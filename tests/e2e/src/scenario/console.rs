//! The commands of a README and their output.

use std::ops::Range;

/// Replaces the variable part of a line in an output.
const ELISION: &str = "[..]";

/// A command and its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadmeStep {
    /// The text after `$ `, with the lines that continue it after a backslash.
    pub command: String,
    /// The lines after it.
    pub output: Vec<String>,
    /// Where these lines are in the README, from 0.
    pub lines: Range<usize>,
}

/// The steps in the `console` blocks of a README.
#[must_use]
pub fn steps(readme: &str) -> Vec<ReadmeStep> {
    let mut steps: Vec<ReadmeStep> = Vec::new();
    let (mut inside, mut continued) = (false, false);
    for (number, line) in readme.lines().enumerate() {
        if !inside {
            inside = line == "```console";
        } else if line == "```" {
            inside = false;
        } else if let Some(command) = line.strip_prefix("$ ") {
            steps.push(ReadmeStep {
                command: command.to_owned(),
                output: Vec::new(),
                lines: number + 1..number + 1,
            });
            continued = command.ends_with('\\');
        } else if let Some(step) = steps.last_mut() {
            step.lines.end = number + 1;
            if continued {
                step.command.push('\n');
                step.command.push_str(line);
                step.lines.start = number + 1;
                continued = line.ends_with('\\');
            } else {
                step.output.push(line.to_owned());
            }
        }
    }
    steps
}

/// What is wrong with an output, if anything.
#[must_use]
pub fn differs(expected: &[String], found: &[String]) -> Option<String> {
    for (number, line) in expected.iter().enumerate() {
        match found.get(number) {
            Some(have) if fits(line, have) => {}
            Some(have) => {
                return Some(format!(
                    "line {} is\n    {have}\nand not\n    {line}",
                    number + 1
                ));
            }
            None => return Some(format!("it ends before line {}:\n    {line}", number + 1)),
        }
    }
    let more = found.get(expected.len())?;
    Some(format!("after the last line comes\n    {more}"))
}

/// Whether a line is the expected one, except for the parts omitted there.
pub(super) fn fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split(ELISION);
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_their_outputs() {
        let readme = "# T\n```sh\n$ no\n```\n```console\n$ one\na\n\nb\n$ two \\\n    more\n$ three\n```\nc\n";
        let step = |command: &str, output: &[&str], lines| ReadmeStep {
            command: command.into(),
            output: output.iter().map(|line| (*line).to_owned()).collect(),
            lines,
        };
        assert_eq!(
            steps(readme),
            [
                step("one", &["a", "", "b"], 6..9),
                step("two \\\n    more", &[], 11..11),
                step("three", &[], 12..12),
            ]
        );
    }

    #[test]
    fn only_what_is_left_out_may_differ() {
        assert!(fits("date: [..]", "date: Fri, 20 Nov"));
        assert!(fits("a [..] b [..]c", "a x b yc"));
        assert!(!fits("a [..] b", "a x"));
        assert!(!fits("a", "ab"));
        assert!(!fits("[..]a", "ab"));
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(differs(&lines("a\n[..]"), &lines("a\nb")), None);
        assert!(differs(&lines("a\nb"), &lines("a")).is_some());
        assert!(differs(&lines("a"), &lines("a\nb")).is_some());
        assert!(differs(&lines("a"), &lines("c")).is_some());
    }
}
