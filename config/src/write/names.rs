//! Names of enum values, from the tables that reading goes by.

/// The name of a value, empty for one that the table lacks.
pub(crate) fn name_of<T: PartialEq>(table: &[(&'static str, i64, T)], value: &T) -> &'static str {
    let found = table.iter().find(|(_, _, known)| known == value);
    found.map_or("", |(name, _, _)| name)
}
