//! The pictures of loads and sessions.

use crate::view::parts::{named, paint, swatch};
use yew::prelude::*;

use super::run::ShownRun;
use crate::view::screens::{
    over_time::{block, event_lines, on_click, seconds},
    timeline::{
        LoadBar, Period, SessionBar, load_bars, load_caption, most_sessions, session_bars,
        sessions_caption, without_host,
    },
};

#[derive(PartialEq, Properties)]
pub(super) struct PictureProps {
    pub(super) run: ShownRun,
    /// Called with the place of a click, as a share of the width.
    pub(super) on_share: Callback<f64>,
}

/// The share of each priority over the time.
#[component]
pub(super) fn LoadPicture(props: &PictureProps) -> Html {
    let recording = &props.run.recording;
    let bars = load_bars(recording);
    let draw = |bar: &LoadBar| {
        let (class, fill) = match bar.priority {
            Some(place) => ("", paint(place)),
            None => ("nowhere", "url(#hatch)".to_owned()),
        };
        block(class, Some(fill), (bar.x, bar.y), (bar.width, bar.height))
    };
    html! {
        <svg width="100%" height="150" role="img" aria-label={load_caption(recording)} onclick={on_click(&props.on_share)}>
            { for bars.iter().map(draw) }
            { event_lines(&props.run.scale) }
        </svg>
    }
}

/// The colors of the priorities.
pub(super) fn load_key(run: &ShownRun) -> Html {
    let names = run.recording.priorities.iter().enumerate();
    let mut intervals = run.recording.intervals.iter();
    let has_none = intervals.any(|interval| without_host(interval) > 0);
    html! {
        <>
            { for names.map(|(place, name)| html! { <span>{ swatch(place) }{ named(&run.names, name) }</span> }) }
            if has_none {
                <span><i class="nowhere" />{ "no host" }</span>
            }
        </>
    }
}

/// The outcomes of requests over the time.
#[component]
pub(super) fn SessionsPicture(props: &PictureProps) -> Html {
    let recording = &props.run.recording;
    let bars = session_bars(recording);
    let draw = |bar: &SessionBar| {
        let fill = (bar.kind == "failed").then(|| "url(#hatch)".to_owned());
        block(bar.kind, fill, (bar.x, bar.y), (bar.width, bar.height))
    };
    html! {
        <svg width="100%" height="120" role="img" aria-label={sessions_caption(recording)} onclick={on_click(&props.on_share)}>
            { for bars.iter().map(draw) }
            { event_lines(&props.run.scale) }
        </svg>
    }
}

/// The shades of the outcomes.
pub(super) fn sessions_key(run: &ShownRun) -> Html {
    let sum = |of: fn(&Period) -> u32| run.periods.iter().map(of).sum::<u32>();
    let kinds = [
        ("kept", "stays on its host", sum(|period| period.kept)),
        ("new", "starts a session", sum(|period| period.new)),
        ("moved", "moves to another host", sum(|period| period.moved)),
        ("failed", "finds no host", sum(|period| period.failed)),
    ]
    .into_iter()
    .filter(|(.., count)| *count > 0);
    html! {
        <>
            { for kinds.map(|(kind, words, _)| html! { <span><i class={kind} />{ words }</span> }) }
            <span>{ format!("full height: {} requests in {}", most_sessions(&run.recording), seconds(run.recording.width)) }</span>
        </>
    }
}
