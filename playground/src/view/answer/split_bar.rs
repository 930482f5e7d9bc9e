//! The split as a bar.

use yew::prelude::*;

use crate::{
    state::{PageFigure, Size, percent, priority_at},
    view::{
        Act, Shared,
        parts::{bar, bar_label, color, paint},
    },
};

/// All the traffic as one bar: a segment for each priority, and at the end the requests without a
/// host. The tables have buttons for the same figures.
pub(crate) fn split_bar(store: &Shared, act: &Act, size: Size) -> Html {
    // Narrower segments, in percent, have no label.
    let room = match size {
        Size::Wide => 9.0,
        Size::Narrow => 17.0,
    };
    let outcome = &store.outcome;
    let mut from = 0.0;
    let mut segments: Vec<Html> = Vec::new();
    for row in outcome.priorities() {
        let width = row.share();
        let mut parts = vec![
            bar("", from, width, Some(paint(row.place))),
            bar(
                "gap",
                from,
                if from > 0.0 && width > 0.0 { 0.3 } else { 0.0 },
                None,
            ),
        ];
        if width >= room {
            let text = format!("{} {}", row.short(), percent(width));
            parts.push(bar_label(from + width / 2.0, text));
        }
        from += width;
        segments.push(html! {
            <g key={outcome.id(row)} class={classes!("segment", color(row.place))}
                onclick={act.select(PageFigure::Priority(priority_at(row.row.at)))}>{ for parts }</g>
        });
    }
    if outcome.no_host() > 0.05 {
        let start = 100.0 - outcome.no_host();
        segments.push(bar(
            "",
            start,
            outcome.no_host(),
            Some("url(#hatch)".into()),
        ));
        if outcome.no_host() >= room {
            let text = format!("503 {}", percent(outcome.no_host()));
            segments.push(bar_label(start + outcome.no_host() / 2.0, text));
        }
    }
    html! {
        <svg class="bar" width="100%" height="26" aria-hidden="true" focusable="false">{ for segments }</svg>
    }
}
