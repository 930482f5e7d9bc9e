//! The heat map: a row for each host.

use crate::view::parts::color;
use yew::prelude::*;

use super::{pictures::PictureProps, run::ShownRun};
use crate::view::screens::{
    over_time::{event_lines, on_click, seconds},
    timeline::{HeatPath, HostFault, HostLine, row_text},
};

/// The names of the rows. A click changes the host at the shown time.
pub(super) fn host_buttons(
    run: &ShownRun,
    shown: usize,
    on_fault: &Callback<(String, HostFault)>,
) -> Html {
    let recording = &run.recording;
    let at = seconds((shown as u64).saturating_mul(recording.width));
    let states = match shown.checked_sub(1) {
        Some(at) => recording.intervals.get(at).map(|interval| &interval.states),
        None => Some(&recording.start),
    };
    let button = |row: &HostLine| {
        let state = states.and_then(|states| states.get(row.hosts.start));
        let fault = state.map(|state| HostFault::of(state.health));
        let Some(fault) = fault.filter(|_| recording.has_script && !row.selector.is_empty()) else {
            return html! { <li><span title={row.name.clone()}>{ run.names.in_text(&row.name) }</span></li> };
        };
        let name = format!("{} {} at {at}", fault.verb(), row.name);
        let selector = row.selector.clone();
        let onclick = on_fault.reform(move |_: MouseEvent| (selector.clone(), fault));
        html! {
            <li>
                <button type="button" data-test={format!("timeline-host-{}", row.name)} aria-label={name.clone()} title={name} {onclick}>
                    { run.names.in_text(&row.name) }
                </button>
            </li>
        }
    };
    html! { <ul class="hosts-over-time">{ for run.rows.iter().map(button) }</ul> }
}

/// The rows.
#[component]
pub(super) fn HeatPicture(props: &PictureProps) -> Html {
    let recording = &props.run.recording;
    let area = format!("0 0 {} 10", recording.intervals.len().max(1));
    let cells = |path: &HeatPath| {
        let color = path.priority.map(color);
        html! { <path class={classes!(color, path.class.clone())} d={path.d.clone()} /> }
    };
    let row = |row: &HostLine| {
        html! {
            <svg class="row" width="100%" viewBox={area.clone()} preserveAspectRatio="none" role="img"
                aria-label={row_text(recording, row)} onclick={on_click(&props.on_share)}>
                { for row.paths.iter().map(cells) }
            </svg>
        }
    };
    html! {
        <>
            { for props.run.rows.iter().map(row) }
            <svg class="marks" width="100%" height="100%" aria-hidden="true" focusable="false">{ event_lines(&props.run.scale) }</svg>
        </>
    }
}

/// The meaning of shades and marks.
pub(super) fn heat_key(run: &ShownRun) -> Html {
    let marks = ["unhealthy", "draining", "degraded", "absent"];
    let has = |mark: &&str| {
        let mut paths = run.rows.iter().flat_map(|row| &row.paths);
        paths.any(|path| path.class == *mark)
    };
    html! {
        <>
            <span>{ "the stronger the color of its priority, the more requests" }</span>
            { for marks.into_iter().filter(has).map(|mark| html! { <span><i class={mark} />{ mark }</span> }) }
        </>
    }
}
