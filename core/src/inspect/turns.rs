//! Turns: who is next.

use alloc::vec::Vec;

use crate::{
    decide::State,
    snapshot::{ClusterId, Snapshot, Source},
    subset::Choice,
};

/// The next `count` hosts of a list, by index in the level, without taking a turn. Hosts queue
/// up by their weights, as if all were idle. Empty where the policy takes no turns.
#[must_use]
pub fn next_picks(
    snapshot: &Snapshot,
    state: &State,
    cluster: ClusterId,
    choice: Choice,
    priority: usize,
    source: Source,
    count: usize,
) -> Vec<usize> {
    let Some(plain) = snapshot.plain(cluster) else {
        return Vec::new();
    };
    let list = plain.list(choice, priority, source);
    let turns = state.turns_seen(cluster, choice, priority, source);
    let (Some(hosts), Some(turns)) = (plain.levels.get(priority), turns) else {
        return Vec::new();
    };
    let weight = |place: usize| {
        list.get(place)
            .map_or(1.0, |host| hosts.weight(host).into())
    };
    let places = turns.preview(list.len(), count, weight);
    places
        .into_iter()
        .filter_map(|place| list.get(place))
        .collect()
}
