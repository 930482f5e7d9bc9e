//! The pictures of hosts, loads and failures over the time.

use spillgate_scenario::fixed;
use yew::prelude::*;

use crate::view::{
    parts::{named, paint, swatch},
    screens::{
        incident::{ShownIncident, TrackBar, failure_bars, load_bars, most_failures, session_bars},
        over_time::{block, event_lines, on_click},
    },
};

#[derive(PartialEq, Properties)]
pub(super) struct PictureProps {
    pub(super) run: ShownIncident,
    /// Called with the place of a click, as a share of the width.
    pub(super) on_share: Callback<f64>,
}

fn draw(bar: &TrackBar) -> Html {
    let fill = match (bar.priority, bar.class) {
        (Some(place), _) => Some(paint(place)),
        (None, "nowhere" | "unhealthy") => Some("url(#hatch)".to_owned()),
        _ => None,
    };
    block(bar.class, fill, (bar.x, bar.y), (bar.width, bar.height))
}

/// Bars over the time.
fn picture(
    props: &PictureProps,
    height: &'static str,
    label: &'static str,
    bars: &[TrackBar],
) -> Html {
    html! {
        <svg width="100%" {height} role="img" aria-label={label} onclick={on_click(&props.on_share)}>
            { for bars.iter().map(draw) }
            { event_lines(&props.run.scale) }
        </svg>
    }
}

/// The hosts of each group by health.
#[component]
pub(super) fn HostsPicture(props: &PictureProps) -> Html {
    let rows = props.run.tracks.iter().map(|track| {
        let label = format!("Hosts of {} over the time", track.name);
        html! {
            <svg class="row" width="100%" height="24" role="img" aria-label={label} onclick={on_click(&props.on_share)}>
                { for track.bars.iter().map(draw) }
            </svg>
        }
    });
    html! {
        <>
            { for rows }
            <svg class="marks" width="100%" height="100%" aria-hidden="true" focusable="false">{ event_lines(&props.run.scale) }</svg>
        </>
    }
}

/// The meaning of the shades.
pub(super) fn hosts_key(run: &ShownIncident) -> Html {
    let kinds = [
        ("healthy", "usable"),
        ("degraded", "degraded"),
        ("ejected", "ejected by outlier detection"),
        ("unhealthy", "fail their health checks"),
        ("absent", "absent"),
    ];
    let has = |kind: &&(&str, &str)| {
        let mut bars = run.tracks.iter().flat_map(|track| &track.bars);
        bars.any(|bar| bar.class == kind.0)
    };
    let kinds = kinds.iter().filter(has);
    html! { <>{ for kinds.map(|(class, words)| html! { <span><i class={*class} />{ *words }</span> }) }</> }
}

/// The share of each priority.
#[component]
pub(super) fn LoadPicture(props: &PictureProps) -> Html {
    let bars = load_bars(&props.run.record);
    picture(props, "120", "Load of each priority over the time", &bars)
}

/// The colors of the priorities.
pub(super) fn load_key(run: &ShownIncident) -> Html {
    let names = run.record.priorities.iter().enumerate();
    let has_panic = run
        .record
        .rows
        .iter()
        .any(|row| row.priorities.iter().any(|(_, panic)| *panic));
    let is_nowhere = run
        .record
        .rows
        .iter()
        .any(|row| row.priorities.iter().map(|(load, _)| *load).sum::<u32>() < 100);
    html! {
        <>
            { for names.map(|(place, name)| html! { <span>{ swatch(place) }{ named(&run.names, name) }</span> }) }
            if has_panic {
                <span><i class="panic" />{ "in panic mode" }</span>
            }
            if is_nowhere {
                <span><i class="nowhere" />{ "no host" }</span>
            }
        </>
    }
}

/// The sessions on hosts of the script.
#[component]
pub(super) fn SessionsPicture(props: &PictureProps) -> Html {
    let bars = session_bars(&props.run.record);
    picture(
        props,
        "80",
        "Sessions on hosts of the script over the time",
        &bars,
    )
}

/// Failed and retried requests.
#[component]
pub(super) fn FailurePicture(props: &PictureProps) -> Html {
    let bars = failure_bars(&props.run.record);
    picture(
        props,
        "80",
        "Failed and retried requests over the time",
        &bars,
    )
}

/// The shades, and what the full height is.
pub(super) fn failure_key(run: &ShownIncident) -> Html {
    let most = most_failures(&run.record);
    html! {
        <>
            <span><i class="failed" />{ "failed" }</span>
            <span><i class="retried" />{ "retried" }</span>
            if most > 0.0 {
                <span>{ format!("full height: {} requests/s", fixed(most)) }</span>
            }
        </>
    }
}
