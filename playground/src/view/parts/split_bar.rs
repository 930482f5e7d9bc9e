//! The split as a bar.

use spillgate_scenario::{
    PageFigure, PriorityReport, SplitSegment, fit_class, priority_at, split_segments,
};
use yew::prelude::*;

use super::{DrawnOutcome, bar, bar_label, color, paint};

/// All the traffic as one bar: a segment for each priority, and at the end the requests without a
/// host. The tables have buttons for the same figures.
pub fn split_bar(of: &DrawnOutcome<'_>) -> Html {
    let segments = split_segments(of.outcome, 0.0).into_iter().map(|segment| {
        let row = segment
            .place
            .and_then(|place| of.outcome.priorities().get(place));
        draw(segment, row, of)
    });
    html! {
        <svg class="bar" width="100%" height="26" aria-hidden="true" focusable="false">{ for segments }</svg>
    }
}

fn draw(segment: SplitSegment, row: Option<&PriorityReport>, of: &DrawnOutcome<'_>) -> Html {
    let SplitSegment { from, width, .. } = segment;
    let fill = row.map_or_else(|| "url(#hatch)".into(), |row| paint(row.place));
    let mut parts = vec![bar("", from, width, Some(fill))];
    if row.is_some() {
        let gap = if from > 0.0 && width > 0.0 { 0.3 } else { 0.0 };
        parts.push(bar("gap", from, gap, None));
    }
    if let Some(text) = segment.label
        && let Some(class) = fit_class(&text, width)
    {
        parts.push(bar_label(class, from + width / 2.0, text));
    }
    match row {
        None => html! { <>{ for parts }</> },
        Some(row) => html! {
            <g key={of.outcome.id(row)} class={classes!("segment", color(row.place))}
                onclick={of.select(PageFigure::Priority(priority_at(row.row.at)))}>{ for parts }</g>
        },
    }
}
