//! The controls and the pictures of a run.

use crate::{
    bridge,
    view::parts::{Status, named},
};
use yew::prelude::*;

use super::{
    controls::{Player, controls},
    heat::{HeatPicture, heat_key, host_buttons},
    host_faults::HostFaults,
    pictures::{LoadPicture, SessionsPicture, load_key, sessions_key},
    plot::TimeFigure,
    run::ShownRun,
    tables::{heat_table, load_table, sessions_table},
};
use crate::view::screens::timeline::{
    HostFault, Pace, SPEEDS, TimelineInput, headline, heat_caption, interval_at, load_caption,
    sessions_caption, subtitle, with_event,
};

#[derive(PartialEq, Properties)]
pub(super) struct BoardProps {
    pub(super) run: ShownRun,
    pub(super) input: TimelineInput,
    pub(super) on_input: Callback<TimelineInput>,
    pub(super) script: String,
    pub(super) on_script: Callback<String>,
    /// What happens in the scenario.
    pub(super) about: &'static str,
    /// The fields above the time.
    pub(super) fields: Html,
}

/// The part of the screen that depends on the shown time.
#[component]
pub(super) fn Board(props: &BoardProps) -> Html {
    let recording = &props.run.recording;
    let (last, width) = (recording.intervals.len(), recording.width);
    let playing = use_state(|| None::<usize>);
    let speed = use_state(|| SPEEDS[1]);
    let message = use_state(String::new);
    let shown = playing.map_or_else(|| interval_at(recording, props.input.at), |at| at.min(last));
    let on_shown = {
        let (input, on_input) = (props.input.clone(), props.on_input.clone());
        let playing = playing.setter();
        Callback::from(move |shown: usize| {
            playing.set(None);
            on_input.emit(TimelineInput {
                at: Some((shown as u64).saturating_mul(width)),
                ..input.clone()
            });
        })
    };
    {
        let (setter, on_shown) = (playing.setter(), on_shown.clone());
        use_effect_with((*playing, *speed, last), move |&(playing, speed, last)| {
            let pace = Pace::new(width, speed);
            let timer = playing.map(|at| {
                bridge::after(pace.after, move || {
                    let next = at.saturating_add(pace.intervals);
                    if next < last {
                        setter.set(Some(next))
                    } else {
                        on_shown.emit(last)
                    }
                })
            });
            // A pause cancels the next picture.
            move || drop(timer)
        });
    }
    // The pictures stay as they are while the time advances, so their callback must not change.
    let latest = use_mut_ref(|| on_shown.clone());
    latest.borrow_mut().clone_from(&on_shown);
    let on_share = use_callback(last, move |share: f64, last| {
        let place = (share * *last as f64) as usize;
        let on_shown = latest.borrow().clone();
        on_shown.emit((place + 1).min(*last));
    });
    let on_fault = {
        let (script, on_script) = (props.script.clone(), props.on_script.clone());
        let message = message.setter();
        let at = (shown as u64).saturating_mul(width);
        let has_script = recording.has_script;
        Callback::from(move |(selector, fault): (String, HostFault)| {
            let next = if has_script {
                with_event(&script, at, &selector, fault)
            } else {
                None
            };
            message.set(match (&next, has_script) {
                (Some(_), _) => String::new(),
                (None, true) => {
                    "Write this event in the script: its events are not a list of lines.".into()
                }
                (None, false) => {
                    "A random world has its own events. Choose another scenario.".into()
                }
            });
            if let Some(next) = next {
                on_script.emit(next);
            }
        })
    };
    let player = Player {
        shown,
        last,
        playing: playing.is_some(),
        speed: *speed,
        on_shown: on_shown.clone(),
        on_speed: {
            let speed = speed.setter();
            Callback::from(move |value| speed.set(value))
        },
        on_play: {
            let playing = playing.setter();
            let from = if shown >= last { 0 } else { shown };
            Callback::from(move |()| playing.set(Some(from)))
        },
    };
    let run = &props.run;
    let now = headline(recording, shown);
    let load = TimeFigure {
        name: "load",
        title: "Which priority takes the requests",
        caption: load_caption(recording),
        run,
        shown,
        names: html! {},
        picture: html! { <LoadPicture run={run.clone()} on_share={on_share.clone()} /> },
        key: load_key(run),
        table: load_table(run),
    };
    let heat = TimeFigure {
        name: "heat",
        title: "Which host takes the requests",
        caption: heat_caption(&run.rows, recording.hosts.len()),
        run,
        shown,
        names: host_buttons(run, shown, &on_fault),
        picture: html! { <HeatPicture run={run.clone()} on_share={on_share.clone()} /> },
        key: heat_key(run),
        table: heat_table(run),
    };
    let sessions = TimeFigure {
        name: "sessions",
        title: "Do sessions stay on their host?",
        caption: sessions_caption(recording),
        run,
        shown,
        names: html! {},
        picture: html! { <SessionsPicture run={run.clone()} {on_share} /> },
        key: sessions_key(run),
        table: sessions_table(run),
    };
    html! {
        <>
            <p class="headline" data-test="timeline-headline">{ named(&run.names, &now) }</p>
            <p class="sub" data-test="timeline-world">{ subtitle(recording) }</p>
            <p class="note" data-test="timeline-about">{ props.about }</p>
            <div class="question">
                { props.fields.clone() }
                { controls(recording, &player) }
                <HostFaults run={run.clone()} {shown} on_fault={on_fault.clone()} />
                <p class="note" data-said="yes">{ (*message).clone() }</p>
            </div>
            { load.view() }
            { heat.view() }
            { sessions.view() }
            <Status test="timeline-status" text={now} />
        </>
    }
}
