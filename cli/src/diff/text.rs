//! `spillgate diff --format text`: worst first, at most one screen unless `--all`.

use spillgate_diff::{DiffRow, cluster_heading, cluster_rows, route_heading, route_rows};
use spillgate_explain::format::{plain, plural};

use super::{
    answer::DiffAnswer,
    args::DiffArgs,
    commands::explain,
    summary::{NOT_COMPARED, expectation, headline},
};
use crate::{color::bold, split::Style};

/// The lines of a screen that differences can take.
const SCREEN: usize = 22;

/// A part of the answer: a heading with its rows.
struct Group {
    heading: String,
    rows: Vec<DiffRow>,
}

/// A heading with rows, at most one screen of them unless all are asked for.
pub(super) fn list(heading: &str, rows: &[DiffRow], all: bool, style: Style) -> String {
    let most = if all {
        usize::MAX
    } else {
        shown_rows(rows.len(), SCREEN)
    };
    let mut text = format!("{}\n", title(heading, style));
    let width = rows.iter().map(|row| row.name.chars().count()).max();
    let width = width.unwrap_or(0);
    for row in rows.iter().take(most) {
        text.push_str(&line(row, width));
    }
    if let more @ 1.. = rows.len().saturating_sub(most) {
        let lines = plain(&plural(more, "more line"));
        text.push_str(&format!("  and {lines}; --all prints them\n"));
    }
    text
}

/// A row, with names of a width.
fn line(row: &DiffRow, width: usize) -> String {
    format!("  {:width$}  {}\n", row.name, row.text)
}

/// The whole answer.
pub(super) fn write(answer: &DiffAnswer<'_>, args: &DiffArgs, style: Style) -> String {
    let groups = groups(answer);
    let mut text = format!("{}\n", title(&headline(answer), style));
    let expectations: Vec<String> = answer.expectations.iter().map(expectation).collect();
    let room = SCREEN.saturating_sub(expectations.len() + 2);
    let mut lines = 0;
    let mut left_out = 0;
    for (at, group) in groups.iter().enumerate() {
        let needed = group.rows.len() + 2;
        // The first difference is always there, if need be in part.
        if !args.all && lines + needed > room && at > 0 {
            left_out = groups.len() - at;
            break;
        }
        text.push('\n');
        text.push_str(&title(&group.heading, style));
        text.push('\n');
        let most = if args.all {
            usize::MAX
        } else {
            shown_rows(group.rows.len(), room)
        };
        let width = group.rows.iter().map(|row| row.name.chars().count()).max();
        for row in group.rows.iter().take(most) {
            let width = width.unwrap_or(0);
            text.push_str(&line(row, width));
        }
        if let more @ 1.. = group.rows.len().saturating_sub(most) {
            let lines = plain(&plural(more, "more line"));
            text.push_str(&format!("  and {lines}; --all prints them\n"));
            left_out = groups.len() - at - 1;
            break;
        }
        lines += needed;
    }
    if left_out > 0 {
        let differences = plain(&plural(left_out, "more difference"));
        text.push_str(&format!("\nand {differences}; --all prints them\n"));
    }
    if !expectations.is_empty() {
        text.push('\n');
        for line in expectations {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// How many of the rows of the first difference are printed: below its heading, and before the line that counts the
/// others.
fn shown_rows(rows: usize, room: usize) -> usize {
    if rows < room {
        rows
    } else {
        room.saturating_sub(2)
    }
}

fn groups(answer: &DiffAnswer<'_>) -> Vec<Group> {
    let clusters = answer.report.clusters.iter().map(|cluster| Group {
        heading: cluster_heading(cluster),
        rows: cluster_rows(cluster),
    });
    let routes = answer.report.routes.iter().map(|route| {
        let commands = explain(answer, route).into_iter().flatten();
        let mut rows = route_rows(route);
        rows.extend(commands.enumerate().map(|(at, command)| DiffRow {
            name: String::from(if at == 0 { "example" } else { "" }),
            text: command,
        }));
        Group {
            heading: route_heading(route),
            rows,
        }
    });
    let mut groups: Vec<Group> = clusters.chain(routes).collect();
    for (heading, findings) in [
        ("new lint findings", &answer.findings.new),
        ("lint findings that are gone", &answer.findings.gone),
    ] {
        if findings.is_empty() {
            continue;
        }
        let rows = findings.iter().map(|finding| DiffRow {
            name: finding.rule.to_owned(),
            text: finding.cause.clone(),
        });
        groups.push(Group {
            heading: heading.to_owned(),
            rows: rows.collect(),
        });
    }
    for (heading, limits) in [
        (
            "new settings that are not modeled",
            answer.limits.new.as_slice(),
        ),
        (
            "settings that are not modeled and gone",
            answer.limits.gone.as_slice(),
        ),
        (NOT_COMPARED, answer.own_not_compared()),
    ] {
        if limits.is_empty() {
            continue;
        }
        let rows = limits.iter().map(|limit| DiffRow {
            name: String::new(),
            text: limit.clone(),
        });
        groups.push(Group {
            heading: heading.to_owned(),
            rows: rows.collect(),
        });
    }
    groups
}

fn title(text: &str, style: Style) -> String {
    match style {
        Style::Colored => bold(text),
        Style::Plain | Style::Markdown => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown_rows;

    #[test]
    fn a_screen_has_room_for_the_heading_and_the_number_of_other_rows() {
        assert_eq!(shown_rows(19, 20), 19);
        assert_eq!(shown_rows(20, 20), 18);
        assert_eq!(shown_rows(3, 1), 0);
    }
}
