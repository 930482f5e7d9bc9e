//! The configuration of a lesson, as Envoy reads it.

use spillgate_config::write::envoy_yaml;

use super::{Lesson, LessonSetup};

/// A line of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlLine {
    /// The text.
    pub text: String,
    /// Whether it has a setting of the lesson.
    pub marked: bool,
}

/// The configuration. If Envoy cannot express it, which no lesson has, the reasons as comments.
#[must_use]
pub fn lesson_yaml(setup: &LessonSetup) -> String {
    let written = envoy_yaml(setup.scenario().model(), &setup.listeners());
    match written {
        Ok(written) => written.text,
        Err(faults) => faults.iter().map(|fault| format!("# {fault}\n")).collect(),
    }
}

/// More equal hosts in a row are one of them and their number.
const MOST_EQUAL: usize = 3;

/// The lines to show: of many hosts in a row that differ only in their address, only the first.
#[must_use]
pub fn yaml_lines(lesson: &Lesson, yaml: &str) -> Vec<YamlLine> {
    let all: Vec<&str> = yaml.lines().collect();
    let mut shown = Vec::new();
    let mut rest = all.as_slice();
    while let Some((entry, after)) = next_entry(rest) {
        let mut equal = 1;
        let mut others = after;
        while is_host(entry)
            && let Some((other, after)) = next_entry(others)
            && same_host(entry, other)
        {
            equal += 1;
            others = after;
        }
        shown.extend(entry.iter().map(|line| YamlLine {
            text: (*line).to_owned(),
            marked: is_marked(lesson, line),
        }));
        rest = after;
        if equal > MOST_EQUAL {
            let indent = entry.first().map_or(0, |line| indent(line));
            shown.push(YamlLine {
                text: format!(
                    "{}# {} more hosts like this one",
                    " ".repeat(indent),
                    equal - 1
                ),
                marked: false,
            });
            rest = others;
        }
    }
    shown
}

fn is_marked(lesson: &Lesson, line: &str) -> bool {
    let setting = line.trim_start().trim_start_matches("- ");
    lesson.marked.iter().any(|start| setting.starts_with(start))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_host(entry: &[&str]) -> bool {
    entry.first().is_some_and(|line| {
        let line = line.trim_start();
        line.starts_with("- {endpoint") || line.starts_with("- endpoint")
    })
}

/// The lines of the next host, or the next line.
fn next_entry<'l, 't>(lines: &'l [&'t str]) -> Option<(&'l [&'t str], &'l [&'t str])> {
    let first = lines.first()?;
    let mut length = 1;
    if is_host(lines) {
        let further = lines.iter().skip(1);
        length += further
            .take_while(|line| indent(line) > indent(first))
            .count();
    }
    lines.split_at_checked(length)
}

/// Whether two hosts differ only in digits of their lines.
fn same_host(one: &[&str], other: &[&str]) -> bool {
    let text = |lines: &[&str]| -> String {
        let text = lines.concat();
        text.chars().filter(|c| !c.is_ascii_digit()).collect()
    };
    text(one) == text(other)
}
