//! The difference of two texts as a unified diff.

use std::collections::BTreeMap;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// More differences than this are one replacement, because the search for the fewest takes their square.
const MOST_STEPS: isize = 1000;

/// A line of both texts, or of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line<'t> {
    Same(&'t str),
    Old(&'t str),
    New(&'t str),
}

/// The difference in the format of `diff -u`; empty if the texts are equal.
#[must_use]
pub fn unified_diff(name: &str, old: &str, new: &str) -> String {
    file_diff(name, Some(old), Some(new))
}

/// The difference of a file that can be missing on one side: `None` there.
#[must_use]
pub fn file_diff(name: &str, old: Option<&str>, new: Option<&str>) -> String {
    if old == new {
        return String::new();
    }
    let named = |side: Option<&str>, start: &str| match side {
        Some(_) => format!("{start}/{name}"),
        None => "/dev/null".to_owned(),
    };
    let mut text = format!("--- {}\n+++ {}\n", named(old, "a"), named(new, "b"));
    let old: Vec<&str> = old.unwrap_or_default().split_inclusive('\n').collect();
    let new: Vec<&str> = new.unwrap_or_default().split_inclusive('\n').collect();
    let lines = compared(&old, &new);
    // A side without lines begins before its first one.
    let first = |side: &[&str]| usize::from(!side.is_empty());
    let (mut at, mut before, mut after) = (0, first(&old), first(&new));
    while let Some(first) = changed_from(&lines, at) {
        let start = first.saturating_sub(CONTEXT).max(at);
        before += start - at;
        after += start - at;
        let mut last = first;
        while let Some(next) =
            changed_from(&lines, last + 1).filter(|next| next - last <= 2 * CONTEXT)
        {
            last = next;
        }
        let end = (last + 1 + CONTEXT).min(lines.len());
        let hunk = lines.get(start..end).unwrap_or_default();
        let olds = hunk
            .iter()
            .filter(|line| !matches!(line, Line::New(_)))
            .count();
        let news = hunk
            .iter()
            .filter(|line| !matches!(line, Line::Old(_)))
            .count();
        text.push_str(&format!("@@ -{before},{olds} +{after},{news} @@\n"));
        for line in hunk {
            let (mark, own) = match line {
                Line::Same(own) => (' ', own),
                Line::Old(own) => ('-', own),
                Line::New(own) => ('+', own),
            };
            text.push(mark);
            text.push_str(own);
            if !own.ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
        before += olds;
        after += news;
        at = end;
    }
    text
}

fn changed_from(lines: &[Line<'_>], from: usize) -> Option<usize> {
    let rest = lines.get(from..)?;
    Some(
        from + rest
            .iter()
            .position(|line| !matches!(line, Line::Same(_)))?,
    )
}

/// The fewest differences, by the algorithm of Myers.
fn compared<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let same = old
        .iter()
        .zip(new)
        .take_while(|(old, new)| old == new)
        .count();
    let (head, old) = old.split_at(same);
    let (_, new) = new.split_at(same);
    let same = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    let (old, tail) = old.split_at(old.len() - same);
    let (new, _) = new.split_at(new.len() - same);
    let mut lines: Vec<Line<'t>> = head.iter().map(|line| Line::Same(line)).collect();
    match paths(old, new) {
        Some(steps) => lines.extend(steps),
        None => {
            lines.extend(old.iter().map(|line| Line::Old(line)));
            lines.extend(new.iter().map(|line| Line::New(line)));
        }
    }
    lines.extend(tail.iter().map(|line| Line::Same(line)));
    lines
}

fn paths<'t>(old: &[&'t str], new: &[&'t str]) -> Option<Vec<Line<'t>>> {
    // For each number of differences: how many old lines each diagonal has reached.
    let mut rounds: Vec<BTreeMap<isize, usize>> = Vec::new();
    let mut reached: BTreeMap<isize, usize> = BTreeMap::from([(1, 0)]);
    let most = isize::try_from(old.len() + new.len()).ok()?.min(MOST_STEPS);
    for step in 0..=most {
        rounds.push(reached.clone());
        for diagonal in (-step..=step).step_by(2) {
            let mut x = start(&reached, diagonal, step);
            let mut y = x.checked_add_signed(-diagonal)?;
            while old.get(x).is_some() && old.get(x) == new.get(y) {
                (x, y) = (x + 1, y + 1);
            }
            reached.insert(diagonal, x);
            if x >= old.len() && y >= new.len() {
                return back(old, new, &rounds);
            }
        }
    }
    None
}

/// Where a diagonal begins: below or right of its neighbor that is further.
fn start(reached: &BTreeMap<isize, usize>, diagonal: isize, step: isize) -> usize {
    let at = |diagonal| reached.get(&diagonal).copied();
    if comes_from_new(reached, diagonal, step) {
        at(diagonal + 1).unwrap_or(0)
    } else {
        at(diagonal - 1).map_or(0, |x| x + 1)
    }
}

fn comes_from_new(reached: &BTreeMap<isize, usize>, diagonal: isize, step: isize) -> bool {
    diagonal == -step
        || (diagonal != step && reached.get(&(diagonal - 1)) < reached.get(&(diagonal + 1)))
}

fn back<'t>(
    old: &[&'t str],
    new: &[&'t str],
    rounds: &[BTreeMap<isize, usize>],
) -> Option<Vec<Line<'t>>> {
    let (mut x, mut y) = (old.len(), new.len());
    let mut lines = Vec::new();
    for (step, reached) in rounds.iter().enumerate().rev() {
        let step = isize::try_from(step).ok()?;
        let diagonal = isize::try_from(x).ok()? - isize::try_from(y).ok()?;
        let from_new = comes_from_new(reached, diagonal, step);
        let begin = start(reached, diagonal, step);
        while x > begin && x > 0 && y > 0 {
            (x, y) = (x - 1, y - 1);
            lines.push(Line::Same(old.get(x)?));
        }
        if step > 0 {
            if from_new {
                y -= 1;
                lines.push(Line::New(new.get(y)?));
            } else {
                x -= 1;
                lines.push(Line::Old(old.get(x)?));
            }
        }
    }
    lines.reverse();
    Some(lines)
}
