//! Frames around the priorities of a member cluster.

use super::{
    super::{ClusterRow, ScenarioOutcome, ShortNames, cut, whole},
    MemberShape, PriorityShape,
    measures::Measures,
};

/// The width of `100 %`, and the least widths for a name next to it and for a name in a line of its own,
/// relative to the font size.
const LOAD_WIDTH: f64 = 3.8;
const NEXT_TO_LOAD: f64 = 6.0;
const ALONE: f64 = 4.5;

/// Between a frame and its texts.
const PADDING: f64 = 8.0;

/// The height of a frame without its texts, and of a line of text.
const HEIGHT: f64 = 24.0;
const LINE: f64 = 20.0;

/// The frames of an aggregate's members; `brim` is the top of the basins, `below` the end of their
/// captions.
pub(super) fn groups(
    outcome: &ScenarioOutcome,
    names: &ShortNames,
    basins: &[PriorityShape],
    brim: f64,
    below: f64,
    measures: &Measures,
) -> Vec<MemberShape> {
    let extents = outcome.clusters.iter().filter_map(|cluster| {
        let (x, width) = extent(cluster, basins, measures)?;
        Some((cluster, x, width))
    });
    let extents: Vec<(&ClusterRow, f64, f64)> = extents.collect();
    let letters = |width: f64| (width - 2.0 * PADDING) / measures.font;
    // If a name does not fit next to its load, all names are above the loads.
    let stacked = extents
        .iter()
        .any(|(.., width)| letters(*width) < LOAD_WIDTH + NEXT_TO_LOAD);
    let (lines, load) = if stacked { (2, 0.0) } else { (1, LOAD_WIDTH) };
    let group = |(cluster, x, width): (&ClusterRow, f64, f64)| {
        let room = letters(width) - load;
        MemberShape {
            cluster: cluster.at,
            x,
            y: brim - 14.0,
            width,
            height: below - brim + HEIGHT + LINE * f64::from(lines),
            lines,
            name: if room < ALONE {
                String::new()
            } else {
                cut(names.get(&cluster.name), room)
            },
            load: whole(cluster.load),
        }
    };
    extents.into_iter().map(group).collect()
}

/// The left edge and the width of a frame; `None` if no basin has priorities of this member only.
fn extent(
    cluster: &ClusterRow,
    basins: &[PriorityShape],
    measures: &Measures,
) -> Option<(f64, f64)> {
    let margin = if measures.captions == 0 { 6.0 } else { 14.0 };
    let first = *cluster.priorities.first()?;
    let last = *cluster.priorities.last()?;
    let own = |basin: &&PriorityShape| first <= basin.lines.start && basin.lines.end <= last + 1;
    let mut own = basins.iter().filter(own);
    let left = own.next()?;
    let right = own.next_back().unwrap_or(left);
    let x = (left.x - margin).max(1.0);
    let end = (right.x + right.width + margin).min(measures.width - 1.0);
    Some((x, end - x))
}
