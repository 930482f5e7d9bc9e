//! The positions of basins and streams.

use super::{
    super::{PanicMode, PriorityReport, ScenarioOutcome, ShortNames, whole},
    PageLayout, SpilloverLabel, Spillway, StreamShape,
    basin::{BasinPlace, CAPTION_GAP, basin},
    fitting::fitting,
    groups::groups,
    measures::{GROUP_GAP, NARROW, WIDE},
    paths::stream,
};

/// The figure of a result, with the short forms of the names of its members.
#[must_use]
pub fn spillway(outcome: &ScenarioOutcome, names: &ShortNames, size: PageLayout) -> Spillway {
    let measures = match size {
        PageLayout::Wide => WIDE,
        PageLayout::Narrow => NARROW,
    };
    let slots = slots(outcome, measures.most);
    let gaps = slots
        .windows(2)
        .filter(|pair| parted(outcome, pair))
        .count();
    let room = measures.width - measures.left - measures.right - GROUP_GAP * gaps as f64;
    let each = room / slots.len().max(1) as f64;
    let basin_width = (each * 0.8).min(measures.widest);
    // Even a stream with all the traffic is narrower than its basin.
    let unit = (basin_width * 0.78).min(122.0) / 100.0;
    let bottom = measures.top + 100.0 * unit;
    let brim = bottom + measures.bend + measures.fall;

    let mut figure = Spillway {
        width: measures.width,
        height: 0.0,
        entry: (measures.top, bottom),
        streams: Vec::new(),
        basins: Vec::new(),
        groups: Vec::new(),
        spillovers: Vec::new(),
    };
    let mut x = measures.left;
    let mut taken = 0;
    let mut previous: Option<&std::ops::Range<usize>> = None;
    for lines in &slots {
        if let Some(previous) = previous
            && parted(outcome, &[previous.clone(), lines.clone()])
        {
            x += GROUP_GAP;
        }
        previous = Some(lines);
        let rows = outcome.priorities().get(lines.clone()).unwrap_or_default();
        let center = x + each / 2.0;
        let mut basin = basin(
            rows,
            lines,
            BasinPlace {
                x: center - basin_width / 2.0,
                width: basin_width,
                y: brim,
                slot: each,
            },
            &measures,
        );
        if let [row] = rows
            && outcome.is_aggregate()
            && basin.panic
            && let Some(caption) = basin.captions.first_mut()
        {
            let owner = panic_owner(row);
            let forms = [
                format!("panic mode of the {owner}"),
                format!("panic: {owner}"),
                "panic mode".into(),
            ];
            *caption = fitting(&forms, each - CAPTION_GAP, measures.caption_font);
        }
        let surface = brim + measures.depth * (1.0 - basin.filled);
        let load: u32 = rows.iter().map(|row| row.row.load()).sum();
        let degraded: u32 = rows.iter().map(|row| row.row.degraded_load).sum();
        let healthy = load.saturating_sub(degraded);
        let left = center - f64::from(load) * unit / 2.0;
        for (share, before, is_degraded) in [(healthy, 0, false), (degraded, healthy, true)] {
            let lower = bottom - f64::from(taken + before) * unit;
            figure.streams.push(StreamShape {
                color: basin.color,
                degraded: is_degraded,
                path: stream(
                    (lower - f64::from(share) * unit, lower),
                    left + f64::from(before) * unit,
                    measures.bend + f64::from(before) * unit,
                    surface,
                ),
            });
        }
        taken += load;
        let rest = 100_u32.saturating_sub(taken);
        // In total panic loads follow host counts, and nothing spills over.
        let total = rows.iter().any(|row| row.panic == PanicMode::Total);
        if load > 0 && rest > 0 && !total && lines.end < outcome.priorities().len() {
            let text = format!("{} spillover", whole(rest));
            figure.spillovers.push(SpilloverLabel {
                x: center + each / 2.0,
                y: bottom - f64::from(taken + rest) * unit - 10.0,
                text: fitting(&[text, whole(rest)], each - CAPTION_GAP, measures.font),
            });
        }
        figure.basins.push(basin);
        x += each;
    }
    let below = brim + measures.depth + measures.caption * (1.4 + measures.captions as f64);
    figure.height = below + 8.0;
    figure.groups = groups(outcome, names, &figure.basins, brim, below, &measures);
    if let Some(group) = figure.groups.first() {
        figure.height = group.y + group.height + 4.0;
    }
    figure
}

/// Whose threshold causes the panic mode.
fn panic_owner(row: &PriorityReport) -> &'static str {
    match (row.panic == PanicMode::Total, row.row.own_panic) {
        (true, true) => "aggregate and cluster",
        (true, false) => "aggregate",
        (false, _) => "cluster",
    }
}

/// The priorities of each basin: one each; if there are too many, the last basin has the rest.
fn slots(outcome: &ScenarioOutcome, most: usize) -> Vec<std::ops::Range<usize>> {
    let priorities = outcome.priorities().len();
    if priorities <= most {
        return (0..priorities).map(|at| at..at + 1).collect();
    }
    let mut slots: Vec<_> = (0..most - 1).map(|at| at..at + 1).collect();
    slots.push(most - 1..priorities);
    slots
}

fn parted(outcome: &ScenarioOutcome, pair: &[std::ops::Range<usize>]) -> bool {
    let cluster = |range: &std::ops::Range<usize>| {
        let row = outcome.priorities().get(range.start);
        row.map(|row| row.row.at.cluster)
    };
    match pair {
        [a, b] => cluster(a) != cluster(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
