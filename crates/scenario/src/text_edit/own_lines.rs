//! What a user has made of the lines of a written text.

use super::{
    comment::{added_comment, is_only_comment, without_comment},
    common_lines::common_lines,
    replacement::{Replacement, replacements},
};

/// The changes of a user to a written text.
pub(super) struct OwnLines<'t> {
    /// What has the place of written lines, in order.
    pub(super) replacements: Vec<Replacement<'t>>,
    /// By written line that stays: the comment that the user has added to its end, with the space before it.
    comments: Vec<Option<&'t str>>,
}

impl<'t> OwnLines<'t> {
    /// A comment at the end of a line does not make it another one.
    pub(super) fn new(written: &[&'t str], user: &'t [&'t str]) -> Self {
        let [written_code, user_code] = [written, user].map(|lines| {
            let code = lines.iter().map(|line| without_comment(line));
            code.collect::<Vec<_>>()
        });
        let mut comments = vec![None; written.len()];
        let mut pairs = common_lines(&written_code, &user_code);
        pairs.retain(|&(at, own)| {
            let (Some(line), Some(own)) = (written.get(at), user.get(own)) else {
                return false;
            };
            let comment = added_comment(line, own);
            if let (Some(place), Some(comment)) = (comments.get_mut(at), comment) {
                *place = Some(comment).filter(|comment| !comment.is_empty());
            }
            comment.is_some()
        });
        let own = replacements(pairs, written.len(), user);
        let own = own.into_iter().flat_map(without_outer_comments);
        Self {
            replacements: own.flat_map(Replacement::by_line).collect(),
            comments,
        }
    }

    /// The comment at the end of a written line.
    pub(super) fn comment(&self, at: usize) -> Option<&'t str> {
        self.comments.get(at).copied().flatten()
    }
}

/// A replacement without the comments above and below its lines, which are insertions of their own.
fn without_outer_comments(mine: Replacement<'_>) -> Vec<Replacement<'_>> {
    let Replacement { base, lines } = mine;
    let comments = |line: &&&str| is_only_comment(line);
    let excess = lines.len().saturating_sub(base.len());
    if base.is_empty() || excess == 0 {
        return vec![Replacement { base, lines }];
    }
    let above = lines.iter().take(excess).take_while(comments).count();
    let (above, lines) = lines.split_at(above);
    let excess = lines.len().saturating_sub(base.len());
    let below = lines.iter().rev().take(excess).take_while(comments).count();
    let (lines, below) = lines.split_at(lines.len() - below);
    let insertion = |at: usize, lines| Replacement {
        base: at..at,
        lines,
    };
    let (start, end) = (base.start, base.end);
    let parts = [
        insertion(start, above),
        Replacement { base, lines },
        insertion(end, below),
    ];
    let parts = parts.into_iter();
    parts
        .filter(|part| !part.base.is_empty() || !part.lines.is_empty())
        .collect()
}
