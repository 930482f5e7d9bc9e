//! Names of enum values, from the tables of the readers.

/// The name of a value, empty for a value that is not in the table.
pub(crate) fn name_of<T: PartialEq>(table: &[(&'static str, i64, T)], value: &T) -> &'static str {
    let found = table.iter().find(|(_, _, known)| known == value);
    found.map_or("", |(name, _, _)| name)
}
