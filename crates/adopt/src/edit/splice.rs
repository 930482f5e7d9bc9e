//! The change of a text for one change of a value.

use serde_json::Value;

use super::{
    change::{EditChange, EditStep},
    print,
    span::{SpanKind, SpanNode, content},
};

/// The byte order mark, with which a text can start.
pub(super) const MARK: char = '\u{feff}';

/// A place to change: this range becomes this text.
pub(super) type Splice = (core::ops::Range<usize>, String);

/// The value at a path. `Err`: the number of steps to an alias on the way.
pub(super) fn find<'n>(
    root: &'n SpanNode,
    path: &[EditStep],
) -> Result<&'n SpanNode, Option<usize>> {
    let mut at = root;
    for (depth, step) in path.iter().enumerate() {
        at = match (&at.kind, step) {
            (SpanKind::Map { entries, .. }, EditStep::Key(key)) => {
                let entry = entries.iter().rfind(|entry| entry.key == *key);
                &entry.ok_or(None)?.value
            }
            (SpanKind::List { items, .. }, EditStep::Item(index)) => {
                items.get(*index).ok_or(None)?
            }
            (SpanKind::Alias, _) => return Err(Some(depth)),
            _ => return Err(None),
        };
    }
    match at.kind {
        SpanKind::Alias => Err(Some(path.len())),
        _ => Ok(at),
    }
}

/// The splice for a change of the list or map; `None` if it has no such place.
pub(super) fn splice(
    text: &str,
    node: &SpanNode,
    change: &EditChange,
    json: bool,
) -> Option<Splice> {
    match (&node.kind, change) {
        (
            SpanKind::Map {
                flow: true,
                entries,
            },
            EditChange::AddEntry(_, key, value),
        ) => {
            let layout = Layout::of(text, node.start, entries.last().map(|last| last.key_start));
            let written = layout.entry(key, value, json);
            Some(match entries.last() {
                Some(last) => insert(last.value.end, format!("{}{written}", layout.comma())),
                None => insert(content(text, node.start) + 1, written),
            })
        }
        (
            SpanKind::Map {
                flow: false,
                entries,
            },
            EditChange::AddEntry(_, key, value),
        ) => {
            let indent = column(text, entries.first()?.key_start);
            let written = print::entry(key, value, indent);
            Some(line_after(
                text,
                node.end,
                &format!("{}{written}", print::spaces(indent)),
            ))
        }
        (SpanKind::Map { flow, entries }, EditChange::ReplaceEntry(_, old, new, value)) => {
            let entry = entries.iter().rfind(|entry| entry.key == *old)?;
            let written = if *flow {
                Layout::of(text, node.start, Some(entry.key_start)).entry(new, value, json)
            } else {
                print::entry(new, value, column(text, entry.key_start))
            };
            Some((entry.key_start..entry.value.end, written))
        }
        (SpanKind::Map { flow, entries }, EditChange::RemoveEntry(_, key)) => {
            let index = entries.iter().rposition(|entry| entry.key == *key)?;
            let entry = entries.get(index)?;
            let (previous, next) = (
                index.checked_sub(1).and_then(|at| entries.get(at)),
                entries.get(index + 1),
            );
            Some(match (flow, previous, next) {
                (true, _, Some(next)) => (entry.key_start..next.key_start, String::new()),
                (true, Some(previous), None) => {
                    (previous.value.end..entry.value.end, String::new())
                }
                (true, None, None) => (entry.key_start..entry.value.end, String::new()),
                // The first key can follow a dash.
                (false, None, Some(next)) => (entry.key_start..next.key_start, String::new()),
                (false, Some(_), _) => lines_of(text, entry.key_start, entry.value.end),
                (false, None, None) => return None,
            })
        }
        (SpanKind::List { flow: true, items }, EditChange::AddItem(_, index, value)) => {
            let layout = Layout::of(text, node.start, items.last().map(|last| last.start));
            let written = layout.value(value, json);
            Some(match (items.get(*index), items.last()) {
                (Some(next), _) => insert(next.start, format!("{written}{}", layout.comma())),
                (None, Some(last)) => insert(last.end, format!("{}{written}", layout.comma())),
                (None, None) => insert(content(text, node.start) + 1, written),
            })
        }
        (SpanKind::List { flow: false, items }, EditChange::AddItem(_, index, value)) => {
            let dash = dash(text, items.last()?.start)?;
            let indent = column(text, dash);
            let written = format!(
                "{}- {}",
                print::spaces(indent),
                print::item(value, indent + 2)
            );
            Some(match items.get(*index) {
                Some(next) => {
                    let line = above_comments(text, line_start(text, next.start));
                    insert(line, format!("{written}\n"))
                }
                None => line_after(text, node.end, &written),
            })
        }
        (SpanKind::List { flow: true, items }, EditChange::RemoveItem(_, index)) => {
            let item = items.get(*index)?;
            let previous = index.checked_sub(1).and_then(|at| items.get(at));
            Some(match (previous, items.get(index + 1)) {
                (_, Some(next)) => (item.start..next.start, String::new()),
                (Some(previous), None) => (previous.end..item.end, String::new()),
                (None, None) => (item.start..item.end, String::new()),
            })
        }
        (SpanKind::List { flow: false, items }, EditChange::RemoveItem(_, index)) => {
            let item = items.get(*index)?;
            Some(lines_of(text, item.start, item.end))
        }
        _ => None,
    }
}

/// The splice that replaces the item at this index by a value on one line.
pub(super) fn item_replaced(
    list: &SpanNode,
    index: usize,
    value: &Value,
    json: bool,
) -> Option<Splice> {
    let SpanKind::List { items, .. } = &list.kind else {
        return None;
    };
    let item = items.get(index)?;
    Some((item.start..item.end, print::flow(value, json)))
}

/// How a list or map in brackets is written.
#[derive(Clone, Copy)]
enum Layout {
    /// On the line of its bracket.
    Line,
    /// Each part on a line of its own, after this many spaces.
    Lines(usize),
}

impl Layout {
    /// The layout of a value that starts here and has this part.
    fn of(text: &str, start: usize, part: Option<usize>) -> Self {
        let before = part.and_then(|part| text.get(content(text, start)..part));
        match (before, part) {
            (Some(before), Some(part)) if before.contains('\n') => Self::Lines(column(text, part)),
            _ => Self::Line,
        }
    }

    fn comma(self) -> String {
        match self {
            Self::Line => ", ".to_owned(),
            Self::Lines(indent) => format!(",\n{}", print::spaces(indent)),
        }
    }

    fn value(self, value: &Value, json: bool) -> String {
        match self {
            Self::Lines(indent) if json => print::pretty(value, indent),
            _ => print::flow(value, json),
        }
    }

    fn entry(self, key: &str, value: &Value, json: bool) -> String {
        let key = print::flow(&Value::from(key), json);
        format!("{key}: {}", self.value(value, json))
    }
}

const fn insert(at: usize, text: String) -> Splice {
    (at..at, text)
}

/// A line after that of the byte.
fn line_after(text: &str, at: usize, line: &str) -> Splice {
    match text.get(at..).and_then(|rest| rest.find('\n')) {
        Some(offset) => insert(at + offset + 1, format!("{line}\n")),
        None => insert(text.len(), format!("\n{line}\n")),
    }
}

/// All lines of a range, without their text.
fn lines_of(text: &str, start: usize, end: usize) -> Splice {
    let rest = text.get(end..).and_then(|rest| rest.find('\n'));
    (
        line_start(text, start)..rest.map_or(text.len(), |offset| end + offset + 1),
        String::new(),
    )
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |found| found + 1)
}

/// The start of the comments directly above a line.
fn above_comments(text: &str, mut line: usize) -> usize {
    while line > 0 {
        let above = line_start(text, line - 1);
        let is_comment = text
            .get(above..line)
            .is_some_and(|own| own.trim_start().starts_with('#'));
        if !is_comment {
            break;
        }
        line = above;
    }
    line
}

/// Characters before the byte in its line; a byte order mark does not count.
pub(super) fn column(text: &str, at: usize) -> usize {
    text.get(line_start(text, at)..at)
        .map_or(0, |before| before.trim_start_matches(MARK).chars().count())
}

/// The dash before an item.
fn dash(text: &str, item: usize) -> Option<usize> {
    let line = line_start(text, item);
    let before = text.get(line..item)?;
    before.rfind("- ").map(|found| line + found)
}
