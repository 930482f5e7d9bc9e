//! A text with the lines that the user wrote, after a change of the scenario.

use std::borrow::Cow;

use super::{
    comment::{added_comment, is_only_comment},
    common_lines::common_lines,
    own_lines::OwnLines,
    replacement::{Replacement, replacements},
};

/// The text of the user after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedText {
    /// The text.
    pub text: String,
    /// Whether the user has changed lines that the change also has; these are the ones of the change.
    pub has_conflict: bool,
}

/// Makes the change from `old` to `new`, both as they are written from scenarios, in a text of the user for the
/// scenario of `old`. Other lines of the user and comments stay; those within removed lines are removed with them.
#[must_use]
pub fn merge_lines(old: &str, user: &str, new: &str) -> MergedText {
    let [old, user, new] = [old, user, new].map(|text| text.split('\n').collect::<Vec<_>>());
    let of_user = OwnLines::new(&old, &user);
    let changes = replacements(common_lines(&old, &new), old.len(), &new);
    let changes = changes.into_iter().flat_map(Replacement::by_line);
    let mut merged = Merge {
        old: &old,
        user: &of_user,
        lines: Vec::new(),
        at: 0,
    };
    let mut own = of_user.replacements.iter().peekable();
    let mut has_conflict = false;
    for change in changes {
        let mut is_own = false;
        while let Some(mine) = own.next_if(|mine| {
            mine.overlaps(&change) || is_same(mine, &change) || mine.order(&change).is_lt()
        }) {
            if is_same(mine, &change) {
                is_own = true;
                merged.replace(mine);
            } else if !mine.overlaps(&change) {
                merged.replace(mine);
            } else if !mine.base.is_empty() || !mine.lines.iter().all(|line| is_only_comment(line))
            {
                has_conflict = true;
            } else if !change.lines.is_empty() {
                merged.comments(&change, mine);
            }
        }
        if !is_own {
            merged.change(&change);
        }
    }
    own.for_each(|mine| merged.replace(mine));
    merged.keep(old.len());
    MergedText {
        text: merged.lines.join("\n"),
        has_conflict,
    }
}

/// Whether the user has made a change already, perhaps with comments at the ends of its lines.
fn is_same(mine: &Replacement<'_>, change: &Replacement<'_>) -> bool {
    let mut lines = change.lines.iter().zip(mine.lines);
    mine.base == change.base
        && mine.lines.len() == change.lines.len()
        && lines.all(|(line, own)| added_comment(line, own).is_some())
}

/// The merged text up to a line of the old one.
struct Merge<'m, 't> {
    old: &'m [&'t str],
    user: &'m OwnLines<'t>,
    lines: Vec<Cow<'t, str>>,
    /// The next line of the old text.
    at: usize,
}

impl<'t> Merge<'_, 't> {
    /// Adds the lines of the old text up to this one, with the comments of the user.
    fn keep(&mut self, to: usize) {
        for at in self.at..to {
            let line = self.old.get(at).copied().unwrap_or_default();
            self.lines.push(with_comment(line, self.user.comment(at)));
        }
        self.at = self.at.max(to);
    }

    /// Adds lines of the user.
    fn replace(&mut self, mine: &Replacement<'t>) {
        self.keep(mine.base.start);
        let lines = mine.lines.iter();
        self.lines.extend(lines.map(|line| Cow::Borrowed(*line)));
        self.at = mine.base.end;
    }

    /// Adds the comments that the user has inserted within the lines of a change, above it.
    fn comments(&mut self, change: &Replacement<'t>, mine: &Replacement<'t>) {
        let at = change.base.start;
        self.replace(&Replacement {
            base: at..at,
            lines: mine.lines,
        });
    }

    /// Adds the lines of a change. A comment at the end of a line stays with it; above the change, if it makes several
    /// lines of it.
    fn change(&mut self, change: &Replacement<'t>) {
        self.keep(change.base.start);
        let comments = change.base.clone().map(|at| self.user.comment(at));
        if change.base.len() == change.lines.len() {
            let lines = change.lines.iter().zip(comments);
            let lines = lines.map(|(line, comment)| with_comment(line, comment));
            self.lines.extend(lines);
        } else {
            let indent = " ".repeat(change.indent());
            let above = comments.flatten().filter(|_| !change.lines.is_empty());
            let above =
                above.map(|comment| Cow::Owned(format!("{indent}{}", comment.trim_start())));
            self.lines.extend(above);
            let lines = change.lines.iter();
            self.lines.extend(lines.map(|line| Cow::Borrowed(*line)));
        }
        self.at = change.base.end;
    }
}

fn with_comment<'t>(line: &'t str, comment: Option<&str>) -> Cow<'t, str> {
    comment.map_or(Cow::Borrowed(line), |comment| {
        Cow::Owned(format!("{line}{comment}"))
    })
}
