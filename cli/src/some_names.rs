//! Lists of names in sentences.

/// The first `most` names, and the number of the others.
pub(crate) fn some_names(names: &[String], most: usize) -> String {
    let shown = names.get(..most).unwrap_or(names).join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
