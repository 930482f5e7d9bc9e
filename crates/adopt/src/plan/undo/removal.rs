//! Removals that leave no empty lists and maps.

use super::super::{files::Edit, place::Place};

/// Removes a value below maps, and the maps that would be empty.
pub(super) fn removed(place: &Place<'_>, names: &[&str]) -> Option<Edit> {
    let (first, rest) = names.split_first()?;
    let key = place.key(first)?;
    let inner = place.field(first)?;
    match rest {
        [] => Some(place.remove_entry(&key)),
        rest if becomes_empty(&inner, rest) => Some(place.remove_entry(&key)),
        rest => removed(&inner, rest),
    }
}

fn becomes_empty(place: &Place<'_>, names: &[&str]) -> bool {
    let Some((first, rest)) = names.split_first() else {
        return true;
    };
    let inner = place.field(first);
    place.children().len() == 1 && inner.is_some_and(|inner| becomes_empty(&inner, rest))
}

/// Removes these items of a list, the last one first, or the whole list.
pub(super) fn of_items(
    map: &Place<'_>,
    name: &str,
    is_removed: impl Fn(&Place<'_>) -> bool,
) -> Vec<Edit> {
    let items = map.items(name);
    let removed: Vec<&Place<'_>> = items.iter().filter(|one| is_removed(one)).collect();
    match map.key(name) {
        Some(key) if !removed.is_empty() && removed.len() == items.len() => {
            vec![map.remove_entry(&key)]
        }
        _ => removed
            .iter()
            .rev()
            .filter_map(|one| one.remove_item())
            .collect(),
    }
}
