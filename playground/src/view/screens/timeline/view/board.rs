//! The controls and the pictures of a run.

use crate::view::parts::{Status, named};
use yew::prelude::*;

use super::{
    heat::{HeatPicture, heat_key, host_buttons},
    host_faults::HostFaults,
    pictures::{LoadPicture, SessionsPicture, load_key, sessions_key},
    run::ShownRun,
    tables::{heat_table, load_table, sessions_table},
};
use crate::view::screens::{
    over_time::{TimeFigure, controls, use_on_share, use_player},
    timeline::{
        HostFault, TimelineInput, headline, heat_caption, load_caption, sessions_caption, subtitle,
        with_event,
    },
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
    let scale = &props.run.scale;
    let message = use_state(String::new);
    let on_at = {
        let (input, on_input, scale) = (props.input.clone(), props.on_input.clone(), scale.clone());
        Callback::from(move |shown: usize| {
            on_input.emit(TimelineInput {
                at: Some(scale.millis(shown)),
                ..input.clone()
            });
        })
    };
    let player = use_player(scale, scale.interval_at(props.input.at), &on_at);
    let on_share = use_on_share(&player);
    let shown = player.shown;
    let on_fault = {
        let (script, on_script) = (props.script.clone(), props.on_script.clone());
        let message = message.setter();
        let at = scale.millis(shown);
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
    let run = &props.run;
    let now = headline(recording, shown);
    let load = TimeFigure {
        screen: "timeline",
        name: "load",
        title: "Which priority takes the requests",
        caption: load_caption(recording),
        short: &run.names,
        scale,
        at: scale.millis(shown),
        names: html! {},
        picture: html! { <LoadPicture run={run.clone()} on_share={on_share.clone()} /> },
        key: load_key(run),
        table: Some(load_table(run)),
    };
    let heat = TimeFigure {
        screen: "timeline",
        name: "heat",
        title: "Which host takes the requests",
        caption: heat_caption(&run.rows, recording.hosts.len()),
        short: &run.names,
        scale,
        at: scale.millis(shown),
        names: host_buttons(run, shown, &on_fault),
        picture: html! { <HeatPicture run={run.clone()} on_share={on_share.clone()} /> },
        key: heat_key(run),
        table: Some(heat_table(run)),
    };
    let sessions = TimeFigure {
        screen: "timeline",
        name: "sessions",
        title: "Do sessions stay on their host?",
        caption: sessions_caption(recording),
        short: &run.names,
        scale,
        at: scale.millis(shown),
        names: html! {},
        picture: html! { <SessionsPicture run={run.clone()} {on_share} /> },
        key: sessions_key(run),
        table: Some(sessions_table(run)),
    };
    html! {
        <>
            <p class="headline" data-test="timeline-headline">{ named(&run.names, &now) }</p>
            <p class="sub" data-test="timeline-world">{ subtitle(recording) }</p>
            <p class="note" data-test="timeline-about">{ props.about }</p>
            <div class="question">
                { props.fields.clone() }
                { controls("timeline", &player, None) }
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
