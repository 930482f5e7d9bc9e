//! The split as a bar.

use spillgate_scenario::{
    PageFigure, PriorityReport, SplitSegment, fit_class, percent, priority_at, split_segments,
};
use yew::prelude::*;

use super::{DrawnOutcome, bar, bar_label, color, paint, verdict};

/// All the traffic as one bar: a segment for each priority, and at the end the requests without a
/// host; before it the alarm of the headline. The tables have buttons for the same figures.
pub fn split_bar(of: &DrawnOutcome<'_>) -> Html {
    let segments = split_segments(of.outcome, 0.0).into_iter().map(|segment| {
        let row = segment
            .place
            .and_then(|place| of.outcome.priorities().get(place));
        draw(segment, row, of)
    });
    let worst = of.outcome.verdict();
    html! {
        <div class="split" aria-hidden="true">
            if worst.severity.is_alarm() {
                <span class="alarm">{ verdict(worst) }</span>
            }
            <svg class="bar" width="100%" height="26" focusable="false">{ for segments }</svg>
        </div>
    }
}

fn draw(segment: SplitSegment, row: Option<&PriorityReport>, of: &DrawnOutcome<'_>) -> Html {
    let SplitSegment { from, width, .. } = segment;
    let label = label(&segment, row);
    let mut parts = Vec::new();
    if let Some(row) = row {
        parts.push(bar("", from, width, Some(paint(row.place))));
    }
    if row.is_none() || segment.panic {
        parts.push(bar("hatch", from, width, Some("url(#hatch)".into())));
        parts.push(bar("alarm-edge", from, width, None));
    }
    if row.is_some() {
        let gap = if from > 0.0 && width > 0.0 { 0.3 } else { 0.0 };
        parts.push(bar("gap", from, gap, None));
    }
    if let Some((class, text)) = label {
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

/// The text on a segment, and the class of the width that it needs.
fn label(segment: &SplitSegment, row: Option<&PriorityReport>) -> Option<(&'static str, String)> {
    let plain = segment.label.clone()?;
    let panic = row.filter(|_| segment.panic).map(|row| {
        let share = percent(segment.width);
        format!("{} panic {share}", row.short())
    });
    // The word is omitted where only a wide bar has room for it.
    let fits = |text: &String| fit_class(text, segment.width) == Some("");
    let text = panic.filter(fits).unwrap_or(plain);
    Some((fit_class(&text, segment.width)?, text))
}
