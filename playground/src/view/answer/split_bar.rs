//! The split as a bar.

use yew::prelude::*;

use crate::{
    state::{PageFigure, percent, priority_at},
    view::{
        Act, Shared,
        parts::{bar, bar_label, colour, paint},
    },
};

/// Segments narrower than this many percent have no room for words.
const ROOM: f64 = 9.0;

/// All the traffic as one bar: a segment for each priority, a gap between them, what finds no host
/// at the end. The buttons for the same figures are elsewhere.
pub(crate) fn split_bar(store: &Shared, act: &Act, narrow: bool) -> Html {
    let room = if narrow { 17.0 } else { ROOM };
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
            <g key={outcome.id(row)} class={classes!("segment", colour(row.place))}
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
