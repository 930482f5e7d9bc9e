//! `spillgate diff --format markdown`: a comment on a change.

use spillgate_diff::{DiffRow, cluster_heading, cluster_rows, route_heading, route_rows};

use super::{
    answer::DiffAnswer,
    commands::explain,
    summary::{expectation, headline},
};
use crate::markdown_text::{escaped, in_html};

/// The most differences with details, so that a comment stays below the limits of code hosting.
const MOST: usize = 50;

/// A heading with rows: a table, or a list of rows without names.
pub(super) fn list(heading: &str, rows: &[DiffRow]) -> String {
    let shown = rows.get(..MOST).unwrap_or(rows);
    let body = if rows.iter().any(|row| !row.name.is_empty()) {
        table(shown)
    } else {
        let lines = shown.iter();
        lines
            .map(|row| format!("- {}\n", escaped(&row.text)))
            .collect()
    };
    let more = match rows.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("\n{more} more.\n"),
    };
    format!("**{}**\n\n{body}{more}", escaped(heading))
}

/// The whole answer, with a line of links.
pub(super) fn write(answer: &DiffAnswer<'_>, links: &str) -> String {
    let mut text = format!("### {}\n", escaped(&headline(answer)));
    if !answer.expectations.is_empty() {
        text.push_str("\n| expectation | result |\n|---|---|\n");
        for expected in &answer.expectations {
            let line = expectation(expected);
            let (result, rest) = line.split_once(' ').unwrap_or((&line, ""));
            text.push_str(&format!("| {} | {result} |\n", escaped(rest)));
        }
    }
    text.push_str(links);
    let clusters = &answer.report.clusters;
    for cluster in clusters.iter().take(MOST) {
        let body = table(&cluster_rows(cluster));
        text.push_str(&details(&cluster_heading(cluster), &body));
    }
    let routes = &answer.report.routes;
    for route in routes.iter().take(MOST) {
        let commands = explain(answer, route).into_iter().flatten();
        let commands: Vec<String> = commands.collect();
        let mut body = table(&route_rows(route));
        if !commands.is_empty() {
            if !body.is_empty() {
                body.push('\n');
            }
            body.push_str(&format!("```sh\n{}\n```\n", commands.join("\n")));
        }
        text.push_str(&details(&route_heading(route), &body));
    }
    let more = clusters.len().saturating_sub(MOST) + routes.len().saturating_sub(MOST);
    if more > 0 {
        text.push_str(&format!("\n{more} more differences.\n"));
    }
    for (heading, findings) in [
        ("New lint findings", &answer.findings.new),
        ("Lint findings that are gone", &answer.findings.gone),
    ] {
        let lines = findings
            .iter()
            .map(|of| format!("- `{}`: {}\n", of.rule, escaped(&of.cause)));
        let body: String = lines.collect();
        if !body.is_empty() {
            text.push_str(&format!("\n**{heading}**\n\n{body}"));
        }
    }
    for (heading, limits) in [
        (
            "New settings that are not modeled",
            answer.limits.new.as_slice(),
        ),
        (
            "Settings that are not modeled and gone",
            answer.limits.gone.as_slice(),
        ),
        (
            "Settings that choose no host and differ",
            answer.own_not_compared(),
        ),
    ] {
        let body: String = limits
            .iter()
            .map(|of| format!("- {}\n", escaped(of)))
            .collect();
        if !body.is_empty() {
            text.push_str(&format!("\n**{heading}**\n\n{body}"));
        }
    }
    text
}

/// Rows as a table; empty without any.
fn table(rows: &[DiffRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let lines = rows.iter().map(|row| {
        let (name, text) = (escaped(&row.name), escaped(&row.text));
        format!("| {name} | {text} |\n")
    });
    let head = String::from("| what | change |\n|---|---|\n");
    head + &lines.collect::<String>()
}

/// A heading with folded details.
fn details(heading: &str, body: &str) -> String {
    if body.is_empty() {
        return format!("\n{}\n", escaped(heading));
    }
    let heading = in_html(heading);
    format!("\n<details><summary>{heading}</summary>\n\n{body}\n</details>\n")
}
