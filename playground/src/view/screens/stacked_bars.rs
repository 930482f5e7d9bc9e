//! Bars of shares below each other, each with the priorities in order.

use crate::view::parts::{bar, bar_label, color, paint};
use spillgate_scenario::fit_class;
use yew::prelude::*;

/// One bar.
pub(crate) struct StackedBar {
    /// Its label.
    pub(crate) label: &'static str,
    /// Its parts, in the order of the priorities.
    pub(crate) segments: Vec<StackedSegment>,
}

/// The share of a priority.
pub(crate) struct StackedSegment {
    /// In percent of the bar.
    pub(crate) width: f64,
    /// Its label, which narrow segments omit.
    pub(crate) text: String,
}

/// The bars as one figure. A table has the same figures.
pub(crate) fn stacked_bars(caption: &str, bars: Vec<StackedBar>) -> Html {
    html! {
        <figure class="two-bars">
            <figcaption class="hidden">{ caption.to_owned() }</figcaption>
            { for bars.into_iter().map(one_bar) }
        </figure>
    }
}

fn one_bar(stacked: StackedBar) -> Html {
    let mut from = 0.0;
    let segments = stacked
        .segments
        .into_iter()
        .enumerate()
        .map(|(place, segment)| {
            let (x, w) = (from, segment.width);
            let mut parts = vec![bar("", x, w, Some(paint(place)))];
            if from > 0.0 && w > 0.0 {
                parts.push(bar("gap", x, 0.3, None));
            }
            if let Some(class) = fit_class(&segment.text, w) {
                parts.push(bar_label(class, x + w / 2.0, segment.text));
            }
            from += w;
            html! { <g class={classes!("segment", color(place))}>{ for parts }</g> }
        });
    html! {
        <>
            <span aria-hidden="true">{ stacked.label }</span>
            <svg class="bar" width="100%" height="26" aria-hidden="true" focusable="false">{ for segments }</svg>
        </>
    }
}
