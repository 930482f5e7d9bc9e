//! The split as a bar.

use spillgate_scenario::{PageLayout, ScenarioOutcome, color_class, split_segments, whole};

use crate::markup::{area, bar_label, fill, key, picture};

/// All the traffic as one bar. The names are below it if a priority with load has no label on the bar,
/// and under an aggregate, because labels on the bar have only the priority.
pub(crate) fn bars(
    outcome: &ScenarioOutcome,
    size: PageLayout,
    prefix: &str,
    text: &str,
) -> String {
    // Narrower segments, in percent, have no label.
    let room = match size {
        PageLayout::Wide => 9.0,
        PageLayout::Narrow => 17.0,
    };
    let mut shapes = String::new();
    let mut unnamed = !outcome.clusters.is_empty();
    for segment in split_segments(outcome, room) {
        let (from, width) = (segment.from, segment.width);
        if width <= 0.0 {
            continue;
        }
        let class = segment.place.map_or_else(String::new, color_class);
        shapes += &format!("<g class=\"{class}\">");
        shapes += &area("", &fill(prefix, segment.place), [from, 0.0, width, 100.0]);
        if from > 0.0 {
            shapes += &area("gap", "", [from, 0.0, 0.3, 100.0]);
        }
        match segment.label {
            Some(label) => shapes += &bar_label(from + width / 2.0, &label),
            None => unnamed |= segment.place.is_some(),
        }
        shapes += "</g>";
    }
    let mut figure = picture("bar", 30, text, &shapes);
    if unnamed {
        let rows = outcome.priorities().iter().filter(|row| row.row.load() > 0);
        let name = |load| format!(" {}", whole(load));
        let names = rows.map(|row| (row.place, row.name.clone() + &name(row.row.load())));
        figure += &key(prefix, names);
    }
    figure
}
