//! Frames around the priorities of a member cluster.

use super::{
    super::{ScenarioOutcome, whole},
    Basin, MemberShape,
    measures::Measures,
};

/// The frames of an aggregate's members; `brim` is the top of the basins, `below` the end of their
/// captions.
pub(super) fn groups(
    outcome: &ScenarioOutcome,
    basins: &[Basin],
    brim: f64,
    below: f64,
    measures: &Measures,
) -> Vec<MemberShape> {
    let margin = if measures.captions == 0 { 6.0 } else { 14.0 };
    outcome
        .clusters
        .iter()
        .filter_map(|cluster| {
            let first = *cluster.priorities.first()?;
            let last = *cluster.priorities.last()?;
            let mut own = basins
                .iter()
                .filter(|basin| basin.lines.start <= last && first < basin.lines.end);
            let left = own.clone().next()?;
            let right = own.next_back()?;
            let x = (left.x - margin).max(1.0);
            let end = (right.x + right.width + margin).min(measures.width - 1.0);
            Some(MemberShape {
                cluster: cluster.at,
                x,
                y: brim - 14.0,
                width: end - x,
                height: below - brim + 44.0,
                name: shortened(&cluster.name, end - x, measures),
                load: whole(cluster.load),
            })
        })
        .collect()
}

/// A name that fits next to its load.
fn shortened(name: &str, width: f64, measures: &Measures) -> String {
    let room = ((width - 24.0) / measures.letter) as usize;
    let room = room.saturating_sub(6).max(3);
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let head: String = name.chars().take(room.saturating_sub(1)).collect();
    format!("{head}…")
}
