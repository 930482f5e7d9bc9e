//! The controls of the time, the pictures, and Build at the shown time.

use std::rc::Rc;

use spillgate_scenario::{EditedScenario, PageLayout, ScenarioOutcome};
use yew::prelude::*;

use super::{
    pictures::{
        FailurePicture, HostsPicture, LoadPicture, SessionsPicture, failure_key, hosts_key,
        load_key,
    },
    script::ScriptPicture,
};
use crate::view::{
    parts::{DrawnOutcome, Status, named, spillway_figure, text_button},
    screens::{
        incident::{IncidentInput, IncidentStage, ShownIncident, moment_sentence, scenario_at},
        over_time::{ExactTime, TimeFigure, controls, use_on_share, use_player},
    },
};

#[derive(PartialEq, Properties)]
pub(super) struct BoardProps {
    pub(super) stage: Rc<IncidentStage>,
    pub(super) run: ShownIncident,
    pub(super) input: IncidentInput,
    pub(super) on_input: Callback<IncidentInput>,
    /// Opens the scenario of the shown time on the first screen.
    pub(super) on_open: Callback<EditedScenario>,
    /// The fields of the events.
    pub(super) events: Html,
}

/// The part of the screen that depends on the shown time.
#[component]
pub(super) fn Board(props: &BoardProps) -> Html {
    let BoardProps {
        stage, run, input, ..
    } = props;
    let scale = &run.scale;
    let on_at = {
        let (input, scale) = (input.clone(), scale.clone());
        props.on_input.reform(move |shown: usize| IncidentInput {
            at: Some(scale.millis(shown)),
            ..input.clone()
        })
    };
    let player = use_player(scale, scale.interval_at(input.at), &on_at);
    let on_share = use_on_share(&player);
    let shown = player.shown;
    let millis = run.shown_millis(input.at, shown);
    let exact = ExactTime {
        millis,
        on_millis: {
            let (input, on_input) = (input.clone(), props.on_input.clone());
            let on_pause = player.on_pause.clone();
            Callback::from(move |millis: u64| {
                on_pause.emit(());
                on_input.emit(IncidentInput {
                    at: Some(millis),
                    ..input.clone()
                });
            })
        },
    };
    let now = moment_sentence(run, millis);
    // The states of hosts change at few of the shown times.
    let row = run.row_at(millis).map_or(0, |row| row.from);
    let moment = use_memo(
        (Rc::clone(stage), run.clone(), row),
        move |(stage, run, _)| Rc::new(scenario_at(stage, run, millis)),
    );
    let outcome = use_memo(Rc::clone(&moment), |moment| ScenarioOutcome::of(moment));
    let open = {
        let moment = Rc::clone(&moment);
        props
            .on_open
            .reform(move |_: MouseEvent| (**moment).clone())
    };
    let figure = |name, title, caption: String, names, picture, key| {
        TimeFigure {
            screen: "incident",
            name,
            title,
            caption,
            short: &run.names,
            scale,
            at: millis,
            names,
            picture,
            key,
            table: None,
        }
        .view()
    };
    let tracks = run.tracks.iter();
    let names = html! {
        <ul class="hosts-over-time">
            { for tracks.map(|track| html! { <li><span title={track.name.clone()}>{ run.names.in_text(&track.name) }</span></li> }) }
        </ul>
    };
    let drawn = DrawnOutcome {
        scenario: &moment,
        outcome: &outcome,
        names: &run.names,
        selected: None,
        choose: &Callback::noop(),
    };
    html! {
        <>
            <div class="question">
                { props.events.clone() }
                { controls("incident", &player, Some(exact)) }
            </div>
            { figure("script", "What happens", "Drag a bar to another time, or its ends.".into(), html! {},
                html! { <ScriptPicture stage={Rc::clone(stage)} run={run.clone()} input={input.clone()} on_input={props.on_input.clone()} /> },
                html! {}) }
            { figure("heat", "What Envoy knows of the hosts", "The hosts of each zone or priority as Envoy's workers see them.".into(), names,
                html! { <HostsPicture run={run.clone()} on_share={on_share.clone()} /> }, hosts_key(run)) }
            { figure("load", "Which priority takes the requests", String::new(), html! {},
                html! { <LoadPicture run={run.clone()} on_share={on_share.clone()} /> }, load_key(run)) }
            { figure("failures", "What fails", String::new(), html! {},
                html! { <FailurePicture run={run.clone()} on_share={on_share.clone()} /> }, failure_key(run)) }
            if input.sessions.is_some() {
                { figure("sessions", "Sessions on the hosts of the script", "The full height is all sessions.".into(), html! {},
                    html! { <SessionsPicture run={run.clone()} {on_share} /> }, html! {}) }
            }
            <section class="moment" aria-label="The shown time">
                <p class="headline" data-test="incident-moment">{ named(&run.names, &now) }</p>
                { spillway_figure(&drawn, PageLayout::Narrow) }
                <p class="copies">{ text_button("Open this moment in Build", "incident-open", open) }</p>
            </section>
            <Status test="incident-moment-status" text={now} />
        </>
    }
}
